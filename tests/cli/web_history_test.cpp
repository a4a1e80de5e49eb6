// Tests the history of the page of `slaq web`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/api_server.h"
#include "cli/cluster/training_cluster.h"
#include "cli/flags/cluster_flags.h"
#include "cli/web/history.h"
#include "page/timeline.h"

namespace slaq::cli::web {
namespace {

using kube::objects::StoredJob;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const JobKey kJob{"team-a", "logreg"};

Time at(double seconds) { return Time(Seconds(1'769'860'800 + seconds)); }

PastJob held(double workers, double loss) {
  return {.state = JobState::Running,
          .loss = loss,
          .iterations = 1 / loss,
          .workers = workers,
          .desiredWorkers = workers,
          .cores = workers / 2};
}

StoredJob created(double seconds) {
  StoredJob job;
  job.key = kJob;
  job.job.created = at(seconds);
  job.job.spec.workers.max = Workers(8);
  return job;
}

page::RunTimeline told(const std::vector<PastMoment>& history, const std::vector<StoredJob>& now) {
  page::RunTimeline timeline;
  tellHistory(history, now, [&](const page::Moment& moment) { timeline.add(moment); });
  return timeline;
}

std::vector<std::string> changesOf(const page::JobTimeline& job) {
  std::vector<std::string> texts;
  for (const auto& each : job.changes) texts.push_back(each.text);
  return texts;
}

TEST(WebHistory, HasWhatJobsHeldAndHowTheirLossesFell) {
  const auto timeline = told({{.time = at(0), .jobs = {{kJob, held(2, 0.9)}}, .capacity = 4, .price = 0.5},
                              {.time = at(10), .jobs = {{kJob, held(2, 0.5)}}},
                              {.time = at(20), .jobs = {{kJob, held(4, 0.2)}}}},
                             {created(0)});
  EXPECT_THAT(timeline.epochs(), ElementsAre(Seconds(0), Seconds(10), Seconds(20)));
  const auto& job = timeline.jobs().at(kJob);
  EXPECT_EQ(job.most, Workers(8));
  EXPECT_EQ(job.losses.changes().size(), 3u);
  EXPECT_EQ(job.cores.changes().size(), 2u);
  EXPECT_THAT(changesOf(job), ElementsAre("2 -> 4")) << "what it had at first was decided before";
  EXPECT_EQ(job.changes[0].time, Seconds(20));
}

TEST(WebHistory, KnowsWhyWhatStandsNowWasDecided) {
  StoredJob job = created(0);
  job.status.decision =
      Decision{.workers = Workers(4), .cores = {}, .reason = "2 -> 4: it gains most", .since = at(20)};
  const auto timeline = told({{.time = at(0), .jobs = {{kJob, held(4, 0.9)}}},
                              {.time = at(10), .jobs = {{kJob, held(2, 0.9)}}},
                              {.time = at(20), .jobs = {{kJob, held(4, 0.9)}}}},
                             {job});
  EXPECT_THAT(changesOf(timeline.jobs().at(kJob)), ElementsAre("4 -> 2", "2 -> 4: it gains most"));
}

TEST(WebHistory, TellsOfTheCpuOfWorkersWhereAJobScalesByIt) {
  StoredJob job = created(0);
  job.job.spec.workers.scaling = Scaling::CPU;
  PastJob less = held(1, 0.9), more = held(1, 0.9);
  less.workerCores = 0.9;
  more.workerCores = 1;
  const auto timeline =
      told({{.time = at(0), .jobs = {{kJob, less}}}, {.time = at(10), .jobs = {{kJob, more}}}}, {job});
  EXPECT_THAT(changesOf(timeline.jobs().at(kJob)), ElementsAre("900m -> 1 each"));
}

TEST(WebHistory, TakesWhatAnEarlierJobOfTheNameHadForAnothers) {
  const auto timeline = told(
      {{.time = at(0), .jobs = {{kJob, held(2, 0.1)}}}, {.time = at(10), .jobs = {{kJob, held(3, 0.8)}}}},
      {created(5)});
  const auto& job = timeline.jobs().at(kJob);
  EXPECT_EQ(job.created, at(5));
  EXPECT_EQ(job.losses.changes().size(), 1u);
  EXPECT_THAT(changesOf(job), ElementsAre("starts with 3"));
}

// The newest sample is that of the earlier job until the new one's first loss is scraped.
TEST(WebHistory, GivesNoJobTheLossOfAnEarlierOne) {
  const auto timeline = told({{.time = at(0), .jobs = {{kJob, held(2, 0.1)}}},
                              {.time = at(10), .jobs = {{kJob, held(2, 0.1)}}},
                              {.time = at(20), .jobs = {{kJob, held(2, 0.8)}}}},
                             {created(5)});
  const auto losses = timeline.jobs().at(kJob).losses.changes();
  ASSERT_EQ(losses.size(), 1u);
  EXPECT_EQ(losses[0].value, 0.8);
}

TEST(WebHistory, EndsAJobWhenItEnded) {
  StoredJob job = created(0);
  job.status.state = JobState::Complete;
  job.status.completed = at(15);
  const auto timeline = told({{.time = at(0), .jobs = {{kJob, held(2, 0.9)}}}, {.time = at(20)}}, {job});
  const auto& shown = timeline.jobs().at(kJob);
  EXPECT_FALSE(shown.isGone);
  EXPECT_EQ(shown.status.state, JobState::Complete);
  EXPECT_THAT(changesOf(shown), ElementsAre("Complete"));
  EXPECT_EQ(shown.changes[0].time, Seconds(20));
}

TEST(WebHistory, ReadsNoMoreThanAPageCanHold) {
  for (const std::size_t jobs : {std::size_t{0}, std::size_t{10}, std::size_t{8000}}) {
    const auto range = rangeOf(at(0), Seconds(6 * 3600), jobs);
    const double steps = (range.end - range.begin) / range.step;
    EXPECT_EQ(range.begin, at(0) - Seconds(6 * 3600));
    EXPECT_EQ(range.end, at(0) - range.step) << "the next epoch is now";
    EXPECT_LE(steps, 360) << jobs;
    EXPECT_GE(steps, 10) << jobs;
    EXPECT_LE(steps * static_cast<double>(jobs), 100'000) << jobs;
  }
}

class WebHistoryOfPrometheus : public ::testing::Test {
 protected:
  // Prometheus answers with this series to a query that begins with that text.
  void have(const std::string& query, const std::string& metric, const std::string& values) {
    server.answer(
        "/api/v1/query_range?query=" + query, 200,
        test::json("{'status': 'success', 'data': {'resultType': 'matrix', 'result': [{'metric': {" + metric +
                   "}, 'values': [" + values + "]}]}}"));
  }
  void haveNothingElse() {
    server.answer("/api/v1/query_range", 200,
                  test::json("{'status': 'success', 'data': {'resultType': 'matrix', 'result': []}}"));
  }

  Result<std::vector<PastMoment>> read(const std::string& ns) {
    const auto access = flags::accessBy({.kubeconfig = server.kubeconfig(), .context = "", .ns = ""}, clock);
    cluster::TrainingCluster cluster(*access);
    cluster::PrometheusHistory prometheus({"", ""}, cluster.http());
    return historyOf(prometheus, ns, {at(0), at(20), Seconds(10)}, [this] { return goesOn; });
  }

  bool goesOn = true;
  SystemClock clock;
  test::ApiServer server;
};

TEST_F(WebHistoryOfPrometheus, JoinsMetricsByTheirTimes) {
  const std::string by = "max%20by%20%28training_namespace%2C%20training_job%2C%20state%29%20%28";
  const std::string job = "'training_namespace': 'team-a', 'training_job': 'logreg'";
  haveNothingElse();
  have(by + "slaq_job_loss", job, "[1, '2'], [1769860800, '0.9'], [1769860810, 'NaN'], [9999999999, '0.1']");
  have(by + "slaq_job_desired_workers", job, "[1769860810, '4']");
  have(by + "slaq_job_state", job + ", 'state': 'Waiting'", "[1769860800, '1'], [1769860810, '0']");
  have("max%28slaq_price_per_core", "", "[1769860810, '0.25'], [1769860820, '0.5']");
  const auto history = read("team-a");
  ASSERT_TRUE(history) << history.error().message;
  ASSERT_EQ(history->size(), 3u) << "there is nothing of times that were not asked for";
  EXPECT_EQ((*history)[0].jobs.at(kJob), (PastJob{.state = JobState::Waiting, .loss = 0.9}));
  EXPECT_EQ((*history)[1].jobs.at(kJob), PastJob{.desiredWorkers = 4});
  EXPECT_EQ((*history)[1].price, 0.25);
  EXPECT_TRUE((*history)[2].jobs.empty());
  EXPECT_THAT(server.requests().front(), HasSubstr("training_namespace%3D%22team-a%22"));
}

TEST_F(WebHistoryOfPrometheus, SaysWhyThereIsNone) {
  server.answer("/api/v1/query_range", 403, test::json("{'message': 'services is forbidden'}"));
  const auto history = read("");
  ASSERT_FALSE(history);
  EXPECT_THAT(history.error().message, HasSubstr("HTTP status 403"));
}

TEST_F(WebHistoryOfPrometheus, IsEmptyWhereThereWasNoJob) {
  haveNothingElse();
  const auto history = read("");
  ASSERT_TRUE(history);
  EXPECT_TRUE(history->empty());
}

TEST_F(WebHistoryOfPrometheus, IsNotReadOnOnceNobodyWantsIt) {
  goesOn = false;
  EXPECT_FALSE(read(""));
  EXPECT_THAT(server.requests(), ::testing::IsEmpty());
}

}  // namespace
}  // namespace slaq::cli::web
