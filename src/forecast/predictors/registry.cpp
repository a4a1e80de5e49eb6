#include "forecast/predictors/registry.h"

#include "forecast/predictors/ensemble_predictor.h"
#include "forecast/predictors/published.h"
#include "forecast/predictors/strawman.h"

namespace slaq::forecast {
namespace {

struct Entry {
  std::string_view name;
  std::unique_ptr<Predictor> (*make)(const FittedConstants&);
};

template <class Fitted>
std::unique_ptr<Predictor> makeFitted(const FittedConstants& constants) {
  return std::make_unique<Fitted>(constants);
}

template <class Plain>
std::unique_ptr<Predictor> makePlain(const FittedConstants&) {
  return std::make_unique<Plain>();
}

constexpr Entry kPredictors[] = {
    {Strawman::kName, makePlain<Strawman>},
    {Published::kName, makePlain<Published>},
    {EnsemblePredictor::kName, makeFitted<EnsemblePredictor>},
};

}  // namespace

std::vector<std::string_view> predictorNames() {
  std::vector<std::string_view> names;
  for (const auto& entry : kPredictors) names.push_back(entry.name);
  return names;
}

std::unique_ptr<Predictor> makePredictor(std::string_view name, const FittedConstants& constants) {
  for (const auto& entry : kPredictors) {
    if (entry.name == name) return entry.make(constants);
  }
  return nullptr;
}

}  // namespace slaq::forecast
