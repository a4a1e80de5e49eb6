#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>

#include <fstream>
#include <sstream>

#include "base/clock.h"
#include "support/fake_world.h"
#include "telemetry/job_metrics.h"
#include "telemetry/log.h"
#include "telemetry/process/process_metrics.h"
#include "telemetry/self_metrics.h"

namespace slaq::telemetry {
namespace {

using slaq::testing::FakeWorld;
using slaq::testing::viewOf;
using ::testing::ContainsRegex;
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

TEST_F(Telemetry, SaysWhetherALossIsRead) {
  world.add(viewOf("a"), {.loss = [](double k) { return 2 + 1 / (k + 1); }});
  run(10);
  EXPECT_THAT(text(),
              HasSubstr("slaq_job_metrics_available{training_namespace=\"default\",training_job=\"a\"} 1"));
}

TEST_F(Telemetry, CountsFromZero) {
  EXPECT_THAT(text(), HasSubstr("slaq_epochs_total{outcome=\"not_observed\"} 0"));
  EXPECT_THAT(text(), HasSubstr("slaq_actions_total{action=\"scale\",outcome=\"Forbidden\"} 0"));
  EXPECT_THAT(text(), HasSubstr("slaq_loss_requests_total{outcome=\"Transient\"} 0"));
}

TEST_F(Telemetry, SaysHowLongRequestsTake) {
  self.apiRequest("patch", "jobs", "200", Seconds(0.3));
  self.apiRequest("watch", "jobs", "200", std::nullopt);
  EXPECT_THAT(text(), ContainsRegex("slaq_api_request_duration_seconds_bucket.*patch.*le=.0.5.. 1"));
  EXPECT_THAT(text(), ContainsRegex("slaq_api_requests_total.*watch.* 1"));
  EXPECT_THAT(text(), Not(ContainsRegex("slaq_api_request_duration_seconds_count.*watch")));
}

TEST(ProcessMetrics, AreThoseOfThisProcess) {
  const auto value = [](const std::string& name) -> double {
    for (const auto& family : process::ProcessMetrics().Collect()) {
      if (family.name != name) continue;
      const auto& metric = family.metric.front();
      return family.type == prometheus::MetricType::Counter ? metric.counter.value : metric.gauge.value;
    }
    return -1;
  };
  const double files = value("process_open_fds");
  const std::ifstream one("/proc/self/stat");
  EXPECT_EQ(value("process_open_fds"), files + 1);
  EXPECT_GT(value("process_resident_memory_bytes"), 1 << 20);
  EXPECT_GE(value("process_virtual_memory_bytes"), value("process_resident_memory_bytes"));
  EXPECT_GE(value("process_threads"), 1);
  EXPECT_GE(value("process_cpu_seconds_total"), 0);
  EXPECT_GE(value("process_max_fds"), files);
  const double now = SystemClock().now().time_since_epoch().count();
  EXPECT_NEAR(value("process_start_time_seconds"), now, 3600);
}

TEST(ProcessMetrics, LeaveOutWhatCannotBeRead) {
  for (const auto& family : process::ProcessMetrics("/nowhere").Collect())
    EXPECT_EQ(family.name, "process_max_fds");
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
  // Of the cluster neither: two that told its cores would be added up.
  EXPECT_THAT(text(), Not(HasSubstr("slaq_jobs")));
  EXPECT_THAT(text(), Not(HasSubstr("slaq_capacity_cores")));
  EXPECT_THAT(text(), Not(HasSubstr("slaq_allocated_cores")));
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
