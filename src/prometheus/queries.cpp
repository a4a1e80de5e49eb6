#include "prometheus/queries.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>

namespace slaq::prom {

namespace {

constexpr int kHistoryPoints = 200;
constexpr Seconds kLeastStep{1};

std::string joined(const std::set<std::string_view>& words) {
  std::string all;
  for (const auto word : words) {
    if (!all.empty()) all += '|';
    all += word;
  }
  return all;
}

// Names of jobs are DNS labels, but the queries quote them all the same.
std::string quoted(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '_') safe += "\\\\";
    if (c == '"' || c == '\\') safe += '\\';
    safe += c;
  }
  return safe;
}

std::string metricsOf(const Requests& jobs) {
  std::set<std::string_view> names;
  for (const auto* job : jobs) {
    if (job->wantsInitial) names.insert(kInitialLossMetric);
    names.insert(job->metric);
    names.insert(job->iterationMetric);
  }
  return "__name__=~\"" + joined(names) + "\"";
}

// A matcher: the label has one of these values.
std::string isOneOf(const std::string& label, const std::set<std::string>& safe) {
  return label + "=~\"" + joined({safe.begin(), safe.end()}) + "\"";
}

// All series of the jobs' metrics.
std::string selectorOf(const Requests& jobs, const SeriesLabels& labels) {
  std::set<std::string> namespaces;
  std::set<std::string> names;
  for (const auto* job : jobs) {
    namespaces.insert(quoted(job->job.ns));
    names.insert(quoted(job->job.name));
  }
  return metricsOf(jobs) + "," + isOneOf(labels.ns, namespaces) + "," + isOneOf(labels.job, names);
}

std::string encoded(std::string_view text) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  std::string form;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || c == '-' || c == '_' || c == '.') {
      form += c;
    } else {
      form += {'%', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  return form;
}

std::string number(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%.3f", value);
  return text;
}

std::string number(Time time) { return number(time.time_since_epoch().count()); }

Seconds oldestAge(const Requests& jobs, Time end) {
  Seconds oldest{0};
  for (const auto* job : jobs) oldest = std::max(oldest, end - job->since);
  return oldest;
}

Query rawQueryWith(const std::string& matchers, const RawRange& range) {
  const auto milliseconds = static_cast<long long>(std::ceil(range.reach.count() * 1000));
  const std::string selector = "{" + matchers + "}[" + std::to_string(milliseconds) + "ms]";
  return {"/api/v1/query", "query=" + encoded(selector) + "&time=" + number(range.now)};
}

}  // namespace

std::vector<Requests> partsOf(const Requests& jobs, std::size_t most) {
  std::vector<Requests> parts;
  for (std::size_t first = 0; first < jobs.size(); first += most) {
    const std::size_t last = std::min(first + most, jobs.size());
    parts.emplace_back(jobs.begin() + static_cast<std::ptrdiff_t>(first),
                       jobs.begin() + static_cast<std::ptrdiff_t>(last));
  }
  return parts;
}

Query rawQuery(const Requests& jobs, const SeriesLabels& labels, const RawRange& range) {
  return rawQueryWith(selectorOf(jobs, labels), range);
}

Query rawQueryOfMetric(std::string_view metric, const std::map<std::string, std::set<std::string>>& labels,
                       const RawRange& range) {
  std::string all = "__name__=\"" + std::string(metric) + "\"";
  for (const auto& [label, values] : labels) all += "," + isOneOf(label, values);
  return rawQueryWith(all, range);
}

Query seriesCountQuery(const Requests& jobs, const SeriesLabels& labels, std::size_t most, Time now) {
  const std::string counts = "count by (" + labels.ns + "," + labels.job + ") ({" + selectorOf(jobs, labels) +
                             "}) > " + std::to_string(most);
  return rangeQuery(counts, {now, now, kLeastStep});
}

Seconds stepFor(Time start, Time end, Seconds least) {
  const Seconds step = std::max(least, (end - start) / (kHistoryPoints - 1));  // both ends are points
  return Seconds(std::ceil(step.count() * 1000) / 1000);
}

Query rangeQuery(std::string_view promql, const Steps& steps) {
  return {"/api/v1/query_range", "query=" + encoded(promql) + "&start=" + number(steps.start) +
                                     "&end=" + number(steps.end) + "&step=" + number(steps.step.count())};
}

Query historyQuery(const Requests& jobs, const SeriesLabels& labels, Time end) {
  const Time start = end - oldestAge(jobs, end);
  return rangeQuery("{" + selectorOf(jobs, labels) + "}", {start, end, stepFor(start, end, kLeastStep)});
}

}  // namespace slaq::prom
