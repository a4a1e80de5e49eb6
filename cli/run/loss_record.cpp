#include "cli/run/loss_record.h"

#include <algorithm>

#include "forecast/series/loss_series.h"
#include "scheduler/state/history.h"

namespace slaq::cli::run {

bool LossRecord::add(const LossSample& sample) {
  return !scheduler::whyUnusable(sample.iteration, sample.loss) && curve_.add(sample);
}

std::vector<std::optional<Seconds>> timesToReduction(std::span<const LossSample> samples, LossMode mode,
                                                     Time start, std::span<const double> shares) {
  std::vector<std::optional<Seconds>> times(shares.size());
  forecast::LossSeries series;
  for (const auto& each : samples) series.add(each.iteration, oriented(mode, each.loss));
  if (samples.empty() || series.change() != forecast::LossSeries::Change::Fallen) return times;
  const auto lossOf = [&](const LossSample& sample) { return oriented(mode, sample.loss).value(); };
  const double first = lossOf(samples.front());
  const double total = first - lossOf(samples.back());
  if (total <= 0) return times;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const auto reached = [&](const LossSample& each) { return first - lossOf(each) >= shares[i] * total; };
    const auto found = std::ranges::find_if(samples, reached);
    if (found != samples.end()) times[i] = found->time - start;
  }
  return times;
}

Result<LossReport> RecordingSource::collect(const std::vector<LossRequest>& jobs, Time now) {
  auto report = source_.collect(jobs, now);
  if (!report) return report;
  for (const auto& [job, loss] : *report) {
    for (const auto& sample : loss.samples) {
      if (const auto why = scheduler::whyUnusable(sample.iteration, sample.loss)) unusable_[job] = *why;
      if (records_[job].add(sample) && tell_) tell_(job, sample);
    }
    if (loss.problem) ++problems_[job][*loss.problem];
  }
  return report;
}

std::string RecordingSource::unusableOf(const JobKey& job) const {
  const auto found = unusable_.find(job);
  return found == unusable_.end() || !recordOf(job).samples().empty() ? "" : found->second;
}

std::string RecordingSource::problemOf(const JobKey& job) const {
  if (auto unusable = unusableOf(job); !unusable.empty()) return unusable;
  const auto problems = problems_.find(job);
  if (problems == problems_.end() || !recordOf(job).samples().empty()) return "";
  return std::ranges::max_element(problems->second, {}, [](const auto& each) { return each.second; })->first;
}

std::optional<LossSample> RecordingSource::newestOf(const JobKey& job) const {
  const auto found = records_.find(job);
  if (found == records_.end() || found->second.samples().empty()) return std::nullopt;
  return found->second.samples().back();
}

LossRecord RecordingSource::recordOf(const JobKey& job) const {
  const auto found = records_.find(job);
  return found == records_.end() ? LossRecord() : found->second;
}

}  // namespace slaq::cli::run
