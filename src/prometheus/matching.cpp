#include "prometheus/matching.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <unordered_map>

#include "prometheus/samples.h"

namespace slaq::prom {

namespace {

std::string keyOf(const Series& series) {
  std::string key;
  key.reserve(256);
  for (const auto& [name, value] : series.labels)
    key.append(name).append(1, '\0').append(value).append(1, '\0');
  return key;
}

// Two series of one target have equal labels, the label of its job included.
struct LabelsHash {
  std::size_t operator()(const Series* series) const {
    std::size_t hash = 0;
    for (const auto& [name, value] : series->labels) hash = hash * 31 + std::hash<std::string_view>()(value);
    return hash;
  }
};
struct LabelsEqual {
  bool operator()(const Series* a, const Series* b) const { return a->labels == b->labels; }
};

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

// One pod follows another. Where two overlap, the one that lived longer is believed: the other's last
// samples are still shown after its end.
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
  ++(found == found_.end() ? strangers_ : found->second.series);
  if (found == found_.end()) return nullptr;
  const auto uid = labelOf(series, labels_.uid);
  if (uid.empty() || uid == found->second.request->uid) return &found->second;
  found->second.foreign = true;
  return nullptr;
}

void SeriesMatching::add(const Matrix& matrix, Origin origin) {
  std::unordered_map<const Series*, Pair, LabelsHash, LabelsEqual> pairs;
  pairs.reserve(matrix.series.size());
  for (const Series& series : matrix.series) {
    Found* owner = ownerOf(series);
    if (owner == nullptr || series.points.empty()) continue;
    const bool isLoss = series.metric == owner->request->metric;
    const bool isIterations = series.metric == owner->request->iterationMetric;
    const bool isInitial = series.metric == kInitialLossMetric;
    if (!isLoss && !isIterations && !isInitial) continue;
    Pair& pair = pairs[&series];
    pair.owner = owner;
    if (isLoss) pair.loss = &series;
    if (isIterations) pair.iterations = &series;
    if (isInitial) pair.initial = Loss(series.points.back().value);
    owner->loss |= isLoss;
    owner->iterations |= isIterations;
  }
  for (const auto& [labels, pair] : pairs) {
    if (pair.loss == nullptr || pair.iterations == nullptr) continue;
    auto samples = join(pair.loss->points, pair.iterations->points);
    for (auto& sample : samples) sample.initial = pair.initial;
    if (origin == Origin::History)
      samples.erase(std::unique(samples.begin(), samples.end(), repeats), samples.end());
    if (!samples.empty()) append(pair.owner->streams[keyOf(*labels)], std::move(samples));
  }
}

JobLoss SeriesMatching::lossOf(const LossRequest& job) const {
  const auto found = found_.find(job.job);
  if (found == found_.end()) return {{}, "it was not asked for"};
  std::vector<const std::vector<LossSample>*> streams;
  for (const auto& [labels, stream] : found->second.streams) streams.push_back(&stream);
  if (streams.empty()) return {{}, problemOf(found->second)};
  JobLoss loss{succession(std::move(streams)), std::nullopt};
  std::erase_if(loss.samples, [&](const LossSample& sample) { return sample.time < job.since; });
  return loss;
}

bool SeriesMatching::hasMoreSeriesThan(std::size_t most) const {
  return strangers_ > most ||
         std::ranges::any_of(found_, [most](const auto& each) { return each.second.series > most; });
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
