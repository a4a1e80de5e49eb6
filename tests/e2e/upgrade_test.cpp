// What people who upgrade the operator see of it, and what their trainings see: nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "end_to_end.h"
#include "manifests.h"

namespace slaq::e2e {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Upgrade : public EndToEnd {
 protected:
  void SetUp() override {
    EndToEnd::SetUp();
    // A fair share changes only if the upgrade changes it; LookAhead's own mind changes with the speeds it
    // sees.
    configure("config.policy=Fair");
    apply(learnsLong("first", 1000000));
    apply(learnsLong("second", 1000000));
    // A core in all, half a tenth for each driver and a tenth for each worker.
    ASSERT_TRUE(cluster().eventually("both have their share, and losses were seen", [&] {
      return !status("first", "progress.loss").empty() && !status("second", "progress.loss").empty() &&
             parallelism("first") + parallelism("second") == 9;
    })) << cluster().log();
    sizes_ = sizes();
  }

  // The sizes of both and how often they were changed.
  std::string sizes() const {
    return cluster().kubectl(
        "get jobs -o jsonpath='{range .items[*]}{.metadata.name} {.spec.parallelism} "
        "{.metadata.generation}\n{end}'");
  }

  std::string sizes_;
};

TEST_F(Upgrade, AndRollbackInMidTrainingChangeNoWorkerCount) {
  cluster().configure("config.policy=Fair,config.resize.growSeconds=6");
  EXPECT_TRUE(cluster().eventually("eight epochs pass", [&] { return cluster().epoch() >= 8; }));
  EXPECT_THAT(cluster().log(), Not(HasSubstr("event=action")));
  EXPECT_EQ(sizes(), sizes_);
  cluster().rollBack();
  EXPECT_TRUE(cluster().eventually("eight epochs pass", [&] { return cluster().epoch() >= 8; }));
  EXPECT_THAT(cluster().log(), Not(HasSubstr("event=action")));
  EXPECT_EQ(sizes(), sizes_);
}

TEST_F(Upgrade, ThatCannotBeUsedIsRefusedAndTheOldControllerLeads) {
  const std::string before = cluster().controllers();
  const auto pauses = cluster().tryToConfigure("config.policy=Fair,config.resize.growSeconds=40");
  EXPECT_NE(pauses.code, 0);
  EXPECT_THAT(pauses.text, HasSubstr("resize.growSeconds: must be less than horizonSeconds (30)"));
  const auto file = cluster().tryToConfigure("config.loss.prometheus.caFile=/etc/none.crt");
  EXPECT_NE(file.code, 0);
  EXPECT_THAT(file.text, HasSubstr("/etc/none.crt"));
  EXPECT_EQ(cluster().controllers(), before);
  const int epoch = cluster().epoch();
  EXPECT_TRUE(cluster().eventually("it goes on", [&] { return cluster().epoch() >= epoch + 3; }));
  EXPECT_EQ(sizes(), sizes_);
}

TEST_F(Upgrade, UninstallingLeavesTheTrainingsAlone) {
  const std::string pods = cluster().kubectl("get pods -o jsonpath='{.items[*].metadata.uid}'");
  cluster().uninstall();
  EXPECT_EQ(cluster().kubectl("get pods -o jsonpath='{.items[*].metadata.uid}'"), pods);
  EXPECT_THAT(cluster().kubectl("get trainingjobs"), HasSubstr("first"));
  EXPECT_EQ(sizes(), sizes_);
  // Under another name, and under the first one again; the definition of TrainingJobs is there all the while.
  cluster().installAs("other");
  EXPECT_EQ(cluster().kubectl("get pods -o jsonpath='{.items[*].metadata.uid}'"), pods);
  cluster().uninstall("other");
  cluster().configure("config.policy=Fair");
  EXPECT_TRUE(cluster().eventually("eight epochs pass", [&] { return cluster().epoch() >= 8; }));
  EXPECT_EQ(sizes(), sizes_);
}

}  // namespace
}  // namespace slaq::e2e
