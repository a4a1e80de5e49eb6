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
            "training_loss\",namespace=~\"ns\",slaq_io_job=~\"a|b|c\"}"
            "[12500ms]&time=1700000000.250");
}

TEST(SeriesCountQuery, NamesOnlyThoseWithTooMany) {
  const std::vector<LossRequest> jobs = {jobSince("a", 0)};
  const Query query = seriesCountQuery(pointers(jobs), {}, 3000, Time(Seconds(7)));
  EXPECT_THAT(decoded(query.form), HasSubstr("query=count by (namespace,slaq_io_job) ({__name__=~"));
  EXPECT_THAT(decoded(query.form), HasSubstr("slaq_io_job=~\"a\"}) > 3000&start=7.000&end=7.000"));
}

TEST(RawQuery, EncodesItsForm) {
  const std::vector<LossRequest> jobs = {jobSince("a", 0)};
  const Query query = rawQuery(pointers(jobs), {}, {Time(Seconds(1)), Seconds(1)});
  for (const char unsafe : {'{', '"', '|', '+', ' ', '['})
    EXPECT_EQ(query.form.find(unsafe), std::string::npos);
}

TEST(HistoryQuery, GivesEachJobAtMost200Points) {
  for (const double age : {2.0, 60.0, 199.0, 200.0, 201.0, 3600.0, 86400.0 * 30}) {
    const std::vector<LossRequest> jobs = {jobSince("a", 1e9 - age)};
    const auto numbers = numbersOf(historyQuery(pointers(jobs), {}, Time(Seconds(1e9))));
    EXPECT_NEAR(numbers.at("end") - numbers.at("start"), age, 0.002) << age;
    EXPECT_GE(numbers.at("step"), 1) << age;
    EXPECT_LE(age / numbers.at("step") + 1, 200) << age;
    if (age > 400) {
      EXPECT_GE(age / numbers.at("step") + 1, 190) << age;
    }
  }
}

TEST(HistoryQuery, QuotesWhatAPatternWouldRead) {
  const std::vector<LossRequest> jobs = {jobSince("a.b\"} or x", 0)};
  EXPECT_THAT(decoded(historyQuery(pointers(jobs), {}, Time(Seconds(100))).form),
              HasSubstr(R"(slaq_io_job=~"a\\.b\\\"\\}\\ or\\ x")"));
}

}  // namespace
}  // namespace slaq::prom
