#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "trainer/problem/problem.h"
#include "trainer/protocol/chunk_cache.h"

namespace slaq::trainer {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Holdings, KeepWhatIsUsed) {
  protocol::Holdings holdings;
  EXPECT_THAT(holdings.beginRound(1), IsEmpty());
  EXPECT_FALSE(holdings.use(7));
  EXPECT_TRUE(holdings.use(7));
  for (std::int64_t round = 2; round < 200; ++round) {
    EXPECT_THAT(holdings.beginRound(round), IsEmpty());
    EXPECT_TRUE(holdings.use(7));
  }
}

TEST(Holdings, GiveUpWhatOthersUse) {
  protocol::Holdings holdings;
  holdings.beginRound(1);
  holdings.use(7), holdings.use(8);
  EXPECT_THAT(holdings.beginRound(1 + problem::kKeptRounds), IsEmpty());
  holdings.use(8);
  EXPECT_THAT(holdings.beginRound(2 + problem::kKeptRounds), ElementsAre(7));
  EXPECT_TRUE(holdings.use(8));
  EXPECT_FALSE(holdings.use(7)) << "it must be sent again";
}

TEST(Holdings, OutliveADriverWhoseRoundsBeginAgainOrGoOn) {
  for (const std::int64_t next : {1, 5000}) {
    protocol::Holdings holdings;
    holdings.beginRound(500);
    holdings.use(7);
    holdings.renew();
    EXPECT_THAT(holdings.beginRound(next), IsEmpty());
    EXPECT_THAT(holdings.beginRound(next + problem::kKeptRounds), IsEmpty());
    EXPECT_THAT(holdings.beginRound(next + problem::kKeptRounds + 1), ElementsAre(7));
  }
}

}  // namespace
}  // namespace slaq::trainer
