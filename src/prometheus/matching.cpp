#include "prometheus/matching.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "prometheus/samples.h"
#include "prometheus/series_choice.h"

namespace slaq::prom {

namespace {

std::string textOf(const Labels& labels) {
  std::string text;
  text.reserve(256);
  for (const auto& [name, value] : labels) text.append(name).append(1, '\0').append(value).append(1, '\0');
  return text;
}

std::vector<const Labels*> labelsOf(const std::vector<const Series*>& all) {
  std::vector<const Labels*> labels;
  labels.reserve(all.size());
  for (const Series* series : all) labels.push_back(&series->labels);
  return labels;
}

// Samples of one scrape have exactly equal timestamps.
std::vector<LossSample> join(const std::vector<Point>& loss, const std::vector<Point>& iterations) {
  std::vector<LossSample> samples;
  auto other = iterations.begin();
  for (const Point& point : loss) {
    while (other != iterations.end() && other->time < point.time) ++other;
    if (other == iterations.end()) break;
    if (other->time == point.time)
      samples.push_back({point.time, Iterations(other->value), Loss(point.value)});
  }
  return samples;
}

void append(std::vector<LossSample>& stream, std::vector<LossSample> more) {
  const auto earlier = [](const LossSample& a, const LossSample& b) { return a.time < b.time; };
  const auto middle = static_cast<std::ptrdiff_t>(stream.size());
  stream.insert(stream.end(), more.begin(), more.end());
  std::inplace_merge(stream.begin(), stream.begin() + middle, stream.end(), earlier);
  std::vector<LossSample> joined;
  for (const auto& sample : stream) {
    if (joined.empty() || joined.back().time != sample.time) {
      joined.push_back(sample);
    } else if (!joined.back().initial) {
      joined.back().initial = sample.initial;
    }
  }
  stream = std::move(joined);
}

// Joins the streams of one job: one pod follows another, and one series of a pod another. Where two overlap,
// the one that lived longer is taken, because the other's last samples are still shown after its end. If two
// end together, the first is taken.
std::vector<LossSample> succession(std::vector<const std::vector<LossSample>*> streams) {
  std::stable_sort(streams.begin(), streams.end(),
                   [](const auto* a, const auto* b) { return a->back().time > b->back().time; });
  std::vector<LossSample> samples;  // from the newest back
  for (const auto* stream : streams) {
    for (auto sample = stream->rbegin(); sample != stream->rend(); ++sample) {
      if (samples.empty() || sample->time < samples.back().time) samples.push_back(*sample);
    }
  }
  std::reverse(samples.begin(), samples.end());
  return samples;
}

}  // namespace

SeriesMatching::SeriesMatching(const std::vector<const LossRequest*>& jobs, const SeriesLabels& labels)
    : labels_(labels) {
  for (const auto* job : jobs) found_[job->job].request = job;
}

SeriesMatching::Found* SeriesMatching::ownerOf(const Series& series) {
  const auto found = found_.find(
      JobKey{std::string(labelOf(series, labels_.ns)), std::string(labelOf(series, labels_.job))});
  if (found == found_.end()) return nullptr;
  ++found->second.series;
  const auto uid = labelOf(series, labels_.uid);
  if (uid.empty() || uid == found->second.request->uid) return &found->second;
  found->second.foreign = true;
  return nullptr;
}

std::map<SeriesMatching::TargetKey, SeriesMatching::Target> SeriesMatching::targetsOf(const Matrix& matrix) {
  std::map<TargetKey, Target> targets;
  for (const Series& series : matrix.series) {
    Found* owner = ownerOf(series);
    if (owner == nullptr || series.points.empty()) continue;
    const bool isLoss = series.metric == owner->request->metric;
    const bool isIterations = series.metric == owner->request->iterationMetric;
    const bool isInitial = series.metric == kInitialLossMetric;
    if (!isLoss && !isIterations && !isInitial) continue;
    Target& target =
        targets[{labelOf(series, "instance"), labelOf(series, "pod"), labelOf(series, labels_.ns),
                 labelOf(series, labels_.job), labelOf(series, "job")}];
    target.owner = owner;
    if (isLoss) target.losses.push_back(&series);
    if (isIterations) target.iterations.push_back(&series);
    if (isInitial) target.initials.push_back(&series);
    owner->loss |= isLoss;
    owner->iterations |= isIterations;
  }
  return targets;
}

void SeriesMatching::add(const Matrix& matrix, Origin origin) {
  for (const auto& [key, target] : targetsOf(matrix)) addTarget(key, target, origin);
}

void SeriesMatching::addTarget(const TargetKey& key, const Target& target, Origin origin) {
  // Each series of the loss is compared with each of the iterations. The source counts the series of such a
  // job.
  if (target.losses.size() + target.iterations.size() > kMostSeriesOfAJob) return;
  const auto losses = labelsOf(target.losses);
  const auto iterations = labelsOf(target.iterations);
  const auto initials = labelsOf(target.initials);
  std::vector<SeriesPair> rivals;  // pairs that have the newest sample
  Time newest{};
  for (const SeriesPair& pair : pairsOf(losses, iterations)) {
    const Series& loss = *target.losses[pair.loss];
    const Series& counts = *target.iterations[pair.iterations];
    auto samples = join(loss.points, counts.points);
    if (samples.empty()) continue;
    const Time last = samples.back().time;
    if (last > newest) rivals.clear();
    newest = std::max(newest, last);
    if (last == newest) rivals.push_back(pair);
    if (const auto initial = nearestTo(loss.labels, initials)) {
      const Loss value(target.initials[initial->index]->points.back().value);
      for (auto& sample : samples) sample.initial = value;
    }
    if (origin == Origin::History)
      samples.erase(std::unique(samples.begin(), samples.end(), repeats), samples.end());
    append(target.owner->streams[{textOf({{"", key.instance}, {"", key.pod}, {"", key.job}}),
                                  pair.differences, loss.labels.size(), textOf(loss.labels),
                                  counts.labels.size(), textOf(counts.labels)}],
           std::move(samples));
  }
  // Several pods may have samples at one time: at each step of a history, and where nothing tells targets
  // apart.
  const bool isOneScrape = origin == Origin::Raw && !(key.instance.empty() && key.pod.empty());
  const LossRequest& request = *target.owner->request;
  if (auto notice = noticeOf({request.metric, request.iterationMetric}, losses, iterations, rivals);
      isOneScrape && notice)
    target.owner->notice = std::move(notice);
}

JobLoss SeriesMatching::lossOf(const LossRequest& job) const {
  const auto found = found_.find(job.job);
  if (found == found_.end()) return {{}, "it was not asked for"};
  std::vector<const std::vector<LossSample>*> streams;
  for (const auto& [labels, stream] : found->second.streams) streams.push_back(&stream);
  if (streams.empty()) return {{}, problemOf(found->second)};
  JobLoss loss{succession(std::move(streams))};
  std::erase_if(loss.samples, [&](const LossSample& sample) { return sample.time < job.since; });
  if (!loss.samples.empty()) loss.notice = found->second.notice;
  return loss;
}

std::size_t SeriesMatching::seriesOf(const JobKey& job) const {
  const auto found = found_.find(job);
  return found == found_.end() ? 0 : found->second.series;
}

std::string SeriesMatching::problemOf(const Found& found) const {
  const LossRequest& job = *found.request;
  const std::string whose =
      " with " + labels_.ns + "=\"" + job.job.ns + "\" and " + labels_.job + "=\"" + job.job.name + "\"";
  if (found.loss && found.iterations) {
    return "Prometheus has " + job.metric + " and " + job.iterationMetric + whose +
           ", but never from one scrape of one target";
  }
  if (found.loss) return "Prometheus has " + job.metric + whose + ", but no " + job.iterationMetric;
  if (found.iterations) return "Prometheus has " + job.iterationMetric + whose + ", but no " + job.metric;
  if (found.foreign) {
    return "Prometheus has series" + whose + " of an earlier job of that name only (" + labels_.uid +
           " is not " + job.uid + ")";
  }
  return "Prometheus has no series " + job.metric + whose;
}

}  // namespace slaq::prom
