// What slaq explain says of a job, to the letter, and when it says it.
#include "cli/explain/explanation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/cluster/prometheus_history.h"
#include "cli/explain/explanation_facts.h"
#include "cli/explain/explanation_json.h"

namespace slaq::cli {
namespace {

using testing::AnyOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

const Time kNow{Seconds(10'000)};
constexpr terminal::Frame kFrame{.columns = 90, .lines = 0, .style = {.colours = false, .unicode = true}};

Condition condition(ConditionType type, Truth status, std::string reason, std::string message) {
  return {.type = type,
          .status = status,
          .reason = std::move(reason),
          .message = std::move(message),
          .lastTransition = kNow - Seconds(20)};
}

explain::JobStory running() {
  explain::JobStory story{.job = {}, .events = {}, .eventsTrouble = {}, .losses = {}, .now = kNow};
  story.job.key = {"team-a", "logreg"};
  auto& workers = story.job.job.spec.workers;
  workers.max = Workers(10);
  workers.pod.containers.push_back({.name = "main", .request = Cores(500)});
  auto& status = story.job.status;
  status.state = JobState::Running;
  status.started = kNow - Seconds(750);
  status.replicas = status.ready = Workers(6);
  status.desired = Workers(7);
  status.progress = Progress{.iteration = Iterations(1230),
                             .loss = Loss(0.43125),
                             .level = 0.38,
                             .remaining = Seconds(250),
                             .convergence = "Sublinear",
                             .forecastFinal = Loss(0.31)};
  status.decision = Decision{.workers = Workers(7),
                             .cores = Cores(3500),
                             .gainPerCore = 0.0051,
                             .reason = "6 -> 7: it gains more than the price",
                             .since = kNow - Seconds(130),
                             .price = 0.0034,
                             .forecast = Loss(0.42781)};
  set(status.conditions, condition(ConditionType::Ready, Truth::True, "Running", "workers are running"));
  return story;
}

TEST(Explanation, TellsWhatIsExpectedOfAJobAndWhatAChangeCostsIt) {
  explain::JobStory story = running();
  auto& status = story.job.status;
  status.kind = KindStatus{.name = "resnet", .trainings = 12};
  status.resizeCost = ResizeCost{.grow = Seconds(31.4), .shrink = Seconds(12), .lost = Seconds(90)};
  EXPECT_THAT(explanation(story, kFrame), HasSubstr("expects what 12 trainings of kind resnet did"));
  EXPECT_THAT(explanation(story, kFrame), HasSubstr("stops it for 31.4 s when it gets workers, stops it"));
  EXPECT_THAT(explanationJson(story), HasSubstr("\"lostSeconds\": 90"));
  EXPECT_THAT(explanationJson(story), Not(HasSubstr("milestones")));
  status.progress->milestones = {{95, Iterations(120)}};
  EXPECT_THAT(explanationJson(story), HasSubstr("\"iterationsLeft\": 120"));
  status.kind->trainings = 0;
  EXPECT_THAT(explanation(story, kFrame), HasSubstr("no training of kind resnet has ended yet"));
  EXPECT_THAT(explanationJson(story), HasSubstr("\"trainings\": 0"));
}

TEST(Explanation, TellsWhatAJobHasAndWhy) {
  explain::JobStory story = running();
  story.job.job.spec.stop = {
      .lossReductionPercent = 95, .maxIterations = 5000, .activeDeadline = Seconds(3600)};
  story.job.job.spec.loss.target = 0.3;
  set(story.job.status.conditions,
      condition(ConditionType::Resizing, Truth::True, "Growing", "waits for workers to become ready"));
  story.events = {{kNow - Seconds(740), 1, false, "Running", "the first workers are ready"},
                  {kNow - Seconds(130), 3, true, "MetricsUnavailable", "no sample was found"}};
  EXPECT_EQ("\n" + explain::explanation(story, kFrame), R"(
team-a/logreg  Running for 12:30
  scheduled   by what the next core takes off its loss (Quality), weight 1
  loss        0.43125 after 1230 iterations; 0.42781 is expected at the next decision;
              0.31 in the end (Sublinear)
              ███████████████████░░░░░░░░░░░ 62% of the reduction that can be expected
              about 4:10 left at this pace
  target      0.3 is given as its final loss
  workers     6 ready, 7 decided; 1 to 10 allowed, 0.5 cores each
  cores       3
  decided     7 workers with 3.5 cores, since 2:10
  why         6 -> 7: it gains more than the price
  next core   ██████████████████████████████ 0.0051 normalized loss per second
  price       ████████████████████░░░░░░░░░░ 0.0034 is what a core must gain to be given out
  stops at    ████████████████████░░░░░░░░░░ 95% of the loss reduction: 62% so far
              ███████░░░░░░░░░░░░░░░░░░░░░░░ iteration 5000: 1230 so far
              ██████░░░░░░░░░░░░░░░░░░░░░░░░ 1:00:00 of training: 12:30 so far

To know of
  for 0:20    Growing: waits for workers to become ready

Last events
  12:20 ago   Running: the first workers are ready
  2:10 ago    Warning MetricsUnavailable: no sample was found (3 times)
)");
}

TEST(Explanation, TellsOfWorkersThatScaleByCpu) {
  explain::JobStory story = running();
  auto& workers = story.job.job.spec.workers;
  workers.scaling = Scaling::CPU;
  workers.cpu = {Cores(200), Cores(2000)};
  story.job.status.decision->workerCpu = Cores(750);
  EXPECT_THAT(explain::explanation(story, kFrame),
              HasSubstr("6 ready, 7 decided; 0.75 cores each (0.2 to 2 allowed)\n  cores       4.5\n"));
}

TEST(Explanation, TellsOfPinsDriversAndOtherKindsOfJobs) {
  explain::JobStory story = running();
  story.job.job.spec.replicas = Workers(4);
  story.job.job.spec.driver.emplace().containers.push_back({.name = "main", .request = Cores(250)});
  story.job.job.spec.scheduling = Scheduling::Reserved;
  const auto text = explain::explanation(story, kFrame);
  EXPECT_THAT(text, HasSubstr("pinned to 4 by\n              spec.replicas"));
  EXPECT_THAT(text, HasSubstr("  cores       3, and 0.25 for its driver\n"));
  EXPECT_THAT(text, HasSubstr("all that it can use, or it waits (Reserved)"));
  EXPECT_THAT(text, Not(HasSubstr("next core")));
}

TEST(Explanation, OfAFinishedJobSaysHowItEnded) {
  explain::JobStory story = running();
  auto& status = story.job.status;
  status.state = JobState::Complete;
  status.completed = kNow - Seconds(100);
  status.decision.reset();
  set(status.conditions, condition(ConditionType::Ready, Truth::False, "Complete", "the training is over"));
  set(status.conditions,
      condition(ConditionType::Complete, Truth::True, "LossReduced", "95.2% of the reduction is done"));
  const auto text = explain::explanation(story, kFrame);
  EXPECT_THAT(text, HasSubstr("team-a/logreg  Complete 1:40 ago, after 10:50 of training\n"));
  EXPECT_THAT(text, HasSubstr("  why         95.2% of the reduction is done\n"));
  EXPECT_THAT(text, Not(HasSubstr("To know of")));
}

TEST(Explanation, OfAFailedJobIsNotAboutItsLoss) {
  explain::JobStory story = running();
  auto& status = story.job.status;
  status.state = JobState::Failed;
  status.conditions.clear();
  set(status.conditions, condition(ConditionType::MetricsAvailable, Truth::False, "NoLoss", "no loss"));
  set(status.conditions, condition(ConditionType::ModelFitted, Truth::False, "TooFewLosses", "too few"));
  set(status.conditions, condition(ConditionType::Failed, Truth::True, "UserError", "it exits with 1"));
  const auto text = explain::explanation(story, kFrame);
  EXPECT_THAT(text, HasSubstr("UserError: it exits with 1"));
  EXPECT_THAT(text, Not(AnyOf(HasSubstr("NoLoss"), HasSubstr("TooFewLosses"))));
}

TEST(Explanation, DoesNotTellOfAChangeThatCostsMoreThanItBringsOrOfALossOfAnotherSign) {
  explain::JobStory story = running();
  story.job.status.decision->gainPerCore = -0.01;
  story.job.status.progress->forecastFinal = Loss(-0.2);
  const auto text = explain::explanation(story, kFrame);
  EXPECT_THAT(text, Not(AnyOf(HasSubstr("-0.01"), HasSubstr("in the end"))));
}

TEST(Explanation, OfAJobThatNobodyLookedAtSaysSo) {
  explain::JobStory story = running();
  story.job.status = {};
  const auto text = explain::explanation(story, kFrame);
  EXPECT_THAT(text, HasSubstr("no controller has looked at this job yet"));
  EXPECT_THAT(text, HasSubstr("  loss        not read yet\n"));
}

TEST(Explanation, DrawsTheLossWhereItIsToBeHad) {
  explain::JobStory story = running();
  EXPECT_THAT(explain::explanation(story, kFrame), Not(HasSubstr("Loss over time")));
  for (int i = 0; i < 100; ++i) story.losses.push_back({kNow - Seconds(500 - 5 * i), 100.0 - i});
  EXPECT_THAT(explain::explanation(story, kFrame), HasSubstr("Loss over time\n        100 "));
}

TEST(NotableConditions, AreThoseThatAreNotAsWhileAllIsWell) {
  JobStatus status;
  status.state = JobState::Running;
  set(status.conditions, condition(ConditionType::Ready, Truth::True, "Running", ""));
  set(status.conditions, condition(ConditionType::ModelFitted, Truth::True, "Fitted", ""));
  set(status.conditions, condition(ConditionType::Resizing, Truth::False, "Settled", ""));
  EXPECT_THAT(explain::notableConditions(status), IsEmpty());
  set(status.conditions, condition(ConditionType::MetricsAvailable, Truth::Unknown, "LossSourceDown", ""));
  set(status.conditions, condition(ConditionType::Resizing, Truth::False, "InPlaceResizeUnsupported", ""));
  EXPECT_THAT(explain::notableConditions(status), SizeIs(2));
}

TEST(Stops, SayWhatIsNotKnownYet) {
  kube::objects::StoredJob job;
  job.job.spec.stop = {.lossReductionPercent = 95, .maxIterations = 5000, .activeDeadline = Seconds(60)};
  const auto stops = explain::stopsOf(job, kNow);
  ASSERT_THAT(stops, SizeIs(3));
  EXPECT_EQ(stops[0].sofar, "not forecast yet");
  EXPECT_EQ(stops[1].sofar, "none read yet");
  EXPECT_EQ(stops[2].sofar, "not started yet");
  for (const auto& stop : stops) EXPECT_FALSE(stop.share);
  EXPECT_THAT(explain::stopsOf({}, kNow), IsEmpty());
}

std::vector<terminal::CurvePoint> curve(const std::vector<double>& values) {
  std::vector<terminal::CurvePoint> points;
  for (const double value : values)
    points.push_back({kNow - Seconds(100) + Seconds(10.0 * points.size()), value});
  return points;
}

TEST(Plot, DrawsAFallingLoss) {
  EXPECT_THAT(
      terminal::plotLines(curve({4, 3, 2, 1, 1}), kNow, {.columns = 5, .lines = 2}, {.unicode = true}),
      ElementsAre("        4 █▃", "        1 ██▆▁▁", "          1:40 ago 1:00 ago"));
  EXPECT_THAT(
      terminal::plotLines(curve({4, 3, 2, 1, 1}), kNow, {.columns = 5, .lines = 2}, {.unicode = false}),
      ElementsAre("        4 #", "        1 ###", "          1:40 ago 1:00 ago"));
}

TEST(Plot, LeavesOutWhatIsNoNumberAndDrawsNothingOfLessThanTwo) {
  const double nan = std::nan("");
  EXPECT_THAT(terminal::plotLines(curve({4, nan, 1}), kNow, {.columns = 3, .lines = 2}, {}), SizeIs(3));
  EXPECT_THAT(terminal::plotLines(curve({4, nan}), kNow, {.columns = 3, .lines = 2}, {}), IsEmpty());
  EXPECT_THAT(terminal::plotLines({}, kNow, {}, {}), IsEmpty());
}

TEST(Plot, OfAConstantLossIsFlat) {
  const auto lines =
      terminal::plotLines(curve({2, 2, 2}), kNow, {.columns = 3, .lines = 2}, {.unicode = true});
  EXPECT_EQ(lines[1], "        2 ▁▁▁");
}

TEST(PrometheusAddress, IsAUrlOrAServiceOfTheCluster) {
  const std::pair<const char*, cluster::PrometheusAddress> cases[] = {
      {"http://localhost:9090", {"http://localhost:9090", ""}},
      {"https://p.example/prefix/", {"https://p.example", "/prefix"}},
      {"monitoring/prometheus:9090", {"", "/api/v1/namespaces/monitoring/services/prometheus:9090/proxy"}},
      {"monitoring/prometheus:web", {"", "/api/v1/namespaces/monitoring/services/prometheus:web/proxy"}},
  };
  for (const auto& [text, address] : cases)
    EXPECT_EQ(cluster::prometheusFrom(text).value_or(cluster::PrometheusAddress()), address);
  for (const char* odd : {"", "localhost", "localhost:9090", "a/b", "/b:1", "a/:1", "a/b:", "a/b/c:1"}) {
    EXPECT_FALSE(cluster::prometheusFrom(odd)) << odd;
  }
}

TEST(MissingJob, IsToldWithWhatThereIs) {
  const JobKey key{"team-a", "logrge"};
  EXPECT_EQ(cluster::missingSentence(key, {"logreg", "svm"}),
            "there is no TrainingJob team-a/logrge; did you mean logreg?");
  EXPECT_EQ(cluster::missingSentence(key, {}),
            "there is no TrainingJob team-a/logrge; the namespace team-a has none");
  EXPECT_EQ(cluster::missingSentence({"team-a", "zzzzzz"}, {"a", "b", "c", "d", "e", "f", "g"}),
            "there is no TrainingJob team-a/zzzzzz; there are a, b, c, d, e and 2 more");
}

}  // namespace
}  // namespace slaq::cli
