#include "trainer/protocol/chunk_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "trainer/problem/problem.h"

namespace slaq::trainer {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ChunkCache, KeepWhatIsUsed) {
  protocol::ChunkCache cache;
  EXPECT_THAT(cache.beginRound(1), IsEmpty());
  EXPECT_FALSE(cache.use(7));
  EXPECT_TRUE(cache.use(7));
  for (std::int64_t round = 2; round < 200; ++round) {
    EXPECT_THAT(cache.beginRound(round), IsEmpty());
    EXPECT_TRUE(cache.use(7));
  }
}

TEST(ChunkCache, GiveUpWhatOthersUse) {
  protocol::ChunkCache cache;
  cache.beginRound(1);
  cache.use(7), cache.use(8);
  EXPECT_THAT(cache.beginRound(1 + problem::kKeptRounds), IsEmpty());
  cache.use(8);
  EXPECT_THAT(cache.beginRound(2 + problem::kKeptRounds), ElementsAre(7));
  EXPECT_TRUE(cache.use(8));
  EXPECT_FALSE(cache.use(7)) << "it must be sent again";
}

TEST(ChunkCache, OutliveADriverWhoseRoundsBeginAgainOrGoOn) {
  for (const std::int64_t next : {1, 5000}) {
    protocol::ChunkCache cache;
    cache.beginRound(500);
    cache.use(7);
    cache.renew();
    EXPECT_THAT(cache.beginRound(next), IsEmpty());
    EXPECT_THAT(cache.beginRound(next + problem::kKeptRounds), IsEmpty());
    EXPECT_THAT(cache.beginRound(next + problem::kKeptRounds + 1), ElementsAre(7));
  }
}

}  // namespace
}  // namespace slaq::trainer
