#include "kube/objects/runbooks.h"

#include <gmock/gmock.h>

#include "kube/objects/status_patch.h"
#include "kube/objects/training_job.h"
#include "kube/support/jobs.h"

namespace slaq::kube::objects {
namespace {

constexpr const char* kDocs = "https://docs.example.com/slaq";

TEST(Runbooks, EndAMessageAndAreTakenOffAgain) {
  const std::string told = withRunbook("no loss (of any kind)", "NoLoss", kDocs);
  EXPECT_EQ(told, "no loss (of any kind) (https://docs.example.com/slaq/conditions.md#noloss)");
  EXPECT_EQ(withoutRunbook(told), "no loss (of any kind)");
  EXPECT_EQ(withRunbook("no loss", "NoLoss", ""), "no loss");
  for (const char* text : {"", "(", " (", "no loss (of any kind)", "see /conditions.md#noloss"})
    EXPECT_EQ(withoutRunbook(text), text);
}

TEST(Runbooks, AreForWhatMayBeWrong) {
  const auto needs = [](ConditionType type, Truth status, const char* reason) {
    return needsRunbook({type, status, reason, "", Time(), 1});
  };
  EXPECT_TRUE(needs(ConditionType::Ready, Truth::False, "Waiting"));
  EXPECT_TRUE(needs(ConditionType::MetricsAvailable, Truth::False, "NoLoss"));
  EXPECT_TRUE(needs(ConditionType::MetricsAvailable, Truth::Unknown, "LossSourceDown"));
  EXPECT_TRUE(needs(ConditionType::Resizing, Truth::False, "GrowthGivenBack"));
  EXPECT_TRUE(needs(ConditionType::Failed, Truth::True, "TrainingFailed"));
  EXPECT_TRUE(needs(ConditionType::Stalled, Truth::True, "Refused"));
  EXPECT_TRUE(needs(ConditionType::MetricsAvailable, Truth::True, "SeveralSeries"));
  EXPECT_FALSE(needs(ConditionType::Ready, Truth::True, "Running"));
  EXPECT_FALSE(needs(ConditionType::MetricsAvailable, Truth::Unknown, "Starting"));
  EXPECT_FALSE(needs(ConditionType::Resizing, Truth::False, "Settled"));
  EXPECT_FALSE(needs(ConditionType::Suspended, Truth::True, "Suspended"));
  EXPECT_FALSE(needs(ConditionType::Stalled, Truth::False, "Resolved"));
}

// Otherwise each epoch would write what it read.
TEST(Runbooks, AreNoNewsWhenAStatusIsReadAgain) {
  auto stored = readStoredJob(parse(jobText()));
  JobStatus status;
  set(status.conditions, {ConditionType::Ready, Truth::False, "Waiting", "not yet", Time(), 1});
  const auto patch = parse(statusPatch(stored, status, kDocs));
  const auto& written = patch["status"]["conditions"][0];
  EXPECT_STREQ(written["message"].GetString(),
               "not yet (https://docs.example.com/slaq/conditions.md#waiting)");

  auto object = parse(jobText());
  rapidjson::Value inServer;
  inServer.CopyFrom(patch["status"], object.GetAllocator());
  object.AddMember("status", std::move(inServer), object.GetAllocator());
  stored = readStoredJob(object);
  EXPECT_EQ(stored.status.conditions.at(0).message, "not yet");
  EXPECT_TRUE(statusReached(stored, status));
}

}  // namespace
}  // namespace slaq::kube::objects
