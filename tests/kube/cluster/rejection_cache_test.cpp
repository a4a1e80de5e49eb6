#include "kube/cluster/rejection_cache.h"

#include <gmock/gmock.h>

namespace slaq::kube::cluster {
namespace {

using ::testing::Optional;

constexpr Time kThen{Seconds(1000)};

TrainingJob jobOf(const std::string& uid, std::int64_t generation) {
  TrainingJob job;
  job.key = {"team-a", "job"};
  job.uid = uid;
  job.generation = generation;
  return job;
}

TEST(RejectionCache, HoldsForAWhileAndForTheSpecificationThatWasRefused) {
  RejectionCache cache;
  cache.add(jobOf("u", 1), "no such image", kThen);
  EXPECT_THAT(cache.find(jobOf("u", 1), kThen + Seconds(1)), Optional(std::string("no such image")));
  EXPECT_EQ(cache.find(jobOf("u", 2), kThen + Seconds(1)), std::nullopt) << "its owner has edited it";
  EXPECT_EQ(cache.find(jobOf("v", 1), kThen + Seconds(1)), std::nullopt) << "it was made again";
  EXPECT_EQ(cache.find(jobOf("u", 1), kThen + Seconds(600)), std::nullopt);
}

}  // namespace
}  // namespace slaq::kube::cluster
