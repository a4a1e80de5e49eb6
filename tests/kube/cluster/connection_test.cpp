#include "kube/cluster/connection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slaq::kube::cluster {
namespace {

TEST(WhyStale, NamesTheCollectionThatWasSilentForLongest) {
  EXPECT_FALSE(whyStale({}));
  EXPECT_FALSE(whyStale({{"jobs", Seconds(95)}, {"pods", Seconds(150)}}));
  const auto why = whyStale({{"jobs", Seconds(190)}, {"pods", Seconds(3600)}, {"nodes", Seconds(0)}});
  ASSERT_TRUE(why);
  EXPECT_THAT(*why, ::testing::StartsWith("the API server has said nothing of pods for 3600 s"));
}

}  // namespace
}  // namespace slaq::kube::cluster
