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

std::string jobsOf(const Requests& jobs, const SeriesLabels& labels) {
  std::set<std::string> namespaces;
  std::set<std::string> names;
  for (const auto* job : jobs) {
    namespaces.insert(quoted(job->job.ns));
    names.insert(quoted(job->job.name));
  }
  return isOneOf(labels.ns, namespaces) + "," + isOneOf(labels.job, names);
}

std::string notIn(const std::set<std::string>& namespaces, const SeriesLabels& labels) {
  std::set<std::string> safe;
  for (const auto& each : namespaces) safe.insert(quoted(each));
  return safe.empty() ? "" : "," + labels.ns + "!~\"" + joined({safe.begin(), safe.end()}) + "\"";
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

Query historyQuery(const Requests& jobs, const SeriesLabels& labels, Time end) {
  const Time start = end - oldestAge(jobs, end);
  return rangeQuery("{" + metricsOf(jobs) + "," + jobsOf(jobs, labels) + "}",
                    {start, end, stepFor(start, end, kLeastStep)});
}

Query rawQueryWith(const std::string& matchers, const RawRange& range) {
  const auto milliseconds = static_cast<long long>(std::ceil(range.reach.count() * 1000));
  const std::string selector = "{" + matchers + "}[" + std::to_string(milliseconds) + "ms]";
  return {"/api/v1/query", "query=" + encoded(selector) + "&time=" + number(range.now)};
}

// Jobs whose ages lie within a factor of four share a query: the youngest still gets a quarter of the points.
int ageGroup(Seconds age) { return static_cast<int>(std::floor(std::log2(std::max(age.count(), 1.0)) / 2)); }

}  // namespace

std::vector<Requests> groupsOf(const Requests& jobs) {
  std::vector<Requests> groups;
  for (std::size_t first = 0; first < jobs.size(); first += kJobsOfOneQuery) {
    const std::size_t last = std::min(first + kJobsOfOneQuery, jobs.size());
    groups.emplace_back(jobs.begin() + static_cast<std::ptrdiff_t>(first),
                        jobs.begin() + static_cast<std::ptrdiff_t>(last));
  }
  return groups;
}

Query rawQuery(const Requests& jobs, const SeriesLabels& labels, const RawRange& range) {
  return rawQueryWith(metricsOf(jobs) + "," + labels.job + "!=\"\"" + notIn(range.without, labels), range);
}

Query rawQueryOf(const Requests& jobs, const SeriesLabels& labels, const RawRange& range) {
  return rawQueryWith(metricsOf(jobs) + "," + jobsOf(jobs, labels), range);
}

Query rawQueryOfMetric(std::string_view metric, const std::map<std::string, std::set<std::string>>& labels,
                       const RawRange& range) {
  std::string all = "__name__=\"" + std::string(metric) + "\"";
  for (const auto& [label, values] : labels) all += "," + isOneOf(label, values);
  return rawQueryWith(all, range);
}

Query seriesCountQuery(const Requests& jobs, const SeriesLabels& labels, std::size_t most, Time now) {
  const std::string counts = "count by (" + labels.ns + "," + labels.job + ") ({" + metricsOf(jobs) + "," +
                             labels.job + "!=\"\"}) > " + std::to_string(most);
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

std::vector<GroupQuery> historyQueries(const Requests& jobs, const SeriesLabels& labels, Time end) {
  std::map<int, Requests> groups;
  for (const auto* job : jobs) groups[ageGroup(end - job->since)].push_back(job);
  std::vector<GroupQuery> queries;
  for (const auto& [age, members] : groups) {
    for (auto& part : groupsOf(members)) {
      Query query = historyQuery(part, labels, end);
      queries.push_back({std::move(query), std::move(part)});
    }
  }
  return queries;
}

}  // namespace slaq::prom
