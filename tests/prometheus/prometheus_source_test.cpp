#include "prometheus/prometheus_source.h"

#include <gmock/gmock.h>

#include <map>

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

bool isHistory(const http::HttpRequest& request) { return request.path.ends_with("/query_range"); }

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

class PrometheusSourceTest : public ::testing::Test {
 protected:
  PrometheusSource source(PrometheusOptions options = {}) {
    return PrometheusSource(std::move(options), std::make_unique<RecordingClient>(asked_, answer_));
  }
  std::size_t histories() const {
    return static_cast<std::size_t>(std::count_if(asked_.begin(), asked_.end(), isHistory));
  }

  std::vector<http::HttpRequest> asked_;
  RecordingClient::Answer answer_ = [](const http::HttpRequest& request) {
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
  const auto report = prometheus.collect({job("young", Seconds(10)), job("silent", Seconds(20))}, kNow);
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_THAT(asked_, SizeIs(1));
  EXPECT_EQ(asked_[0].method, "POST");
  EXPECT_EQ(asked_[0].path, "/prometheus/api/v1/query");
  EXPECT_EQ(asked_[0].contentType, "application/x-www-form-urlencoded");
  EXPECT_EQ(asked_[0].headers.at("X-Scope-OrgID"), "team");
  EXPECT_THAT(asked_[0].body, HasSubstr("21000ms")) << "back to the oldest since, and a little more";
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
  EXPECT_THAT(asked_[0].body, Not(HasSubstr(kInitialLossMetric)));
  EXPECT_THAT(asked_[1].body, HasSubstr(kInitialLossMetric));
  EXPECT_THAT(asked_[1].body, HasSubstr("slaq_io_job%3D%7E%22old%22"));
}

TEST_F(PrometheusSourceTest, WhatFailsForSilentJobsHarmsNoOthers) {
  const auto healthy = answer_;
  answer_ = [&](const http::HttpRequest& request) -> Result<http::HttpResponse> {
    if (request.body.find("silent") == std::string::npos) return healthy(request);
    return failure(ErrorKind::Transient, "took too long");
  };
  auto prometheus = source(scrapedEverySecond());
  const auto report = prometheus.collect({job("young", Seconds(2)), job("silent", Seconds(50))}, kNow);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_THAT(report->at({"ns", "young"}).samples, SizeIs(1));
  EXPECT_THAT(report->at({"ns", "silent"}).problem.value_or(""), HasSubstr("took too long"));
  EXPECT_TRUE(report->at({"ns", "silent"}).waits) << "nobody knows what it has done since";
}

// With scrapes a second apart, one that comes late makes nobody silent.
TEST_F(PrometheusSourceTest, AJobIsNotSilentBecauseOneScrapeIsLate) {
  auto prometheus = source(scrapedEverySecond());
  ASSERT_TRUE(
      prometheus.collect({job("young", Seconds(2)), job("old", Seconds(2.5) + kSampleOverlap)}, kNow));
  EXPECT_THAT(asked_, SizeIs(1));
}

// They have shown nothing yet, and thousands of suspended jobs must not hold them up.
TEST_F(PrometheusSourceTest, ReadsNewJobsInEachCallHoweverManyAreSilent) {
  auto jobs = manyJobs(4000, Seconds(3600));
  LossRequest fresh = job("young", Seconds(2));
  LossRequest started = job("started", Seconds(600));  // after it had waited for cores
  started.endpoint = "started-driver:9464";
  for (auto* each : {&fresh, &started}) {
    each->wantsInitial = true;
    jobs.push_back(*each);
  }
  jobs.push_back(job("other", Seconds(2)));
  auto prometheus = source(scrapedEverySecond());
  for (int epoch = 0; epoch < 4; ++epoch) {
    const auto report = prometheus.collect(jobs, kNow + Seconds(epoch));
    ASSERT_TRUE(report);
    EXPECT_FALSE(report->at({"ns", "young"}).waits) << epoch;
    EXPECT_FALSE(report->at({"ns", "started"}).waits) << epoch;
  }
}

// A Prometheus that is slow is not asked for sixteen groups in a row.
TEST_F(PrometheusSourceTest, AsksForFewOnceTheTimeIsUp) {
  const auto jobs = manyJobs(4000, Seconds(3600));
  PrometheusOptions options = scrapedEverySecond();
  options.deadline = Seconds(0);
  auto prometheus = source(options);
  for (const std::size_t asked : {2u, 4u}) {
    ASSERT_TRUE(prometheus.collect(jobs, kNow));
    ASSERT_THAT(asked_, SizeIs(asked)) << "one group for its samples, and for its history";
  }
  EXPECT_NE(asked_[0].body, asked_[2].body) << "the second call begins where the first one ended";
}

bool isCount(const http::HttpRequest& request) {
  return request.body.find("count%20by") != std::string::npos;
}

// A cluster in which the job "ns/crowd" has a million series, so that whatever reads them fails.
class PrometheusSourceWithACrowd : public PrometheusSourceTest {
 protected:
  PrometheusSourceWithACrowd() {
    options.scrapeInterval = Seconds(1);
    answer_ = [this](const http::HttpRequest& request) -> Result<http::HttpResponse> {
      if (isCount(request)) return http::HttpResponse{200, series > 3000 ? count() : answerOf({}), {}};
      const bool leavesItOut = request.body.find("namespace%21%7E%22ns%22") != std::string::npos;
      const bool isByName = request.body.find("slaq_io_job%3D%7E") != std::string::npos &&
                            request.body.find("crowd") == std::string::npos;
      if (series > 3000 && !leavesItOut && !isByName)
        return http::HttpResponse{
            422, R"({"status":"error","errorType":"execution","error":"too many"})", {}};
      return http::HttpResponse{200, samplesOf({"young", "crowd"}, 999'999, "0.5"), {}};
    };
  }
  std::string count() const {
    return answerOf(
        {{"", {{"namespace", "ns"}, {"slaq_io_job", "crowd"}}, {{1'000'000, std::to_string(series)}}}});
  }
  static LossRequest elsewhere() {
    LossRequest request = job("crowd", Seconds(2));
    request.job.ns = "other";
    return request;
  }

  PrometheusOptions options;
  int series = 1'000'000;
  std::vector<LossRequest> jobs = {job("young", Seconds(2)), job("crowd", Seconds(2)), elsewhere()};
};

TEST_F(PrometheusSourceWithACrowd, AJobWithTooManySeriesIsToldSoAndHarmsNoOther) {
  auto prometheus = source(options);
  const auto report = prometheus.collect(jobs, kNow);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_THAT(report->at({"ns", "young"}).samples, SizeIs(1));
  EXPECT_THAT(report->at({"ns", "crowd"}).problem.value_or(""),
              HasSubstr("1000000 series of its metrics, where a job may have 3000"));
  // A job of the same name in another namespace is read with all others.
  EXPECT_EQ(report->at({"other", "crowd"}).problem.value_or("").find("1000000"), std::string::npos);
}

TEST_F(PrometheusSourceWithACrowd, AsksWhoItIsOnlyOnceAMinute) {
  auto prometheus = source(options);
  for (int second = 0; second < 30; second += 3)
    ASSERT_TRUE(prometheus.collect(jobs, kNow + Seconds(second)));
  EXPECT_EQ(std::ranges::count_if(asked_, isCount), 1);
}

TEST_F(PrometheusSourceWithACrowd, ReadsTheJobAgainOnceItHasFewerSeries) {
  auto prometheus = source(options);
  ASSERT_TRUE(prometheus.collect(jobs, kNow));
  series = 3;
  const auto report = prometheus.collect(jobs, kNow + Seconds(61));
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_FALSE(report->at({"ns", "crowd"}).problem.value_or("").find("1000000") != std::string::npos);
}

// After a restart nothing is read together, so that others are answered before the crowd is found, and that
// is thrown away.
TEST_F(PrometheusSourceWithACrowd, TheHistoriesOfOthersAreReadAfterItWasFound) {
  jobs = {job("crowd", Seconds(3600))};
  for (const auto& each : manyJobs(2000, Seconds(3600))) jobs.push_back(each);
  for (std::size_t i = 1; i < jobs.size(); ++i) jobs[i].job.ns = "other";
  auto prometheus = source(options);
  for (int call = 0; call < 6; ++call) ASSERT_TRUE(prometheus.collect(jobs, kNow + Seconds(call)));
  const auto found = std::ranges::find_if(asked_, isCount);
  ASSERT_NE(found, asked_.end());
  const std::vector<http::HttpRequest> later(found + 1, asked_.end());
  EXPECT_EQ(std::ranges::count_if(later, isHistory), 20);
}

TEST_F(PrometheusSourceWithACrowd, WithoutOneAFailureIsWhatItWas) {
  answer_ = [](const http::HttpRequest& request) -> Result<http::HttpResponse> {
    if (isCount(request)) return http::HttpResponse{200, answerOf({}), {}};
    return failure(ErrorKind::Transient, "took too long");
  };
  auto prometheus = source(options);
  const auto report = prometheus.collect(jobs, kNow);
  ASSERT_FALSE(report);
  EXPECT_THAT(report.error().message, HasSubstr("took too long"));
}

// A crowd that is read once is not read again, be its answer small enough.
TEST_F(PrometheusSourceWithACrowd, IsFoundInAnAnswerThatSucceeds) {
  std::vector<std::string> names{"young"};
  names.resize(1600, "crowd");  // two series of each
  answer_ = [&](const http::HttpRequest& request) -> Result<http::HttpResponse> {
    return http::HttpResponse{200, isCount(request) ? count() : samplesOf(names, 999'999, "0.5"), {}};
  };
  auto prometheus = source(options);
  const auto report = prometheus.collect(jobs, kNow);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_THAT(report->at({"ns", "crowd"}).problem.value_or(""), HasSubstr("1000000 series of its metrics"));
}

TEST_F(PrometheusSourceTest, NobodyLooksForACrowdWhereNoAnswerIsLarge) {
  auto prometheus = source(scrapedEverySecond());
  ASSERT_TRUE(prometheus.collect(manyJobs(4000, Seconds(2)), kNow));
  EXPECT_EQ(std::ranges::count_if(asked_, isCount), 0);
}

// All jobs share an answer of 7.3 MB with 8,000 of them, and a controller the memory that its chart allows.
TEST_F(PrometheusSourceTest, BoundsWhatAnAnswerMayBe) {
  for (const auto& [count, most] : std::map<int, std::size_t>{{1, 20u << 20}, {8000, 50u << 20}}) {
    asked_.clear();
    auto prometheus = source(scrapedEverySecond());
    ASSERT_TRUE(prometheus.collect(manyJobs(count, Seconds(2)), kNow));
    EXPECT_LT(asked_.at(0).maxBodyBytes.value_or(1u << 30), most);
  }
}

// What came in a minute is too much for one answer, which would be asked for again and again.
class PrometheusSourceAfterAnOutage : public PrometheusSourceTest {
 protected:
  PrometheusSourceAfterAnOutage() {
    const auto healthy = answer_;
    answer_ = [this, healthy](const http::HttpRequest& request) -> Result<http::HttpResponse> {
      if (isShared(request) && isLarge) return failure(ErrorKind::Malformed, "the answer is too long");
      return healthy(request);
    };
  }
  static bool isShared(const http::HttpRequest& request) {
    return !isHistory(request) && request.body.find("slaq_io_job%21%3D%22%22") != std::string::npos;
  }
  std::size_t waiting(const LossReport& report) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(report, [](const auto& each) { return each.second.waits; }));
  }

  bool isLarge = true;
};

// One that is late once is asked again: in groups thousands of jobs would have to wait for their turns.
TEST_F(PrometheusSourceAfterAnOutage, JobsShareAQueryAgainAtOnceAfterOneFailure) {
  const auto jobs = manyJobs(2000, Seconds(2));
  const auto answer = answer_;
  answer_ = [&](const http::HttpRequest& request) -> Result<http::HttpResponse> {
    if (isShared(request) && isLarge) return failure(ErrorKind::Transient, "took too long");
    return answer(request);
  };
  auto prometheus = source(scrapedEverySecond());
  const auto first = prometheus.collect(jobs, kNow);
  ASSERT_TRUE(first);
  EXPECT_EQ(waiting(*first), 1200u);
  isLarge = false;
  const auto second = prometheus.collect(jobs, kNow + Seconds(1));
  ASSERT_TRUE(second);
  EXPECT_EQ(waiting(*second), 0u);
}

// Each request may take as long as its deadline, and decisions wait for it.
TEST_F(PrometheusSourceAfterAnOutage, NobodyWaitsForGroupsAgainAndAgainWhereNobodyAnswers) {
  answer_ = [](const http::HttpRequest&) { return failure(ErrorKind::Transient, "took too long"); };
  PrometheusOptions options = scrapedEverySecond();
  options.deadline = Seconds(0);
  auto jobs = manyJobs(200, Seconds(2));
  for (const auto& each : manyJobs(4000, Seconds(3600))) jobs.push_back(each);
  auto prometheus = source(options);
  for (const std::size_t asked : {3u, 1u, 1u, 1u}) {  // all, who has too many series, and one group
    asked_.clear();
    EXPECT_FALSE(prometheus.collect(jobs, kNow));
    EXPECT_THAT(asked_, SizeIs(asked));
  }
}

TEST_F(PrometheusSourceAfterAnOutage, JobsAreReadInGroups) {
  const auto jobs = manyJobs(2000, Seconds(2));
  auto prometheus = source(scrapedEverySecond());
  for (int epoch = 0; epoch < 3; ++epoch) {
    const auto report = prometheus.collect(jobs, kNow + Seconds(epoch));
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(waiting(*report), 1200u);
  }
  EXPECT_EQ(std::ranges::count_if(asked_, isShared), 1) << "what fails is not tried in each epoch";
}

TEST_F(PrometheusSourceAfterAnOutage, JobsShareAQueryAgainAfterAMinute) {
  const auto jobs = manyJobs(100, Seconds(2));
  auto prometheus = source(scrapedEverySecond());
  ASSERT_TRUE(prometheus.collect(jobs, kNow));
  isLarge = false;
  asked_.clear();
  for (int epoch = 1; epoch <= 20; ++epoch) {
    auto now = jobs;
    for (auto& each : now) each.since += Seconds(3 * epoch);
    const auto report = prometheus.collect(now, kNow + Seconds(3 * epoch));
    ASSERT_TRUE(report);
    EXPECT_EQ(waiting(*report), 0u);
  }
  EXPECT_EQ(std::ranges::count_if(asked_, isShared), 1);
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

TEST_F(PrometheusSourceTest, SpreadsTheHistoriesOfManyJobsOverEpochs) {
  auto jobs = manyJobs(1000, Seconds(3600));
  auto prometheus = source();
  std::size_t before = 0;
  int epochs = 0;
  for (; epochs < 20; ++epochs) {
    const auto report = prometheus.collect(jobs, kNow + Seconds(epochs));
    ASSERT_TRUE(report);
    ASSERT_EQ(report->size(), jobs.size());
    EXPECT_LE(histories() - before, 8u);
    if (histories() == before) break;
    before = histories();
  }
  EXPECT_EQ(before, 10u);
  EXPECT_EQ(epochs, 2);
}

// A minute of samples of thousands of jobs is more than one answer should be.
TEST_F(PrometheusSourceTest, AsksInPartsForAMinuteOfThousandsOfJobs) {
  auto jobs = manyJobs(4000, Seconds(3600));
  auto prometheus = source(scrapedEverySecond());
  for (const std::size_t left : {3200u, 2400u}) {
    asked_.clear();
    const auto report = prometheus.collect(jobs, kNow);
    ASSERT_TRUE(report);
    EXPECT_THAT(asked_, SizeIs(::testing::Le(16u)));
    for (const auto& request : asked_) EXPECT_THAT(request.body, HasSubstr("slaq_io_job%3D%7E%22job-"));
    std::erase_if(jobs, [&](const LossRequest& each) { return !report->at(each.job).waits; });
    EXPECT_THAT(jobs, SizeIs(left));
  }
}

TEST_F(PrometheusSourceTest, ReadsTheHistoryOfJobsThatStaySilentOnce) {
  auto jobs = manyJobs(4000, Seconds(3600));
  auto prometheus = source(scrapedEverySecond());
  for (int epoch = 0; epoch < 15; ++epoch) ASSERT_TRUE(prometheus.collect(jobs, kNow + Seconds(3 * epoch)));
  EXPECT_EQ(histories(), 40u);
}

// Else those that were read in parts would be silent again in the next epoch, for ever.
TEST_F(PrometheusSourceTest, AsksOnceForAllThatWereReadTheLastTime) {
  auto jobs = manyJobs(9000, Seconds(2));
  auto prometheus = source(scrapedEverySecond());
  ASSERT_TRUE(prometheus.collect(jobs, kNow));
  asked_.clear();
  ASSERT_TRUE(prometheus.collect(jobs, kNow + Seconds(20)));
  ASSERT_THAT(asked_, SizeIs(1));
  EXPECT_THAT(asked_[0].body, HasSubstr("23000ms"));
}

TEST_F(PrometheusSourceTest, NobodyIsSilentBecauseTheSourceWasDown) {
  auto jobs = manyJobs(9000, Seconds(2));
  jobs.push_back(job("suspended", Seconds(3600)));
  auto prometheus = source(scrapedEverySecond());
  ASSERT_TRUE(prometheus.collect(jobs, kNow));
  const auto healthy = answer_;
  answer_ = [](const http::HttpRequest&) { return failure(ErrorKind::Transient, "took too long"); };
  EXPECT_FALSE(prometheus.collect(jobs, kNow + Seconds(3)));
  answer_ = healthy;
  asked_.clear();
  ASSERT_TRUE(prometheus.collect(jobs, kNow + Seconds(6)));
  ASSERT_THAT(asked_, SizeIs(2)) << "for all others, and for the one that was silent before";
  EXPECT_THAT(asked_[0].body, HasSubstr("slaq_io_job%21%3D%22%22"));
}

TEST_F(PrometheusSourceTest, IsDownIfNoPartIsAnswered) {
  auto jobs = manyJobs(2000, Seconds(3600));
  answer_ = [](const http::HttpRequest&) { return failure(ErrorKind::Transient, "took too long"); };
  auto prometheus = source(scrapedEverySecond());
  EXPECT_FALSE(prometheus.collect(jobs, kNow));
  EXPECT_THAT(asked_, SizeIs(::testing::Le(9u))) << "an epoch does not wait for each of them";
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
  PrometheusSource prometheus(options);
  const auto report = prometheus.collect({job("young", Seconds(10))}, kNow);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_THAT(report->at({"ns", "young"}).samples,
              ElementsAre(LossSample{Time(Seconds(999'999)), Iterations(7), Loss(0.25)}));
  EXPECT_EQ(seen.headers["authorization"], "Bearer secret");
  EXPECT_EQ(seen.headers["content-type"], "application/x-www-form-urlencoded");
}

}  // namespace
}  // namespace slaq::prom
