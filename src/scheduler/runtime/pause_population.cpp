#include "scheduler/runtime/pause_population.h"

namespace slaq::scheduler {
namespace {

constexpr std::size_t kMostKinds = 500;

}  // namespace

ExpectedPauses PausePopulation::expected(const std::string& kind) const {
  const auto known = kinds_.find(kind);
  const auto of = [&](PauseRecord<15> Record::*which) -> const PauseRecord<15>& {
    const bool isKnown = known != kinds_.end() && (known->second.*which).median();
    return isKnown ? known->second.*which : all_.*which;
  };
  const auto& grow = of(&Record::grow);
  const auto& shrink = of(&Record::shrink);
  return {grow.median(), shrink.median(), grow.lowerQuartile().value_or(Seconds(0)),
          shrink.lowerQuartile().value_or(Seconds(0))};
}

void PausePopulation::update(const std::string& kind, bool grew, Seconds pause) {
  (grew ? all_.grow : all_.shrink).add(pause);
  if (kind.empty() || (kinds_.size() >= kMostKinds && !kinds_.contains(kind))) return;
  Record& record = kinds_[kind];
  (grew ? record.grow : record.shrink).add(pause);
}

}  // namespace slaq::scheduler
