// `slaq report`: the tests compare its promise with a simulation of the same jobs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>

#include "cli/report/comparison.h"
#include "cli/report/past_jobs.h"

namespace slaq::cli::report {
namespace {

using kube::objects::StoredJob;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Time kBegin{Seconds(1'769'860'800)};

simulate::SimulatedJob trainingOf(const std::string& name, double arrival, double length,
                                  double coreSeconds) {
  simulate::Trace trace;
  for (int k = 0; k <= 400; ++k) trace.losses.push_back(0.1 + std::exp(-k / length));
  simulate::SimulatedJob job;
  job.name = name;
  job.arrival = Seconds(arrival);
  job.trace = std::make_shared<const simulate::Trace>(std::move(trace));
  job.coreSecondsPerIteration = coreSeconds;
  job.pauses.grow = scheduler::ResizePrice().grow;
  job.pauses.shrink = scheduler::ResizePrice().shrink;
  job.most = Workers(8);
  return job;
}

simulate::Workload truth() {
  simulate::Workload workload;
  workload.cores = Cores(12000);
  workload.endReleases = true;
  workload.jobs = {trainingOf("a", 0, 20, 10), trainingOf("b", 300, 60, 12), trainingOf("c", 500, 30, 8),
                   trainingOf("d", 600, 90, 10)};
  return workload;
}

// The history of a run as Prometheus has it: a moment each `step`.
std::vector<web::PastMoment> historyOf(const simulate::Workload& workload, Seconds step) {
  std::vector<web::PastMoment> history;
  Seconds next{0};
  const auto tell = [&](Seconds time, const loop::EpochReport& report) {
    if (time < next) return;
    next = time + step;
    auto& moment = history.emplace_back();
    moment.time = kBegin + time;
    moment.capacity = inCores(workload.cores);
    for (std::size_t i = 0; i < report.statuses.size(); ++i) {
      const auto& status = report.statuses[i];
      if (!status.progress || status.state != JobState::Running) continue;
      web::PastJob& job = moment.jobs[report.plan.jobs[i].job];
      job.loss = status.progress->loss.value();
      job.iterations = status.progress->iteration.value();
      job.workers = status.ready.value();
      job.workerCores = 1;
    }
  };
  scheduler::Settings settings;
  settings.policy = scheduler::findPolicy("Fair");
  const auto outcome = runSimulation(workload, {.settings = settings, .tell = tell});
  EXPECT_TRUE(outcome) << outcome.error().message;
  return history;
}

std::vector<StoredJob> jobsOf(const std::vector<web::PastMoment>& history, int most) {
  std::map<JobKey, StoredJob> jobs;
  for (const auto& moment : history) {
    for (const auto& [key, past] : moment.jobs) {
      StoredJob& job = jobs[key];
      job.key = job.job.key = key;
      job.job.created = kBegin;
      job.job.spec.workers.max = Workers(most);
    }
  }
  std::vector<StoredJob> all;
  for (auto& [key, job] : jobs) all.push_back(std::move(job));
  return all;
}

simulate::Outcome under(const simulate::Workload& workload, const char* policy) {
  scheduler::Settings settings;
  settings.policy = scheduler::findPolicy(policy);
  const auto outcome = runSimulation(workload, {.settings = settings});
  EXPECT_TRUE(outcome) << outcome.error().message;
  return outcome.value_or(simulate::Outcome());
}

double meanTo90(const simulate::Outcome& outcome) {
  constexpr std::size_t k90 = 4;
  return outcome.secondsToReduction[k90]->mean;
}

TEST(Report, PromisesWhatComes) {
  simulate::Workload fixed = truth();
  for (auto& job : fixed.jobs) job.least = job.most = Workers(3);
  const auto history = historyOf(fixed, Seconds(15));
  const auto past = pastJobs(history, jobsOf(history, 8), true);
  ASSERT_TRUE(past) << past.error().message;
  EXPECT_EQ(past->keys.size(), 4u);
  EXPECT_EQ(past->ofOneSize.size(), 4u);
  EXPECT_EQ(past->asTheyMay.cores, Cores(12000));
  // As it was, and as it would have been: within 15% of the truth.
  EXPECT_NEAR(meanTo90(under(past->asTheyWere, "Fair")) / meanTo90(under(fixed, "Fair")), 1, 0.15);
  const double promised = meanTo90(under(past->asTheyMay, "LookAhead"));
  const double came = meanTo90(under(truth(), "LookAhead"));
  EXPECT_NEAR(promised / came, 1, 0.15);
  EXPECT_LT(came, 0.8 * meanTo90(under(fixed, "Fair")));
}

web::PastJob seen(double iterations, double loss, double workers, double cores = 1) {
  web::PastJob job;
  job.iterations = iterations;
  job.loss = loss;
  job.workers = workers;
  job.workerCores = cores;
  return job;
}

// Four moments, ten seconds apart, of one job.
std::vector<web::PastMoment> four(const JobKey& key, const std::vector<web::PastJob>& at) {
  std::vector<web::PastMoment> history;
  for (std::size_t i = 0; i < at.size(); ++i)
    history.push_back(
        {.time = kBegin + Seconds(10.0 * static_cast<double>(i)), .jobs = {{key, at[i]}}, .capacity = 8});
  return history;
}

TEST(Report, TakesSpeedsFromWhatWasSeenAndTheRestFromTheStatus) {
  const JobKey key{"team-a", "a"};
  const auto history =
      four(key, {seen(0, 1, 2, 0.5), seen(10, 0.8, 2, 0.5), seen(20, 0.7, 2, 0.5), seen(30, 0.6, 2, 0.5)});
  auto jobs = jobsOf(history, 4);
  // It is slower by half than the status says, for all sizes.
  jobs[0].job.spec.workers.sizes = {Workers(1), Workers(2), Workers(4)};
  jobs[0].status.speeds = {{Workers(2), Seconds(0.5), true}, {Workers(4), Seconds(0.4), false}};
  const auto past = pastJobs(history, jobs, true);
  ASSERT_TRUE(past) << past.error().message;
  EXPECT_EQ(past->unit, Cores(500));
  EXPECT_EQ(past->asTheyMay.cores, Cores(16000));
  const auto& job = past->asTheyMay.jobs.front();
  EXPECT_THAT(job.sizes, ElementsAre(Workers(1), Workers(2), Workers(4)));
  ASSERT_EQ(job.scaling->speeds.size(), 2u);
  const double steps = 200 / 30.0;  // of an iteration
  EXPECT_DOUBLE_EQ(job.scaling->speeds[0].speed, steps);
  EXPECT_DOUBLE_EQ(job.scaling->speeds[1].size, 4);
  EXPECT_DOUBLE_EQ(job.scaling->speeds[1].speed, 1.25 * steps);
  EXPECT_EQ(job.trace->losses.size(), 201u);
  EXPECT_NEAR(job.trace->losses[50], 0.85, 1e-9);
  EXPECT_EQ(past->asTheyWere.jobs.front().most, Workers(2));
}

// The jobs of one namespace do not get what others hold.
TEST(Report, GivesAPartOfTheJobsWhatTheyHeld) {
  const JobKey key{"team-a", "a"};
  const auto history = four(key, {seen(0, 1, 2), seen(10, 0.8, 3), seen(20, 0.7, 3), seen(30, 0.6, 2)});
  EXPECT_EQ(pastJobs(history, {}, false)->capacity, Cores(3000));
  EXPECT_EQ(pastJobs(history, {}, true)->capacity, Cores(8000));
}

TEST(Report, DoesNotCountTheTimeOfASuspension) {
  const JobKey key{"team-a", "a"};
  const auto history =
      four(key, {seen(0, 1, 2), seen(10, 0.8, 2), seen(10, 0.8, 0), seen(10, 0.8, 0), seen(20, 0.7, 2)});
  const auto past = pastJobs(history, {}, true);
  ASSERT_TRUE(past) << past.error().message;
  EXPECT_DOUBLE_EQ(past->asTheyMay.jobs.front().scaling->speeds[0].speed, 200 / 20.0);
}

TEST(Report, KnowsTheCoresOfATargetThatIsGone) {
  const auto history =
      four({"team-a", "a"}, {seen(0, 1, 2), seen(10, 0.8, 2), seen(20, 0.7, 2), seen(20, 0.7, 0, 0)});
  const auto past = pastJobs(history, {}, true);
  ASSERT_TRUE(past) << past.error().message;
  EXPECT_EQ(past->unit, Cores(1000));
}

TEST(Report, CountsJobsOfVeryDifferentSizes) {
  auto history = four({"team-a", "a"}, {seen(0, 1, 1, 16), seen(0.1, 0.8, 1, 16), seen(0.2, 0.7, 1, 16)});
  for (std::size_t i = 0; i < history.size(); ++i)
    history[i].jobs[{"team-a", "b"}] =
        seen(9e15 * static_cast<double>(i), 1.0 - 0.1 * static_cast<double>(i), 1, 0.07);
  const auto past = pastJobs(history, jobsOf(history, 100'000), true);
  ASSERT_TRUE(past) << past.error().message;
  ASSERT_EQ(past->asTheyMay.jobs.size(), 2u);
  for (const auto& job : past->asTheyMay.jobs) {
    EXPECT_LE(job.most, Workers(100'000));
    EXPECT_GT(job.trace->losses.size(), 100u);
  }
  EXPECT_TRUE(runSimulation(past->asTheyMay, {.settings = {}}));
}

TEST(Report, LeavesOutWhatItCannotKnow) {
  const JobKey key{"team-a", "a"};
  auto history = four(key, {seen(0, 1, 2), seen(10, 0.8, 2), seen(20, 0.7, 2)});
  history[0].jobs[{"team-a", "short"}] = seen(0, 1, 1);
  const auto past = pastJobs(history, {}, true);
  ASSERT_TRUE(past) << past.error().message;
  EXPECT_THAT(past->keys, ElementsAre(key));
  EXPECT_THAT(past->left, ElementsAre("team-a/short: fewer than three losses are known"));
  EXPECT_FALSE(pastJobs({}, {}, true));
}

TEST(Report, SaysInOneSentenceWhatItWouldHaveSaved) {
  Comparison comparison;
  comparison.begin = kBegin;
  comparison.end = kBegin + Seconds(86400);
  comparison.policy = "LookAhead";
  comparison.past.keys = {{"team-a", "a"}};
  comparison.past.workers = {2.5};
  comparison.past.ofOneSize = {"team-a/a"};
  simulate::JobOutcome job;
  job.completion = Seconds(7200);
  job.reductions[4] = Seconds(3600);
  comparison.was.jobs = {job};
  job.reductions[4] = Seconds(2700);
  comparison.would.jobs = {job};
  const auto text = comparisonText(comparison, {});
  EXPECT_THAT(
      text,
      HasSubstr("90% of the reduction: after 1:00:00 in the mean, and after 45:00 with slaq (25% sooner)"));
  EXPECT_THAT(text, HasSubstr("team-a/a      2.5  1:00:00      45:00"));
  EXPECT_THAT(text, HasSubstr("estimated: team-a/a"));
  EXPECT_THAT(comparisonJson(comparison), HasSubstr(R"("would":{"secondsTo90":2700)"));
}

}  // namespace
}  // namespace slaq::cli::report
