#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>

#include <sstream>

#include "support/fake_world.h"
#include "telemetry/job_metrics.h"
#include "telemetry/log.h"
#include "telemetry/self_metrics.h"

namespace slaq::telemetry {
namespace {

using slaq::testing::FakeWorld;
using slaq::testing::viewOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Telemetry : public ::testing::Test {
 protected:
  void run(int epochs) {
    for (int i = 0; i < epochs; ++i) {
      ASSERT_TRUE(loop.run());
      world.pass(Seconds(3));
    }
  }

  std::string text() const { return expose({registry, jobs}); }

  FakeWorld world;
  std::ostringstream lines;
  spdlog::logger log{"test", std::make_shared<spdlog::sinks::ostream_sink_mt>(lines)};
  std::shared_ptr<prometheus::Registry> registry = std::make_shared<prometheus::Registry>();
  std::shared_ptr<JobMetrics> jobs = std::make_shared<JobMetrics>();
  SelfMetrics self{*registry};
  loop::EpochLoop loop{world,
                       world,
                       world,
                       {.epoch = Seconds(3), .capacity = Cores(10000)},
                       [this](const loop::EpochReport& report) {
                         jobs->update(report);
                         self.epoch(report);
                         logEpoch(log, report);
                       }};
};

TEST_F(Telemetry, ExportsWhatIsKnownOfEachJob) {
  world.add(viewOf("a"), {.loss = [](double k) { return 2 + 1 / (k + 1); }});
  run(10);
  EXPECT_THAT(text(), HasSubstr("slaq_job_workers{training_namespace=\"default\",training_job=\"a\"} 10"));
  EXPECT_THAT(text(), HasSubstr("slaq_job_loss{training_namespace=\"default\",training_job=\"a\"} 2.0"));
  EXPECT_THAT(
      text(),
      HasSubstr("slaq_job_state{training_namespace=\"default\",training_job=\"a\",state=\"Running\"} 1"));
  EXPECT_THAT(text(), HasSubstr("slaq_jobs{state=\"Running\"} 1"));
  EXPECT_THAT(text(), HasSubstr("slaq_epochs_total{outcome=\"ok\"} 10"));
  EXPECT_THAT(text(), HasSubstr("slaq_actions_total{action=\"start\",outcome=\"ok\"} 1"));
  EXPECT_THAT(text(), HasSubstr("slaq_capacity_cores 10"));
}

TEST_F(Telemetry, ForgetsAJobThatIsGone) {
  world.add(viewOf("a"), {.loss = [](double) { return 1.0; }});
  run(3);
  world.remove({"default", "a"});
  run(1);
  EXPECT_THAT(text(), Not(HasSubstr("training_job=\"a\"")));
}

TEST_F(Telemetry, TellsAStateOnceWhoeverHasNotWrittenItYet) {
  world.add(viewOf("a"), {.loss = [](double) { return 1.0; }});
  world.statusFailures[{"default", "a"}] = {ErrorKind::Transient, "busy"};
  run(5);
  std::size_t told = 0;
  for (auto at = lines.str().find("event=state"); at != std::string::npos;
       at = lines.str().find("event=state", at + 1))
    ++told;
  EXPECT_EQ(told, 1U) << lines.str();
}

TEST_F(Telemetry, ExportsNoJobsWhileItDoesNotLead) {
  world.add(viewOf("a"), {.loss = [](double) { return 1.0; }});
  run(3);
  jobs->clear();
  EXPECT_THAT(text(), Not(HasSubstr("slaq_job_")));
}

TEST_F(Telemetry, LogsEachActionWithItsReasonAndEachOutage) {
  world.add(viewOf("a"), {.loss = [](double) { return 1.0; }});
  run(1);
  EXPECT_THAT(lines.str(), HasSubstr("event=arrival epoch=1 job=default/a"));
  EXPECT_THAT(lines.str(), HasSubstr("event=action epoch=1 action=\"start default/a with 10 workers\" "
                                     "reason=\"its fair share until its loss"));
  world.lossDown = true;
  run(1);
  EXPECT_THAT(lines.str(), HasSubstr("event=loss_outage epoch=2 error=\"connection refused\""));
}

}  // namespace
}  // namespace slaq::telemetry
