#include "prometheus/series_choice.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/result.h"
#include "base/units.h"

namespace slaq::prom {

namespace {

using Candidates = std::span<const Labels* const>;

// A sentence names at most this number of a label's values.
constexpr std::size_t kMostValues = 3;

std::size_t differencesOf(const Labels& a, const Labels& b) {
  std::size_t differences = 0;
  auto left = a.begin();
  auto right = b.begin();
  while (left != a.end() && right != b.end()) {
    if (*left != *right) ++differences;
    const int order = left->first.compare(right->first);
    if (order <= 0) ++left;
    if (order >= 0) ++right;
  }
  return differences + static_cast<std::size_t>((a.end() - left) + (b.end() - right));
}

std::string inQuotes(std::string_view value) { return "\"" + printable(value) + "\""; }

std::string listOf(const std::set<std::string_view>& values) {
  std::string list;
  std::size_t named = 0;
  for (const auto value : values) {
    if (named == kMostValues) return list + " and " + std::to_string(values.size() - named) + " others";
    if (named > 0) list += named + 1 == values.size() ? " and " : ", ";
    list += inQuotes(value);
    ++named;
  }
  return list;
}

struct Candidate {
  const Labels& labels;
  std::size_t index;
};

// Labels that all series have, such as those of the target, make no difference to this order. Series with the
// same labels keep their order.
bool isBefore(const Candidate& a, const Candidate& b) {
  if (a.labels.size() != b.labels.size()) return a.labels.size() < b.labels.size();
  if (a.labels != b.labels) return a.labels < b.labels;
  return a.index < b.index;
}

std::string_view valueOf(const Labels& labels, std::string_view name) {
  const auto found = std::ranges::find(labels, name, &Label::first);
  return found == labels.end() ? std::string_view() : found->second;
}

// The labels in which these series differ, each with its values. Prometheus treats an empty label as absent.
std::map<std::string_view, std::set<std::string_view>> distinctionsOf(Candidates series) {
  std::map<std::string_view, std::set<std::string_view>> values;
  for (const Labels* each : series) {
    for (const auto& [name, value] : *each) values[name];
  }
  for (auto& [name, seen] : values) {
    for (const Labels* each : series) seen.insert(valueOf(*each, name));
  }
  std::erase_if(values, [](const auto& each) { return each.second.size() < 2; });
  return values;
}

// `series` are equally near; the first is read.
std::string sentenceOf(std::string_view metric, const char* field, Candidates series) {
  std::string apart;
  std::string read;
  for (const auto& [name, values] : distinctionsOf(series)) {
    apart += (apart.empty() ? "" : " and in ") + std::string(name) + " (" + listOf(values) + ")";
    read += (read.empty() ? "" : ",") + std::string(name) + "=" + inQuotes(valueOf(*series.front(), name));
  }
  const std::string many = std::to_string(series.size()) + " series of " + std::string(metric);
  if (apart.empty()) return "one scrape has " + many + " with the same labels, and the first is read";
  return "one scrape has " + many + ", which differ in " + apart + ", and {" + read +
         "} is read; export only one of them, or give each a name of its own and write one into spec.loss." +
         field;
}

}  // namespace

std::string tooManySeries(double series) {
  return "its pods export " + toDecimal(series, 12) + " series of its metrics, where a job may have " +
         std::to_string(kMostSeriesOfAJob) +
         "; export one series of each metric from each pod, without further labels";
}

std::optional<NearestLabels> nearestTo(const Labels& labels, Candidates candidates) {
  std::optional<NearestLabels> nearest;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const std::size_t differences = differencesOf(labels, *candidates[i]);
    const bool isNearer = !nearest || differences < nearest->differences ||
                          (differences == nearest->differences &&
                           isBefore({*candidates[i], i}, {*candidates[nearest->index], nearest->index}));
    if (isNearer) nearest = {i, differences};
  }
  return nearest;
}

std::vector<SeriesPair> pairsOf(Candidates losses, Candidates iterations) {
  std::vector<SeriesPair> pairs;
  for (std::size_t i = 0; i < losses.size(); ++i) {
    if (const auto nearest = nearestTo(*losses[i], iterations))
      pairs.push_back({i, nearest->index, nearest->differences});
  }
  for (std::size_t i = 0; i < iterations.size(); ++i) {
    if (const auto nearest = nearestTo(*iterations[i], losses))
      pairs.push_back({nearest->index, i, nearest->differences});
  }
  std::ranges::sort(pairs, [&](const SeriesPair& a, const SeriesPair& b) {
    if (a.differences != b.differences) return a.differences < b.differences;
    if (a.loss != b.loss) return isBefore({*losses[a.loss], a.loss}, {*losses[b.loss], b.loss});
    return isBefore({*iterations[a.iterations], a.iterations}, {*iterations[b.iterations], b.iterations});
  });
  const auto repeated = std::ranges::unique(pairs);
  pairs.erase(repeated.begin(), repeated.end());
  return pairs;
}

std::optional<std::string> noticeOf(const MetricNames& metrics, Candidates losses, Candidates iterations,
                                    std::span<const SeriesPair> pairs) {
  std::vector<const Labels*> ofLoss;
  std::vector<const Labels*> ofIterations;
  const auto note = [](std::vector<const Labels*>& rivals, const Labels* series) {
    if (std::ranges::find(rivals, series) == rivals.end()) rivals.push_back(series);
  };
  for (const auto& each : pairs) {
    if (each.differences != pairs.front().differences) break;
    note(ofLoss, losses[each.loss]);
    note(ofIterations, iterations[each.iterations]);
  }
  if (ofLoss.size() > 1) return sentenceOf(metrics.loss, "metric", ofLoss);
  if (ofIterations.size() > 1) return sentenceOf(metrics.iterations, "iterationMetric", ofIterations);
  return std::nullopt;
}

}  // namespace slaq::prom
