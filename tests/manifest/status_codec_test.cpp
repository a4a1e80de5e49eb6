#include "manifest/status_codec.h"

#include <gmock/gmock.h>
#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>

#include <cmath>

#include "json.h"

namespace slaq::manifest {
namespace {

Time at(double seconds) { return Time(Seconds(1769860800 + seconds)); }  // 2026-01-31T12:00:00Z

JobStatus fullStatus() {
  JobStatus out;
  out.state = JobState::Running;
  set(out.conditions, {ConditionType::Ready, Truth::True, "Trains", "4 workers are ready.", at(1), 3});
  set(out.conditions, {ConditionType::Resizing, Truth::False, "Settled", "No change.", at(2), 3});
  out.observedGeneration = 3;
  out.started = at(0);
  out.completed = at(60);
  out.replicas = Workers(4);
  out.ready = Workers(3);
  out.desired = Workers(5);
  out.progress = Progress{Iterations(120), Loss(0.1234), 0.25, Seconds(90), "Sublinear"};
  out.decision = Decision{Workers(5), Cores(2500), 0.0123, 0.00041, "Largest gain.", at(30)};
  return out;
}

std::string pretty(const JobStatus& status) {
  rapidjson::Document document;
  const auto value = writeStatus(status, document.GetAllocator());
  rapidjson::StringBuffer buffer;
  rapidjson::PrettyWriter<rapidjson::StringBuffer> writer(buffer);
  writer.SetIndent(' ', 2);
  value.Accept(writer);
  return buffer.GetString();
}

JobStatus roundTrip(const JobStatus& status) {
  rapidjson::Document document;
  return readStatus(writeStatus(status, document.GetAllocator()));
}

TEST(StatusCodec, WritesDecimalsAsStringsAndTimesInUtc) {
  EXPECT_EQ(pretty(fullStatus()), R"({
  "state": "Running",
  "conditions": [
    {
      "type": "Ready",
      "status": "True",
      "reason": "Trains",
      "message": "4 workers are ready.",
      "lastTransitionTime": "2026-01-31T12:00:01Z",
      "observedGeneration": 3
    },
    {
      "type": "Resizing",
      "status": "False",
      "reason": "Settled",
      "message": "No change.",
      "lastTransitionTime": "2026-01-31T12:00:02Z",
      "observedGeneration": 3
    }
  ],
  "observedGeneration": 3,
  "startTime": "2026-01-31T12:00:00Z",
  "completionTime": "2026-01-31T12:01:00Z",
  "replicas": 4,
  "readyReplicas": 3,
  "desiredReplicas": 5,
  "progress": {
    "iteration": 120,
    "loss": "0.1234",
    "level": "0.25",
    "progressPercentage": 75,
    "estimatedRemainingSeconds": 90,
    "convergence": "Sublinear"
  },
  "decision": {
    "workers": 5,
    "cores": "2500m",
    "predictedReduction": "0.0123",
    "gainPerCore": "0.00041",
    "reason": "Largest gain.",
    "since": "2026-01-31T12:00:30Z"
  }
})");
}

TEST(StatusCodec, ReadsBackWhatItWrote) { EXPECT_EQ(roundTrip(fullStatus()), fullStatus()); }

TEST(StatusCodec, ReadsBackWhatWasForecastAndWhatItCost) {
  auto status = fullStatus();
  status.progress->forecastFinal = Loss(-0.05);
  status.progress->milestones = {{90, Iterations(12)}, {99, Iterations(500)}};
  status.speeds = {{Workers(1), Seconds(12.5), true}, {Workers(2), Seconds(7), false}};
  status.decision->price = 0.0021;
  status.decision->forecast = Loss(0.11);
  status.decision->workerCpu = Cores(750);
  EXPECT_EQ(roundTrip(status), status);
  for (const char* field : {R"("forecastFinalLoss": "-0.05")", R"("price": "0.0021")",
                            R"("forecastLoss": "0.11")", R"("workerCpu": "750m")"}) {
    EXPECT_THAT(pretty(status), testing::HasSubstr(field));
  }
}

TEST(StatusCodec, ReadsBackAnEmptyStatus) { EXPECT_EQ(roundTrip(JobStatus()), JobStatus()); }

TEST(StatusCodec, ReadsBackEveryState) {
  for (const auto state : {JobState::Pending, JobState::Waiting, JobState::Running, JobState::Suspended,
                           JobState::Complete, JobState::Failed}) {
    JobStatus status;
    status.state = state;
    EXPECT_EQ(roundTrip(status).state, state);
  }
}

TEST(StatusCodec, KeepsWhatAJobIsExpectedToDoAndWhatItHasShown) {
  JobStatus status;
  status.resizeCost = ResizeCost{.grow = Seconds(31.5), .shrink = {}, .lost = Seconds(0)};
  status.kind = KindStatus{.name = "resnet", .trainings = 12};
  status.speeds = {{Workers(2), Seconds(4), true}};
  EXPECT_EQ(roundTrip(status), status);
}

TEST(StatusCodec, KeepsNumbersThatAreNone) {
  JobStatus status;
  status.progress = Progress{Iterations(1), Loss(NAN), std::nullopt, std::nullopt, ""};
  EXPECT_TRUE(std::isnan(roundTrip(status).progress->loss.value()));
  status.progress->loss = Loss(INFINITY);
  EXPECT_EQ(roundTrip(status).progress->loss, Loss(INFINITY));
  status.progress->loss = Loss(-INFINITY);
  EXPECT_EQ(roundTrip(status).progress->loss, Loss(-INFINITY));
}

TEST(StatusCodec, BoundsNumbersThatNoIntegerCanHold) {
  JobStatus status;
  status.progress = Progress{Iterations(1e300), Loss(1), NAN, Seconds(INFINITY), ""};
  const auto back = roundTrip(status);
  EXPECT_EQ(back.progress->iteration, Iterations(9e15));
  EXPECT_EQ(back.progress->remaining, Seconds(0));
}

TEST(StatusCodec, IgnoresWhatItDoesNotKnowAndWhatIsMalformed) {
  const auto status = readStatus(json(R"({
    'state': 'Dancing', 'conditions': [{'type': 'Sunny', 'status': 'True'}, 3,
      {'type': 'Ready', 'status': 'Perhaps', 'lastTransitionTime': 'soon'}],
    'startTime': 'soon', 'replicas': '4', 'readyReplicas': 2, 'progress': 'fine',
    'decision': {'workers': 3, 'cores': 7, 'gainPerCore': 'many'}, 'later': {}})"));
  EXPECT_EQ(status.state, JobState::Pending);
  ASSERT_EQ(status.conditions.size(), 1u);
  EXPECT_EQ(status.conditions[0].status, Truth::Unknown);
  EXPECT_EQ(status.started, std::nullopt);
  EXPECT_EQ(status.replicas, Workers(0));
  EXPECT_EQ(status.ready, Workers(2));
  EXPECT_EQ(status.decision->workers, Workers(3));
  EXPECT_EQ(status.decision->gainPerCore, 0);
}

TEST(StatusCodec, ReadsNothingFromWhatIsNoObject) {
  for (const char* text : {"null", "[]", "7"}) EXPECT_EQ(readStatus(json(text)), JobStatus()) << text;
}

}  // namespace
}  // namespace slaq::manifest
