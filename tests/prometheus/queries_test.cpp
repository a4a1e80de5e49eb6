#include "prometheus/queries.h"

#include <gmock/gmock.h>

#include <map>

namespace slaq::prom {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

LossRequest jobSince(const std::string& name, double since, const std::string& metric = kDefaultLossMetric) {
  return {{"ns", name}, "uid-" + name, metric, kDefaultIterationMetric, Time(Seconds(since)), std::nullopt};
}

std::vector<const LossRequest*> pointers(const std::vector<LossRequest>& jobs) {
  std::vector<const LossRequest*> all;
  for (const auto& each : jobs) all.push_back(&each);
  return all;
}

std::string decoded(const std::string& form) {
  std::string text;
  for (std::size_t i = 0; i < form.size(); ++i) {
    if (form[i] != '%') {
      text += form[i];
      continue;
    }
    text += static_cast<char>(std::stoi(form.substr(i + 1, 2), nullptr, 16));
    i += 2;
  }
  return text;
}

std::map<std::string, double> numbersOf(const Query& query) {
  std::map<std::string, double> numbers;
  for (const std::string name : {"start", "end", "step"}) {
    const auto at = query.form.find("&" + name + "=");
    if (at != std::string::npos) numbers[name] = std::stod(query.form.substr(at + name.size() + 2));
  }
  return numbers;
}

TEST(RawQuery, AsksForAllMetricsOfAllJobsAtOnce) {
  std::vector<LossRequest> jobs = {jobSince("a", 0), jobSince("b", 0), jobSince("c", 0, "my_loss")};
  jobs[1].wantsInitial = true;
  const Query query = rawQuery(pointers(jobs), {}, {Time(Seconds(1700000000.25)), Seconds(12.5)});
  EXPECT_EQ(query.path, "/api/v1/query");
  EXPECT_EQ(decoded(query.form),
            "query={__name__=~\"my_loss|slaq_training_initial_loss|slaq_training_iterations_total|slaq_"
            "training_loss\",slaq_io_job!=\"\"}"
            "[12500ms]&time=1700000000.250");
}

TEST(RawQuery, LeavesNamespacesOut) {
  const std::vector<LossRequest> jobs = {jobSince("a", 0)};
  const Query query = rawQuery(pointers(jobs), {}, {Time(Seconds(1)), Seconds(1), {"team-b", "team-c"}});
  EXPECT_THAT(decoded(query.form), HasSubstr("slaq_io_job!=\"\",namespace!~\"team-b|team-c\"}"));
}

TEST(SeriesCountQuery, NamesOnlyThoseWithTooMany) {
  const std::vector<LossRequest> jobs = {jobSince("a", 0)};
  const Query query = seriesCountQuery(pointers(jobs), {}, 3000, Time(Seconds(7)));
  EXPECT_THAT(decoded(query.form), HasSubstr("query=count by (namespace,slaq_io_job) ({__name__=~"));
  EXPECT_THAT(decoded(query.form), HasSubstr("}) > 3000&start=7.000&end=7.000"));
}

TEST(RawQuery, EncodesItsForm) {
  const std::vector<LossRequest> jobs = {jobSince("a", 0)};
  const Query query = rawQuery(pointers(jobs), {}, {Time(Seconds(1)), Seconds(1)});
  for (const char unsafe : {'{', '"', '|', '+', ' ', '['})
    EXPECT_EQ(query.form.find(unsafe), std::string::npos);
}

TEST(HistoryQueries, GiveEachJobAtMost200Points) {
  for (const double age : {2.0, 60.0, 199.0, 200.0, 201.0, 3600.0, 86400.0 * 30}) {
    const std::vector<LossRequest> jobs = {jobSince("a", 1e9 - age)};
    const auto queries = historyQueries(pointers(jobs), {}, Time(Seconds(1e9)));
    ASSERT_EQ(queries.size(), 1u);
    const auto numbers = numbersOf(queries[0].query);
    EXPECT_NEAR(numbers.at("end") - numbers.at("start"), age, 0.002) << age;
    EXPECT_GE(numbers.at("step"), 1) << age;
    EXPECT_LE(age / numbers.at("step") + 1, 200) << age;
    if (age > 400) {
      EXPECT_GE(age / numbers.at("step") + 1, 190) << age;
    }
  }
}

TEST(HistoryQueries, PartJobsByAgeAndAskEachForItsOwn) {
  std::vector<LossRequest> jobs;
  for (int i = 0; i < 1000; ++i) jobs.push_back(jobSince("job-" + std::to_string(i), 1e9 - 60 - i * 100));
  const auto queries = historyQueries(pointers(jobs), {}, Time(Seconds(1e9)));
  EXPECT_LE(queries.size(), 20u) << "few requests for all jobs";
  std::map<std::string, int> asked;
  for (const auto& [query, members] : queries) {
    const double span = numbersOf(query).at("end") - numbersOf(query).at("start");
    for (const auto* member : members) {
      ++asked[member->job.name];
      EXPECT_THAT(decoded(query.form), HasSubstr(member->job.name));
      EXPECT_LE(span / (1e9 - member->since.time_since_epoch().count()), 4.001);
    }
  }
  EXPECT_EQ(asked.size(), jobs.size());
  for (const auto& [name, times] : asked) EXPECT_EQ(times, 1) << name;
}

TEST(HistoryQueries, QuoteWhatAPatternWouldRead) {
  const std::vector<LossRequest> jobs = {jobSince("a.b\"} or x", 0)};
  const auto queries = historyQueries(pointers(jobs), {}, Time(Seconds(100)));
  EXPECT_THAT(decoded(queries[0].query.form), HasSubstr(R"(slaq_io_job=~"a\\.b\\\"\\}\\ or\\ x")"));
}

}  // namespace
}  // namespace slaq::prom
