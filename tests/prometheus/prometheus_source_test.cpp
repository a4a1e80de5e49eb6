#include "prometheus/prometheus_source.h"

#include <gmock/gmock.h>

#include <set>
#include <tuple>

#include "prometheus/answers.h"
#include "prometheus/recording_client.h"
#include "support/scripted_server.h"

namespace slaq::prom {
namespace {

using test::answerOf;
using test::kNow;
using test::RecordingClient;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

bool isCount(const http::HttpRequest& request) { return request.body.starts_with("query=count"); }
bool isHistory(const http::HttpRequest& request) {
  return request.path.ends_with("/query_range") && !isCount(request);
}

LossRequest job(const std::string& name, Seconds age) {
  return {{"ns", name}, "uid-" + name, kDefaultLossMetric, kDefaultIterationMetric, kNow - age, std::nullopt};
}

std::string samplesOf(const std::vector<std::string>& jobs, double time, const std::string& value) {
  std::vector<test::WrittenSeries> all;
  for (const auto& name : jobs) {
    const std::vector<std::pair<std::string, std::string>> labels = {{"namespace", "ns"},
                                                                     {"slaq_io_job", name}};
    all.push_back({kDefaultLossMetric, labels, {{time, value}}});
    all.push_back({kDefaultIterationMetric, labels, {{time, "7"}}});
  }
  return answerOf(all);
}

// The number of jobs of manyJobs() that a query names.
int jobsIn(const http::HttpRequest& request) {
  int jobs = 0;
  for (auto at = request.body.find("job-"); at != std::string::npos; at = request.body.find("job-", at + 1))
    ++jobs;
  return jobs;
}

std::vector<LossRequest> manyJobs(int count, Seconds age) {
  std::vector<LossRequest> jobs;
  for (int i = 0; i < count; ++i) jobs.push_back(job("job-" + std::to_string(i), age));
  return jobs;
}

PrometheusOptions scrapedEverySecond() {
  PrometheusOptions options;
  options.scrapeInterval = Seconds(1);
  return options;
}

// As with a Prometheus that is slow.
PrometheusOptions oneGroupInACall() {
  PrometheusOptions options = scrapedEverySecond();
  options.timeOfACall = Seconds(0);
  return options;
}

// Stands still, but for requests that take time.
class TestClock final : public Clock {
 public:
  Time now() const override { return kNow; }
  Seconds monotonic() const override { return monotonic_; }
  void pass(Seconds time) { monotonic_ += time; }

 private:
  Seconds monotonic_{0};
};

class PrometheusSourceTest : public ::testing::Test {
 protected:
  PrometheusSource source(PrometheusOptions options = {}) {
    return {std::move(options), clock_, std::make_unique<RecordingClient>(asked_, answer_)};
  }
  // The answer of a Prometheus that works on a request for longer than one may take.
  Result<http::HttpResponse> timeOut() {
    clock_.pass(Seconds(3));
    return failure(ErrorKind::Transient, "took too long");
  }
  // Requests for this job time out, and all others are answered as before.
  void letTimeOut(const std::string& name) {
    answer_ = [this, name, healthy = answer_](const http::HttpRequest& request) {
      return names(request, name) ? timeOut() : healthy(request);
    };
  }
  static bool names(const http::HttpRequest& request, const std::string& job) {
    return request.body.find(job) != std::string::npos;
  }
  static std::size_t waiting(const LossReport& report) {
    return static_cast<std::size_t>(
        std::ranges::count_if(report, [](const auto& each) { return each.second.waits; }));
  }
  std::size_t histories() const {
    return static_cast<std::size_t>(std::count_if(asked_.begin(), asked_.end(), isHistory));
  }

