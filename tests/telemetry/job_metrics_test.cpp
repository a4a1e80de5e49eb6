// Metrics out of reports made by hand: what single fields of a plan become.
#include "telemetry/job_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/jobs.h"
#include "telemetry/self_metrics.h"

namespace slaq::telemetry {
namespace {

using slaq::testing::podOf;
using slaq::testing::run;
using slaq::testing::viewOf;
using ::testing::HasSubstr;
using ::testing::Not;

// One epoch's report of jobs that a test puts together.
class Epoch {
 public:
  scheduler::JobPlan& add(JobView view) {
    histories_[view.job.key];
    plan.jobs.push_back({.job = view.job.key,
                         .state = JobState::Running,
                         .held = view.workers.desired,
                         .target = view.workers.desired});
    statuses.push_back(view.status);
    view_.jobs.push_back(std::move(view));
    return plan.jobs.back();
  }

  std::string text(NamespaceLimits limits = {}) const {
    auto metrics = std::make_shared<JobMetrics>(std::move(limits));
    metrics->update({.number = 1,
                     .view = view_,
                     .capacity = Cores(8000),
                     .histories = histories_,
                     .plan = plan,
                     .statuses = statuses,
                     .actions = actions_,
                     .statusFailures = failures_});
    return expose({metrics});
  }

  void now(Time time) { view_.time = time; }

  scheduler::Plan plan;
  std::vector<JobStatus> statuses;

 private:
  ClusterView view_;
  std::map<JobKey, scheduler::JobHistory> histories_;
  std::vector<loop::ActionResult> actions_;
  std::vector<loop::StatusFailure> failures_;
};

JobView running(const std::string& ns, const std::string& name, int workers) {
  JobView view = viewOf(name, 1, 16, Cores(500));
  view.job.key.ns = ns;
  return run(view, workers);
}

constexpr const char* kLabels = "{training_namespace=\"team-a\",training_job=\"logreg\"} ";

TEST(JobMetrics, TellWhatIsExpected) {
  Epoch epoch;
  epoch.add(running("team-a", "logreg", 2));
  epoch.statuses[0].decision = Decision{.forecast = Loss(0.25)};
  epoch.statuses[0].progress = Progress{.remaining = Seconds(90)};
  EXPECT_THAT(epoch.text(), HasSubstr(std::string("slaq_job_forecast_loss") + kLabels + "0.25"));
  EXPECT_THAT(epoch.text(), HasSubstr(std::string("slaq_job_remaining_seconds") + kLabels + "90"));
}

TEST(JobMetrics, ForgetAJobSomeMinutesAfterItsEnd) {
  Epoch epoch;
  epoch.add(running("team-a", "logreg", 2));
  epoch.statuses[0].state = JobState::Complete;
  epoch.now(Time(Seconds(1000)));
  epoch.statuses[0].completed = Time(Seconds(800));
  EXPECT_THAT(epoch.text(), HasSubstr(std::string("slaq_job_workers") + kLabels));
  epoch.statuses[0].completed = Time(Seconds(600));
  EXPECT_THAT(epoch.text(), Not(HasSubstr("logreg")));
}

TEST(JobMetrics, SayNothingOfWhatIsNotKnown) {
  Epoch epoch;
  epoch.add(running("team-a", "logreg", 2));
  EXPECT_THAT(epoch.text(), Not(HasSubstr("slaq_job_forecast_loss{")));
  EXPECT_THAT(epoch.text(), Not(HasSubstr("slaq_job_remaining_seconds{")));
  EXPECT_THAT(epoch.text(), Not(HasSubstr("\nslaq_price_per_core ")));
}

TEST(JobMetrics, CountTheDriverAmongTheCoresHeldAndDecided) {
  Epoch epoch;
  JobView view = running("team-a", "logreg", 2);
  view.job.spec.driver = podOf(Cores(250));
  view.driver = {.exists = true, .active = true};
  epoch.add(view).target = Workers(3);
  EXPECT_THAT(epoch.text(), HasSubstr(std::string("slaq_job_cores") + kLabels + "1\n"));
  EXPECT_THAT(epoch.text(), HasSubstr(std::string("slaq_job_held_cores") + kLabels + "1.25\n"));
  EXPECT_THAT(epoch.text(), HasSubstr(std::string("slaq_job_desired_cores") + kLabels + "1.75\n"));
}

TEST(JobMetrics, FollowTheCoresOfWorkersThatScaleByCpu) {
  Epoch epoch;
  auto& plan = epoch.add(running("team-a", "logreg", 2));
  plan.heldCpu = Cores(750);
  plan.targetCpu = Cores(1500);
  EXPECT_THAT(epoch.text(), HasSubstr(std::string("slaq_job_cores") + kLabels + "1.5\n"));
  EXPECT_THAT(epoch.text(), HasSubstr(std::string("slaq_job_worker_cores") + kLabels + "1.5\n"));
  EXPECT_THAT(epoch.text(), HasSubstr(std::string("slaq_job_desired_cores") + kLabels + "3\n"));
}

TEST(JobMetrics, HaveOnePriceForAllJobs) {
  Epoch epoch;
  epoch.plan.price = 0.125;
  EXPECT_THAT(epoch.text(), HasSubstr("\nslaq_price_per_core 0.125\n"));
}

TEST(JobMetrics, SetTheCoresOfANamespaceAgainstItsLimit) {
  Epoch epoch;
  epoch.add(running("team-a", "logreg", 2));
  epoch.add(running("team-a", "svm", 1));
  epoch.add(running("team-b", "kmeans", 4));
  const auto text = epoch.text({{"team-a", {.cores = Cores(2000)}}, {"*", {.cores = Cores(6000)}}});
  EXPECT_THAT(text, HasSubstr("slaq_namespace_cores{training_namespace=\"team-a\"} 1.5\n"));
  EXPECT_THAT(text, HasSubstr("slaq_namespace_cores{training_namespace=\"team-b\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("slaq_namespace_limit_cores{training_namespace=\"team-a\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("slaq_namespace_limit_cores{training_namespace=\"team-b\"} 6\n"));
}

TEST(JobMetrics, NameNoLimitWhereThereIsNone) {
  Epoch epoch;
  epoch.add(running("team-a", "logreg", 2));
  EXPECT_THAT(epoch.text({{"team-a", {.weight = 3}}, {"team-b", {.cores = Cores(1)}}}),
              Not(HasSubstr("slaq_namespace_limit_cores{")));
}

TEST(SelfMetrics, TellWhatTheControllerWasToldToDo) {
  auto registry = std::make_shared<prometheus::Registry>();
  SelfMetrics self(*registry);
  self.settings(
      {.mode = Mode::Observe, .policy = scheduler::findPolicy("MinQuality"), .predictor = "Published"});
  EXPECT_THAT(expose({registry}), HasSubstr("slaq_settings_info{mode=\"Observe\",policy=\"MinQuality\","
                                            "predictor=\"Published\",resource=\"cpu\"} 1"));
}

}  // namespace
}  // namespace slaq::telemetry
