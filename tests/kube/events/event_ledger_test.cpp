#include "kube/events/event_ledger.h"

#include <gtest/gtest.h>

#include "kube/events/event_recorder.h"
#include "kube/support/json.h"

namespace slaq::kube::events {
namespace {

Occurrence at(double seconds, const std::string& reason, const std::string& uid = "u") {
  return {{"team-a", "logreg"}, uid, {false, reason, "A sentence."}, Time(Seconds(1769860800 + seconds))};
}

TEST(EventLedger, CountsTheSameReasonInOneEvent) {
  EventLedger ledger;
  const auto first = ledger.note(at(0, "Scaled"));
  const auto second = ledger.note(at(10, "Scaled"));
  ASSERT_TRUE(first && second);
  EXPECT_FALSE(first->sent);
  EXPECT_TRUE(second->sent);
  EXPECT_EQ(second->name, first->name);
  EXPECT_EQ(second->count, 2);
  EXPECT_EQ(toRfc3339(second->first), "2026-01-31T12:00:00Z");
  EXPECT_EQ(toRfc3339(second->last), "2026-01-31T12:00:10Z");
}

TEST(EventLedger, KeepsReasonsAndJobsApart) {
  EventLedger ledger;
  const auto a = ledger.note(at(0, "Scaled"));
  const auto b = ledger.note(at(0, "Started"));
  const auto c = ledger.note(at(0, "Scaled", "another"));
  EXPECT_NE(a->name, b->name);
  EXPECT_NE(a->name, c->name);
  EXPECT_EQ(c->count, 1);
}

TEST(EventLedger, AfterABurstOf25SendsOneIn5Minutes) {
  EventLedger ledger;
  for (int i = 0; i < 25; ++i) EXPECT_TRUE(ledger.note(at(i * 0.001, "Scaled"))) << i;
  EXPECT_FALSE(ledger.note(at(1, "Scaled")));
  EXPECT_FALSE(ledger.note(at(200, "Scaled")));
  const auto late = ledger.note(at(400, "Scaled"));
  ASSERT_TRUE(late);
  EXPECT_EQ(late->count, 28);  // those that were held back too
  EXPECT_FALSE(ledger.note(at(401, "Scaled")));
  EXPECT_TRUE(ledger.note(at(402, "Scaled", "another job")));
}

TEST(EventLedger, ForgetsTheOldestOfVeryMany) {
  EventLedger ledger;
  for (int i = 0; i < 10000; ++i) ASSERT_TRUE(ledger.note(at(i, "Scaled", std::to_string(i))));
  EXPECT_FALSE(ledger.note(at(20000, "Scaled", "0"))->sent);
  EXPECT_TRUE(ledger.note(at(20000, "Scaled", "9999"))->sent);
}

TEST(EventLedger, AnEventNamesItsJob) {
  const auto occurrence = at(0, "Scaled");
  EventLedger ledger;
  const auto record = ledger.note(occurrence);
  const auto body = parse(eventBody(occurrence, *record));
  EXPECT_STREQ(body["involvedObject"]["kind"].GetString(), "TrainingJob");
  EXPECT_STREQ(body["involvedObject"]["uid"].GetString(), "u");
  EXPECT_STREQ(body["type"].GetString(), "Normal");
  EXPECT_STREQ(body["firstTimestamp"].GetString(), "2026-01-31T12:00:00Z");
}

}  // namespace
}  // namespace slaq::kube::events