  TestClock clock_;
  std::vector<http::HttpRequest> asked_;
  RecordingClient::Answer answer_ = [](const http::HttpRequest& request) {
    if (isCount(request)) return http::HttpResponse{200, answerOf({}), {}};
    return http::HttpResponse{
        200,
        isHistory(request) ? samplesOf({"old"}, 500'000, "0.9") : samplesOf({"young", "old"}, 999'999, "0.5"),
        {}};
  };
};

TEST_F(PrometheusSourceTest, AsksOnceForAllYoungJobs) {
  PrometheusOptions options;
  options.pathPrefix = "/prometheus";
  options.headers = {{"X-Scope-OrgID", "team"}};
  auto prometheus = source(options);
  const auto report = prometheus.collect({job("young", Seconds(10)), job("silent", Seconds(15.5))}, kNow);
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_THAT(asked_, SizeIs(1));
  EXPECT_EQ(asked_[0].method, "POST");
  EXPECT_EQ(asked_[0].path, "/prometheus/api/v1/query");
  EXPECT_EQ(asked_[0].contentType, "application/x-www-form-urlencoded");
  EXPECT_EQ(asked_[0].headers.at("X-Scope-OrgID"), "team");
  EXPECT_THAT(asked_[0].body, HasSubstr("16500ms")) << "back to the oldest since, and a little more";
  EXPECT_THAT(report->at({"ns", "young"}).samples, SizeIs(1));
  EXPECT_THAT(report->at({"ns", "silent"}).samples, IsEmpty());
  EXPECT_TRUE(report->at({"ns", "silent"}).problem);
}

// Else one suspended job makes everybody's answer as long as the window.
TEST_F(PrometheusSourceTest, AsksApartForJobsThatWereSilentForLong) {
  auto prometheus = source(scrapedEverySecond());
  const auto report = prometheus.collect({job("young", Seconds(2)), job("silent", Seconds(50))}, kNow);
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_THAT(asked_, SizeIs(2));
  EXPECT_THAT(asked_[0].body, HasSubstr("3000ms"));
  EXPECT_THAT(asked_[1].body, HasSubstr("51000ms"));
  EXPECT_THAT(asked_[1].body, HasSubstr("slaq_io_job%3D%7E%22silent%22"));
  EXPECT_THAT(report->at({"ns", "young"}).samples, SizeIs(1));
}

// It stands still, and would be a third of everybody's answer.
TEST_F(PrometheusSourceTest, AsksForTheInitialLossOnlyOfJobsThatHaveShownNone) {
  auto prometheus = source();
  LossRequest fresh = job("old", Seconds(5));
  fresh.wantsInitial = true;
  ASSERT_TRUE(prometheus.collect({job("young", Seconds(5)), fresh}, kNow));
  ASSERT_THAT(asked_, SizeIs(2));
  EXPECT_THAT(asked_[0].body, HasSubstr(kInitialLossMetric));
  EXPECT_THAT(asked_[0].body, HasSubstr("slaq_io_job%3D%7E%22old%22"));
  EXPECT_THAT(asked_[1].body, Not(HasSubstr(kInitialLossMetric)));
}

TEST_F(PrometheusSourceTest, WhatFailsForSilentJobsHarmsNoOthers) {
  letTimeOut("silent");
  auto prometheus = source(scrapedEverySecond());
  const auto report = prometheus.collect({job("young", Seconds(2)), job("silent", Seconds(50))}, kNow);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_THAT(report->at({"ns", "young"}).samples, SizeIs(1));
  EXPECT_THAT(report->at({"ns", "silent"}).problem.value_or(""), HasSubstr("took too long"));
  EXPECT_TRUE(report->at({"ns", "silent"}).waits) << "nobody knows what it has done since";
}

// Decisions wait for it.
TEST_F(PrometheusSourceTest, AsksForFewOnceTheTimeIsUp) {
  const auto jobs = manyJobs(4000, Seconds(3600));
  auto prometheus = source(oneGroupInACall());
  for (const std::size_t asked : {2u, 4u}) {
    ASSERT_TRUE(prometheus.collect(jobs, kNow));
    ASSERT_THAT(asked_, SizeIs(asked)) << "one group for its samples, and for its history";
  }
  EXPECT_NE(asked_[0].body, asked_[2].body) << "the second call begins where the first one ended";
}

// Thousands of suspended jobs come before it at most once.
TEST_F(PrometheusSourceTest, ANewJobIsReadWithinARound) {
  auto jobs = manyJobs(4000, Seconds(3600));
  auto prometheus = source(oneGroupInACall());
  for (int call = 0; call < 25; ++call) ASSERT_TRUE(prometheus.collect(jobs, kNow));
  jobs.push_back(job("young", Seconds(2)));
  int calls = 0;
  for (bool waits = true; waits && calls < 100; ++calls)
    waits = prometheus.collect(jobs, kNow)->at({"ns", "young"}).waits;
  EXPECT_LE(calls, 21);
}

// A user who creates a job in each epoch holds up no other job.
TEST_F(PrometheusSourceTest, NewJobsDoNotComeBeforeOthersAgainAndAgain) {
  auto jobs = manyJobs(1000, Seconds(3600));
  auto prometheus = source(oneGroupInACall());
  std::set<JobKey> read;
  for (int call = 0; call < 20; ++call) {
    jobs.push_back(job("new-" + std::to_string(call), Seconds(2)));
    const auto report = prometheus.collect(jobs, kNow);
    ASSERT_TRUE(report);
    for (const auto& [key, loss] : *report) {
      if (!loss.waits && key.name.starts_with("job-")) read.insert(key);
    }
  }
  EXPECT_THAT(read, SizeIs(1000));
}

TEST_F(PrometheusSourceTest, AGroupThatIsNeverAnsweredHoldsUpNobody) {
  letTimeOut("young");
  auto prometheus = source(scrapedEverySecond());
  const std::vector<LossRequest> jobs = {job("young", Seconds(2)), job("old", Seconds(50))};
  for (int call = 0; call < 5; ++call) {
    asked_.clear();
    const auto report = prometheus.collect(jobs, kNow + Seconds(3 * call));
    ASSERT_TRUE(report);
    EXPECT_FALSE(report->at({"ns", "old"}).waits);
    EXPECT_EQ(names(asked_[0], "young"), call == 0) << "it comes last from then on";
  }
}

// Also while others take all the time of a call.
TEST_F(PrometheusSourceTest, AGroupThatFailedIsTriedAgain) {
  bool fails = true;
  const auto healthy = answer_;
  answer_ = [&](const http::HttpRequest& request) -> Result<http::HttpResponse> {
    if (fails && names(request, "young")) return timeOut();
    return healthy(request);
  };
  auto jobs = manyJobs(2000, Seconds(50));
  jobs.push_back(job("young", Seconds(2)));
  auto prometheus = source(oneGroupInACall());
  ASSERT_TRUE(prometheus.collect(jobs, kNow));
  fails = false;
  EXPECT_THAT(prometheus.collect(jobs, kNow)->at({"ns", "young"}).samples, SizeIs(1));
}

// It is tried for a tenth of the time.
TEST_F(PrometheusSourceTest, AGroupThatIsNeverAnsweredTakesLittleTime) {
  letTimeOut("young");
  auto prometheus = source(scrapedEverySecond());
  const std::vector<LossRequest> jobs = {job("young", Seconds(2)), job("old", Seconds(50))};
  for (int call = 0; call < 100; ++call) {
    ASSERT_TRUE(prometheus.collect(jobs, kNow + Seconds(3 * call)));
    clock_.pass(Seconds(3));
  }
  EXPECT_LE(std::ranges::count_if(asked_, [](const auto& each) { return names(each, "young"); }), 20);
}

// The first refusals take longer than a call may.
TEST_F(PrometheusSourceTest, ASlowRefusalOfOneGroupHoldsUpNoOther) {
  const auto healthy = answer_;
  answer_ = [&](const http::HttpRequest& request) -> Result<http::HttpResponse> {
    if (request.body.find("job-7") == std::string::npos || isCount(request)) return healthy(request);
    clock_.pass(Seconds(3));
    return http::HttpResponse{422, "", {}};
  };
  auto jobs = manyJobs(50, Seconds(2));
  jobs.push_back(job("old", Seconds(50)));
  auto prometheus = source(scrapedEverySecond());
  for (int call = 0; call < 3; ++call) {
    const auto report = prometheus.collect(jobs, kNow + Seconds(3 * call));
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->at({"ns", "old"}).samples.size(), call == 0 ? 0u : 1u);
  }
}

// A user who creates the same job again and again does not come first.
TEST_F(PrometheusSourceTest, AJobThatIsCreatedAgainKeepsItsPlace) {
  letTimeOut("young");
  std::vector<LossRequest> jobs = {job("young", Seconds(2)), job("old", Seconds(50))};
  auto prometheus = source(scrapedEverySecond());
  ASSERT_TRUE(prometheus.collect(jobs, kNow));
  jobs[0].uid = "another";
  asked_.clear();
  ASSERT_TRUE(prometheus.collect(jobs, kNow));
  EXPECT_FALSE(names(asked_[0], "young"));
}

TEST_F(PrometheusSourceTest, ReadsTheHistoryOfAnotherMetric) {
  auto prometheus = source();
  LossRequest old = job("old", Seconds(600'000));
  ASSERT_TRUE(prometheus.collect({old}, kNow));
  old.metric = "the_right_one";
  ASSERT_TRUE(prometheus.collect({old}, kNow));
  EXPECT_EQ(histories(), 2u);
}

// A group of samples may have histories of many ages.
TEST_F(PrometheusSourceTest, ReadsOneHistoryInACallWherePrometheusIsSlow) {
  std::vector<LossRequest> jobs;
  for (const double age : {100.0, 1000.0, 10'000.0, 100'000.0}) jobs.push_back(job("old", Seconds(age)));
  for (std::size_t i = 0; i < jobs.size(); ++i) jobs[i].job.name = "old-" + std::to_string(i);
  auto prometheus = source(oneGroupInACall());
  for (std::size_t call = 1; call <= jobs.size(); ++call) {
    asked_.clear();
    const auto report = prometheus.collect(jobs, kNow);
    ASSERT_TRUE(report);
    EXPECT_THAT(asked_, SizeIs(2));
    EXPECT_EQ(waiting(*report), jobs.size() - call);
  }
}

// Prometheus, or a proxy before it, is overloaded.
TEST_F(PrometheusSourceTest, ACallEndsAfterTwoFailuresInARow) {
  const auto healthy = answer_;
  answer_ = [&](const http::HttpRequest& request) -> Result<http::HttpResponse> {
    if (asked_.size() == 1) return healthy(request);
    return http::HttpResponse{503, "", {}};
  };
  auto prometheus = source(scrapedEverySecond());
  ASSERT_TRUE(prometheus.collect(manyJobs(2000, Seconds(2)), kNow));
  EXPECT_THAT(asked_, SizeIs(3));
}

TEST_F(PrometheusSourceTest, ASlowRefusalOfAllIsAnError) {
  answer_ = [this](const http::HttpRequest&) {
    clock_.pass(Seconds(3));
    return http::HttpResponse{422, "", {}};
  };
  auto prometheus = source(scrapedEverySecond());
  EXPECT_FALSE(prometheus.collect(manyJobs(200, Seconds(2)), kNow));
  EXPECT_THAT(asked_, SizeIs(2));
}

// The job "ns/huge" has a million series, so that what reads them fails.
class PrometheusSourceWithAHugeJob : public PrometheusSourceTest {
 protected:
  PrometheusSourceWithAHugeJob() {
    answer_ = [this](const http::HttpRequest& request) -> Result<http::HttpResponse> {
      if (isCount(request)) return http::HttpResponse{200, series > 3000 ? count() : answerOf({}), {}};
      const bool isRead = request.body.find("huge") != std::string::npos &&
                          request.body.find("namespace%3D%7E%22other%22") == std::string::npos;
      if (isRead && series > 3000)
        return http::HttpResponse{
            422, R"({"status":"error","errorType":"execution","error":"too many"})", {}};
      return http::HttpResponse{200, samplesOf({"young", "huge"}, 999'999, "0.5"), {}};
    };
  }
  std::string count() const {
    return answerOf(
        {{"", {{"namespace", "ns"}, {"slaq_io_job", "huge"}}, {{1'000'000, std::to_string(series)}}}});
  }
  static LossRequest elsewhere() {
    LossRequest request = job("huge", Seconds(2));
    request.job.ns = "other";
    return request;
  }

  int series = 1'000'000;
  std::vector<LossRequest> jobs = {job("young", Seconds(2)), job("huge", Seconds(2)), elsewhere()};
};

TEST_F(PrometheusSourceWithAHugeJob, AJobWithTooManySeriesIsToldSoAndHarmsNoOther) {
  auto prometheus = source(scrapedEverySecond());
  const auto report = prometheus.collect(jobs, kNow);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_THAT(report->at({"ns", "young"}).samples, SizeIs(1));
  EXPECT_THAT(report->at({"ns", "huge"}).problem.value_or(""),
              HasSubstr("1000000 series of its metrics, where a job may have 3000"));
  EXPECT_THAT(report->at({"other", "huge"}).problem.value_or(""), HasSubstr("has no series"));
}

TEST_F(PrometheusSourceWithAHugeJob, CountsItsSeriesOnlyOnceAMinute) {
  auto prometheus = source(scrapedEverySecond());
  for (int second = 0; second < 30; second += 3)
    ASSERT_TRUE(prometheus.collect(jobs, kNow + Seconds(second)));
  EXPECT_EQ(std::ranges::count_if(asked_, isCount), 1);
}

TEST_F(PrometheusSourceWithAHugeJob, IsReadAgainOnceItHasFewerSeries) {
  auto prometheus = source(scrapedEverySecond());
  ASSERT_TRUE(prometheus.collect(jobs, kNow));
  series = 3;
  ASSERT_TRUE(prometheus.collect(jobs, kNow + Seconds(61)));
  const auto report = prometheus.collect(jobs, kNow + Seconds(64));
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_THAT(report->at({"ns", "huge"}).samples, SizeIs(1));
}

TEST_F(PrometheusSourceWithAHugeJob, IsCountedAgainBeforeItIsRead) {
  auto prometheus = source(scrapedEverySecond());
  ASSERT_TRUE(prometheus.collect(jobs, kNow));
  asked_.clear();
  const auto report = prometheus.collect(jobs, kNow + Seconds(61));
  ASSERT_TRUE(report);
  EXPECT_THAT(report->at({"ns", "huge"}).problem.value_or(""), HasSubstr("1000000 series"));
  EXPECT_EQ(std::ranges::count_if(asked_, isCount), 1);
  EXPECT_TRUE(isCount(asked_.back())) << "after all others are read";
  EXPECT_THAT(asked_, SizeIs(3));
}

TEST_F(PrometheusSourceWithAHugeJob, AnotherJobOfItsNameIsRead) {
  auto prometheus = source(scrapedEverySecond());
  ASSERT_TRUE(prometheus.collect(jobs, kNow));
  jobs[1].uid = "another";
  series = 3;
  EXPECT_THAT(prometheus.collect(jobs, kNow + Seconds(3))->at({"ns", "huge"}).samples, SizeIs(1));
}

TEST_F(PrometheusSourceWithAHugeJob, IsToldSoWhereItIsTheOnlyJob) {
  auto prometheus = source(scrapedEverySecond());
  for (int call = 0; call < 3; ++call) {
    const auto report = prometheus.collect({job("huge", Seconds(2))}, kNow + Seconds(3 * call));
    ASSERT_TRUE(report);
    EXPECT_THAT(report->at({"ns", "huge"}).problem.value_or(""), HasSubstr("1000000 series"));
  }
}

TEST_F(PrometheusSourceWithAHugeJob, ThousandsOfOthersAreReadInTheSameCall) {
  jobs = manyJobs(2000, Seconds(3600));
  jobs.insert(jobs.begin() + 1234, job("huge", Seconds(3600)));
  auto prometheus = source(scrapedEverySecond());
  const auto report = prometheus.collect(jobs, kNow);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(waiting(*report), 0u);
  EXPECT_THAT(report->at({"ns", "huge"}).problem.value_or(""), HasSubstr("1000000 series"));
  EXPECT_THAT(asked_, SizeIs(24)) << "11 groups, their histories, its group once more, and a count";
}

// All that have its name are selected by a query for its namespace and theirs.
TEST_F(PrometheusSourceWithAHugeJob, OthersOfItsNameAreAskedForAlone) {
  auto prometheus = source(scrapedEverySecond());
  ASSERT_TRUE(prometheus.collect(jobs, kNow));
  for (int call = 1; call < 200; ++call) {
    asked_.clear();
    ASSERT_TRUE(prometheus.collect(jobs, kNow + Seconds(3 * call)));
    EXPECT_THAT(asked_, SizeIs(::testing::Le(3u))) << "two jobs, and once a minute a count";
  }
}

// Another job may time out at the end of each call.
TEST_F(PrometheusSourceWithAHugeJob, IsCountedAgainHoweverLateItIs) {
  auto prometheus = source(oneGroupInACall());
  for (int call = 0; call < 3; ++call) std::ignore = prometheus.collect(jobs, kNow);
  asked_.clear();
  ASSERT_TRUE(prometheus.collect(jobs, kNow + Seconds(61)));
  EXPECT_EQ(std::ranges::count_if(asked_, isCount), 1);
}

TEST_F(PrometheusSourceWithAHugeJob, IsFoundWhereItsAnswerNeverComes) {
  const auto healthy = answer_;
  answer_ = [&](const http::HttpRequest& request) -> Result<http::HttpResponse> {
    auto answer = healthy(request);
    return answer && answer->status == 422 ? timeOut() : answer;
  };
  jobs = manyJobs(1000, Seconds(2));
  jobs.insert(jobs.begin(), job("huge", Seconds(2)));
  auto prometheus = source(scrapedEverySecond());
  const std::vector<std::size_t> mostWaiting = {801, 199, 0};  // a group is read after the one that failed
  for (std::size_t call = 0; call < mostWaiting.size(); ++call) {
    const auto report = prometheus.collect(jobs, kNow + Seconds(3 * double(call)));
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_LE(waiting(*report), mostWaiting[call]);
    const std::string problem = report->at({"ns", "huge"}).problem.value_or("");
    EXPECT_EQ(problem.find("1000000 series") != std::string::npos, call > 0);
  }
}

TEST_F(PrometheusSourceWithAHugeJob, WithoutOneAFailureIsWhatItWas) {
  answer_ = [this](const http::HttpRequest& request) -> Result<http::HttpResponse> {
    if (isCount(request)) return http::HttpResponse{200, answerOf({}), {}};
    return timeOut();
  };
  auto prometheus = source(scrapedEverySecond());
  const auto report = prometheus.collect(jobs, kNow);
  ASSERT_FALSE(report);
  EXPECT_THAT(report.error().message, HasSubstr("took too long"));
}

// It is not read again, be its answer small enough.
TEST_F(PrometheusSourceWithAHugeJob, IsFoundInAnAnswerThatSucceeds) {
  std::vector<std::string> names{"young"};
  names.resize(1600, "huge");  // two series of each
  answer_ = [&](const http::HttpRequest& request) -> Result<http::HttpResponse> {
    return http::HttpResponse{200, isCount(request) ? count() : samplesOf(names, 999'999, "0.5"), {}};
  };
  auto prometheus = source(scrapedEverySecond());
  const auto report = prometheus.collect(jobs, kNow);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_THAT(report->at({"ns", "huge"}).problem.value_or(""), HasSubstr("1000000 series of its metrics"));
}

TEST_F(PrometheusSourceTest, CountsNoSeriesWhereNoJobHasMany) {
  auto prometheus = source(scrapedEverySecond());
  ASSERT_TRUE(prometheus.collect(manyJobs(4000, Seconds(2)), kNow));
  EXPECT_EQ(std::ranges::count_if(asked_, isCount), 0);
}

// A controller has the memory that its chart allows.
TEST_F(PrometheusSourceTest, BoundsWhatAnAnswerMayBe) {
  auto prometheus = source(scrapedEverySecond());
  ASSERT_TRUE(prometheus.collect(manyJobs(200, Seconds(2)), kNow));
  EXPECT_LT(asked_.at(0).maxBodyBytes.value_or(1u << 30), 50u << 20);
}

// After an outage there may be more samples than one answer can bring.
TEST_F(PrometheusSourceTest, AGroupWhoseAnswerIsTooLargeIsReadInParts) {
  const auto healthy = answer_;
  answer_ = [&](const http::HttpRequest& request) -> Result<http::HttpResponse> {
    if (jobsIn(request) > 60) return failure(ErrorKind::Malformed, "the answer is too long");
    return healthy(request);
  };
  auto prometheus = source(scrapedEverySecond());
  const auto report = prometheus.collect(manyJobs(200, Seconds(2)), kNow);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(waiting(*report), 0u);
  const auto asked = asked_.size();
  ASSERT_TRUE(prometheus.collect(manyJobs(200, Seconds(5)), kNow + Seconds(3)));
  EXPECT_LT(asked_.size() - asked, asked) << "what has failed is not tried in each call";
}

// Each request may take as long as its deadline, and decisions wait for it.
TEST_F(PrometheusSourceTest, IsDownIfTwoGroupsFail) {
  answer_ = [this](const http::HttpRequest&) { return timeOut(); };
  auto prometheus = source(scrapedEverySecond());
  for (int call = 1; call <= 5; ++call) {
    EXPECT_FALSE(prometheus.collect(manyJobs(2000, Seconds(3600)), kNow));
    EXPECT_THAT(asked_, SizeIs(2 * call));
  }
}

TEST_F(PrometheusSourceTest, ReadsAllAtOnceAfterALongOutage) {
  const auto healthy = answer_;
  answer_ = [this](const http::HttpRequest&) { return timeOut(); };
  const auto jobs = manyJobs(2000, Seconds(3600));
  auto prometheus = source(scrapedEverySecond());
  for (int call = 0; call < 200; ++call) EXPECT_FALSE(prometheus.collect(jobs, kNow + Seconds(6 * call)));
  answer_ = healthy;
  asked_.clear();
  const auto report = prometheus.collect(jobs, kNow + Seconds(1200));
  ASSERT_TRUE(report);
  EXPECT_EQ(waiting(*report), 0u);
}

TEST_F(PrometheusSourceTest, ReadsHistoryOnceAndRawSamplesFromThenOn) {
  auto prometheus = source();
  const auto first = prometheus.collect({job("young", Seconds(10)), job("old", Seconds(600'000))}, kNow);
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(histories(), 1u);
  EXPECT_THAT(first->at({"ns", "old"}).samples, SizeIs(2)) << "history, then raw";
  EXPECT_THAT(asked_[1].body, HasSubstr("75000ms")) << "raw samples go no further back than the window";

  // The job is asked for from long ago again, since it gave nothing new: its history is known all the same.
  const auto second = prometheus.collect({job("old", Seconds(600'000))}, kNow + Seconds(5));
  ASSERT_TRUE(second);
  EXPECT_EQ(histories(), 1u);
  EXPECT_THAT(second->at({"ns", "old"}).samples, SizeIs(1));
}

TEST_F(PrometheusSourceTest, ReadsHistoryAgainForAnotherJobOfTheNameAndAfterAGap) {
  auto prometheus = source();
  LossRequest old = job("old", Seconds(600'000));
  ASSERT_TRUE(prometheus.collect({old}, kNow));
  old.uid = "another";
  ASSERT_TRUE(prometheus.collect({old}, kNow));
  EXPECT_EQ(histories(), 2u);
  ASSERT_TRUE(prometheus.collect({old}, kNow + Seconds(300)));
  EXPECT_EQ(histories(), 3u) << "nothing was read for 300 s";
}

TEST_F(PrometheusSourceTest, ReadsHistoryAgainForWhoeverForgotIt) {
  auto prometheus = source();
  ASSERT_TRUE(prometheus.collect({job("old", Seconds(600'000))}, kNow));
  ASSERT_TRUE(prometheus.collect({job("old", Seconds(10))}, kNow));
  EXPECT_EQ(histories(), 1u);
  for (int time = 0; time < 2; ++time)
    ASSERT_TRUE(prometheus.collect({job("old", Seconds(600'000))}, kNow + Seconds(3)));
  EXPECT_EQ(histories(), 2u);
}

TEST_F(PrometheusSourceTest, AJobWhoseHistoryFailsIsTriedAgain) {
  bool broken = true;
  auto whole = answer_;
  answer_ = [&](const http::HttpRequest& request) -> Result<http::HttpResponse> {
    if (broken && isHistory(request)) return failure(ErrorKind::Transient, "too slow");
    return whole(request);
  };
  auto prometheus = source();
  const std::vector<LossRequest> jobs = {job("young", Seconds(10)), job("old", Seconds(600'000))};
  const auto first = prometheus.collect(jobs, kNow);
  ASSERT_TRUE(first);
  EXPECT_THAT(first->at({"ns", "young"}).samples, SizeIs(1)) << "one job never spoils an epoch";
  EXPECT_THAT(first->at({"ns", "old"}).samples, IsEmpty()) << "or its since would pass over the history";
  EXPECT_THAT(*first->at({"ns", "old"}).problem, HasSubstr("too slow"));
  EXPECT_TRUE(first->at({"ns", "old"}).waits) << "or it would be resized without its history";
  broken = false;
  EXPECT_THAT(prometheus.collect(jobs, kNow)->at({"ns", "old"}).samples, SizeIs(2));
}

TEST_F(PrometheusSourceTest, SpreadsTheHistoriesOfManyJobsOverCallsWherePrometheusIsSlow) {
  const auto jobs = manyJobs(1000, Seconds(3600));
  auto prometheus = source(oneGroupInACall());
  for (const std::size_t read : {1u, 2u, 3u, 4u, 5u, 5u}) {
    const auto report = prometheus.collect(jobs, kNow);
    ASSERT_TRUE(report);
    EXPECT_EQ(report->size(), jobs.size());
    EXPECT_EQ(waiting(*report), 800u);
    EXPECT_EQ(histories(), read);
  }
}

TEST_F(PrometheusSourceTest, ReadsTheHistoryOfJobsThatStaySilentOnce) {
  auto jobs = manyJobs(4000, Seconds(3600));
  auto prometheus = source(scrapedEverySecond());
  for (int epoch = 0; epoch < 15; ++epoch) ASSERT_TRUE(prometheus.collect(jobs, kNow + Seconds(3 * epoch)));
  EXPECT_EQ(histories(), 20u);
}

// Such as one whose jobs have so many series that its answer is too large.
TEST_F(PrometheusSourceTest, IsNotDownBecauseTheFirstPartFails) {
  const auto jobs = manyJobs(2000, Seconds(3600));
  const auto healthy = answer_;
  answer_ = [&](const http::HttpRequest& request) -> Result<http::HttpResponse> {
    if (asked_.size() == 1) return failure(ErrorKind::Transient, "took too long");
    return healthy(request);
  };
  auto prometheus = source(scrapedEverySecond());
  const auto report = prometheus.collect(jobs, kNow);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_THAT(report->at(jobs.front().job).problem.value_or(""), HasSubstr("took too long"));
}

TEST_F(PrometheusSourceTest, AnErrorMeansThatNothingCouldBeRead) {
  answer_ = [](const http::HttpRequest&) { return http::HttpResponse{403, "", {}}; };
  auto prometheus = source();
  const auto report = prometheus.collect({job("young", Seconds(10))}, kNow);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().kind, ErrorKind::Forbidden);
}

TEST_F(PrometheusSourceTest, AMetricThatIsNoNameIsThatJobsProblem) {
  LossRequest odd = job("odd", Seconds(10));
  odd.metric = "up\"} or x";
  auto prometheus = source();
  const auto report = prometheus.collect({odd, job("young", Seconds(10))}, kNow);
  ASSERT_TRUE(report);
  EXPECT_THAT(*report->at({"ns", "odd"}).problem, HasSubstr("not a metric name"));
  EXPECT_THAT(report->at({"ns", "young"}).samples, SizeIs(1));
  EXPECT_THAT(prometheus.collect({}, kNow)->size(), 0u);
}

TEST(PrometheusSource, SpeaksToAServer) {
  test::ReceivedRequest seen;
  test::ScriptedServer server(
      test::answering([&](const test::ReceivedRequest& request, test::Connection& connection) {
        seen = request;
        connection.reply(200, samplesOf({"young"}, 999'999, "0.25"));
      }));
  PrometheusOptions options;
  options.endpoint.url = server.url();
  options.endpoint.bearerToken = [] { return "secret"; };
  const SystemClock clock;
  PrometheusSource prometheus(options, clock);
  const auto report = prometheus.collect({job("young", Seconds(10))}, kNow);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_THAT(report->at({"ns", "young"}).samples,
              ElementsAre(LossSample{Time(Seconds(999'999)), Iterations(7), Loss(0.25)}));
  EXPECT_EQ(seen.headers["authorization"], "Bearer secret");
  EXPECT_EQ(seen.headers["content-type"], "application/x-www-form-urlencoded");
}

}  // namespace
}  // namespace slaq::prom
