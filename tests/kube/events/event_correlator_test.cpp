#include "kube/events/event_correlator.h"

#include <gtest/gtest.h>

#include "kube/events/event_recorder.h"
#include "kube/support/json.h"

namespace slaq::kube::events {
namespace {

Occurrence at(double seconds, const std::string& reason, const std::string& uid = "u") {
  return {{"team-a", "logreg"}, uid, {false, reason, "A sentence."}, Time(Seconds(1769860800 + seconds))};
}

TEST(EventCorrelator, CountsTheSameReasonInOneEvent) {
  EventCorrelator correlator;
  const auto first = correlator.correlate(at(0, "Scaled"));
  const auto second = correlator.correlate(at(10, "Scaled"));
  ASSERT_TRUE(first && second);
  EXPECT_FALSE(first->sent);
  EXPECT_TRUE(second->sent);
  EXPECT_EQ(second->name, first->name);
  EXPECT_EQ(second->count, 2);
  EXPECT_EQ(toRfc3339(second->first), "2026-01-31T12:00:00Z");
  EXPECT_EQ(toRfc3339(second->last), "2026-01-31T12:00:10Z");
}

TEST(EventCorrelator, KeepsReasonsAndJobsApart) {
  EventCorrelator correlator;
  const auto a = correlator.correlate(at(0, "Scaled"));
  const auto b = correlator.correlate(at(0, "Started"));
  const auto c = correlator.correlate(at(0, "Scaled", "another"));
  EXPECT_NE(a->name, b->name);
  EXPECT_NE(a->name, c->name);
  EXPECT_EQ(c->count, 1);
}

TEST(EventCorrelator, AfterABurstOf25SendsOneIn5Minutes) {
  EventCorrelator correlator;
  for (int i = 0; i < 25; ++i) EXPECT_TRUE(correlator.correlate(at(i * 0.001, "Scaled"))) << i;
  EXPECT_FALSE(correlator.correlate(at(1, "Scaled")));
  EXPECT_FALSE(correlator.correlate(at(200, "Scaled")));
  const auto late = correlator.correlate(at(400, "Scaled"));
  ASSERT_TRUE(late);
  EXPECT_EQ(late->count, 28);  // those that were held back too
  EXPECT_FALSE(correlator.correlate(at(401, "Scaled")));
  EXPECT_TRUE(correlator.correlate(at(402, "Scaled", "another job")));
}

TEST(EventCorrelator, ForgetsTheOldestOfVeryMany) {
  EventCorrelator correlator;
  for (int i = 0; i < 10000; ++i) ASSERT_TRUE(correlator.correlate(at(i, "Scaled", std::to_string(i))));
  EXPECT_FALSE(correlator.correlate(at(20000, "Scaled", "0"))->sent);
  EXPECT_TRUE(correlator.correlate(at(20000, "Scaled", "9999"))->sent);
}

TEST(EventCorrelator, AnEventNamesItsJob) {
  const auto occurrence = at(0, "Scaled");
  EventCorrelator correlator;
  const auto record = correlator.correlate(occurrence);
  const auto body = parse(eventBody(occurrence, *record));
  EXPECT_STREQ(body["involvedObject"]["kind"].GetString(), "TrainingJob");
  EXPECT_STREQ(body["involvedObject"]["uid"].GetString(), "u");
  EXPECT_STREQ(body["type"].GetString(), "Normal");
  EXPECT_STREQ(body["firstTimestamp"].GetString(), "2026-01-31T12:00:00Z");
}

}  // namespace
}  // namespace slaq::kube::events
