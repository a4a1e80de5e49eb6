#include "prometheus/scrape/exposed_loss.h"

#include <algorithm>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "base/nearest.h"
#include "prometheus/samples.h"
#include "prometheus/scrape/exposition.h"
#include "prometheus/series_choice.h"

namespace slaq::prom {
namespace {

// A metric that a job names in spec.loss, in the field `field`. Metrics of its kind have one of `words` in
// their names.
struct Wanted {
  std::string name;
  std::vector<std::string_view> words;
  const char* field;
  const char* what;
};

// The message that the metric is missing, with the name that is probably meant.
std::string missing(const Wanted& wanted, std::vector<std::string> names) {
  const auto hasWord = [&](const std::string& name) {
    return std::ranges::any_of(wanted.words, [&](auto word) { return name.find(word) != name.npos; });
  };
  std::erase_if(names, [&](const auto& each) { return !hasWord(each); });
  const auto similar = nearest(wanted.name, names);
  const std::string meant = similar ? *similar : names.empty() ? "" : names.front();
  return "there is no metric " + wanted.name +
         (meant.empty() ? "; export " + std::string(wanted.what) + " under that name"
                        : "; if " + meant + " is meant, write spec.loss." + wanted.field + ": " + meant);
}

// The series of one metric in an exposition: their labels, and the views of these by which series are chosen.
class ExposedSeries {
 public:
  void add(const ExposedSample& sample) {
    auto& own = labels_.emplace_back(sample.labels);
    std::erase_if(own, [](const auto& label) { return label.second.empty(); });  // they count as absent
    std::ranges::sort(own);
    views_.emplace_back(own.begin(), own.end());
    values_.push_back(sample.value);
  }

  bool empty() const { return values_.empty(); }
  std::size_t size() const { return values_.size(); }
  double value(std::size_t index) const { return values_[index]; }
  const Labels& labels(std::size_t index) const { return views_[index]; }
  std::vector<const Labels*> candidates() const {
    std::vector<const Labels*> all;
    for (const auto& each : views_) all.push_back(&each);
    return all;
  }

 private:
  std::deque<std::vector<std::pair<std::string, std::string>>> labels_;
  std::deque<Labels> views_;
  std::vector<double> values_;
};

}  // namespace

Result<ExposedLoss> readLoss(std::string_view exposition, const LossRequest& request, Time time) {
  ExposedSeries losses;
  ExposedSeries iterations;
  ExposedSeries initials;
  std::vector<std::string> names;
  auto read = readExposition(exposition, [&](const ExposedSample& sample) {
    if (names.empty() || names.back() != sample.name) names.emplace_back(sample.name);
    if (sample.name == request.metric) losses.add(sample);
    if (sample.name == request.iterationMetric) iterations.add(sample);
    if (sample.name == kInitialLossMetric) initials.add(sample);
  });
  if (!read) return failure(read.error());
  if (losses.empty() && request.isReported) return failure(ErrorKind::NotFound, kNothingReported);
  if (losses.empty())
    return failure(ErrorKind::NotFound, missing({request.metric, {"loss"}, "metric", "the loss"}, names));
  if (iterations.empty()) {
    return failure(ErrorKind::NotFound, missing({request.iterationMetric,
                                                 {"iteration", "step", "batch", "epoch"},
                                                 "iterationMetric",
                                                 "the number of iterations that are done"},
                                                names));
  }
  if (const std::size_t series = losses.size() + iterations.size(); series > kMostSeriesOfAJob)
    return failure(ErrorKind::Invalid, tooManySeries(static_cast<double>(series)));
  const auto allLosses = losses.candidates();
  const auto allIterations = iterations.candidates();
  const auto pairs = pairsOf(allLosses, allIterations);
  const SeriesPair& chosen = pairs.front();
  ExposedLoss found{{time, Iterations(iterations.value(chosen.iterations)), Loss(losses.value(chosen.loss))},
                    noticeOf({request.metric, request.iterationMetric}, allLosses, allIterations, pairs)};
  if (const auto initial = nearestTo(losses.labels(chosen.loss), initials.candidates()))
    found.sample.initial = Loss(initials.value(initial->index));
  return found;
}

}  // namespace slaq::prom
