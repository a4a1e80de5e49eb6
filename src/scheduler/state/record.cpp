#include "scheduler/state/record.h"

#include <chrono>
#include <cmath>

#include "forecast/constants.h"
#include "scheduler/constants.h"

namespace slaq::scheduler {
namespace {

constexpr std::size_t kMostLosses = 24;
constexpr std::size_t kMostSpeeds = 12;

// At most `most` of the items, evenly spread, with the first and the last one.
template <class Item>
std::vector<Item> thinned(std::vector<Item> items, std::size_t most) {
  if (items.size() <= most) return items;
  std::vector<Item> kept;
  for (std::size_t i = 0; i < most; ++i) kept.push_back(items[i * (items.size() - 1) / (most - 1)]);
  return kept;
}

std::vector<TrainingRecord::LossAt> lossesOf(const forecast::LossSeries& series) {
  std::vector<TrainingRecord::LossAt> losses;
  for (std::size_t i = 0; i < series.size(); ++i)
    losses.push_back({series.iterations()[i], series.losses()[i]});
  return thinned(std::move(losses), kMostLosses);
}

void teachLosses(const std::string& kind, const TrainingRecord& record, forecast::Predictor& predictor) {
  forecast::LossSeries series;
  for (const auto& each : record.losses) series.add(Iterations(each.iteration), Loss(each.loss));
  if (series.size() < forecast::kFewestPairs || series.iterations().front() > 1) return;
  forecast::ForecastMemory memory;
  const auto model = predictor.forecast("", series, {.kind = kind}, memory);
  if (model) predictor.update({series, *model, record.uid, kind, true});
}

void teachPauses(const std::string& kind, const TrainingRecord& record, PausePopulation& pauses) {
  // Each value is a median, so it stands for two measurements at least.
  for (int time = 0; time < 2; ++time) {
    if (record.growPause) pauses.update(kind, {.grew = true, .pause = record.growPause});
    if (record.shrinkPause) pauses.update(kind, {.grew = false, .pause = record.shrinkPause});
    if (record.lost) pauses.update(kind, {.lost = record.lost});
  }
}

}  // namespace

TrainingRecord recordOf(const JobHistory& history, double iterations, Time now) {
  std::vector<TrainingRecord::SpeedAt> speeds;
  for (const auto& each : history.runtime.measured())
    speeds.push_back({each.size, each.seconds, each.weight});
  return {.iterations = iterations,
          .unit = history.runtime.unit(),
          .losses = lossesOf(history.losses.series),
          .speeds = thinned(std::move(speeds), kMostSpeeds),
          .growPause = history.pauses.grow(),
          .shrinkPause = history.pauses.shrink(),
          .lost = history.pauses.lost(),
          .uid = history.uid,
          .ended = std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count()};
}

void updatePeersAtEnd(JobHistory& history, Time now, forecast::Predictor& predictor, Peers& peers) {
  if (history.shared.end || history.losses.series.empty()) return;
  history.shared.end = true;
  // The end of the last iteration may never have been read.
  const double done = std::round(iterationAt(history, now, now - *history.losses.lastSample).value());
  peers.lengths.update(history.kind, done);
  const bool isWhole = history.losses.model && history.losses.series.size() > 1 &&
                       history.losses.series.iterations().front() <= 1;
  if (!history.kind.empty() && isWhole)
    predictor.update({history.losses.series, *history.losses.model, history.uid, history.kind, false});
  if (!history.kind.empty()) peers.records.add(history.kind, recordOf(history, done, now));
}

void teach(const std::string& kind, const TrainingRecord& record, forecast::Predictor& predictor,
           Peers& peers) {
  std::vector<forecast::TimedSize> measured;
  for (const auto& each : record.speeds) measured.push_back({each.size, each.seconds, each.weight});
  if (!measured.empty()) peers.speeds.update(kind, measured, record.unit);
  teachPauses(kind, record, peers.pauses);
  if (record.iterations > 0) peers.lengths.update(kind, record.iterations);
  teachLosses(kind, record, predictor);
}

void restore(JobHistory& history, const JobStatus& status) {
  std::vector<forecast::TimedSize> measured;
  for (const SizeSpeed& each : status.speeds) {
    const double seconds = each.iteration.count();
    if (!each.measured || each.workers < Workers(1) || !std::isfinite(seconds) || !(seconds > 0)) continue;
    measured.push_back({static_cast<double>(each.workers.value()), seconds, kRestoredWeight});
  }
  history.runtime.restore(measured);
  if (const auto& cost = status.resizeCost) history.pauses.restore(cost->grow, cost->shrink, cost->lost);
}

}  // namespace slaq::scheduler
