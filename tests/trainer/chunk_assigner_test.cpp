#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "trainer/driver/chunk_assigner.h"
#include "trainer/problem/problem.h"

namespace slaq::trainer {
namespace {

using testing::ElementsAre;

constexpr Seconds kNow{100};
constexpr Seconds kMuchLater{1000};

std::optional<std::int64_t> next(driver::ChunkLedger& ledger, driver::WorkerId worker, Seconds now = kNow) {
  const auto assignment = ledger.assign(worker, now);
  return assignment ? std::optional(assignment->chunk) : std::nullopt;
}

// Lets one worker do a whole round.
std::vector<std::int64_t> doRound(driver::ChunkLedger& ledger, driver::WorkerId worker) {
  std::vector<std::int64_t> chunks;
  while (const auto chunk = next(ledger, worker)) {
    EXPECT_TRUE(ledger.complete(worker, *chunk, kNow));
    chunks.push_back(*chunk);
  }
  return chunks;
}

TEST(ChunkLedger, GivesAWorkerOneChunkToComputeAndOneToWait) {
  driver::ChunkLedger ledger(5);
  ledger.join(1);
  EXPECT_TRUE(next(ledger, 1));
  const auto second = next(ledger, 1);
  EXPECT_TRUE(second);
  EXPECT_FALSE(next(ledger, 1));
  EXPECT_TRUE(ledger.complete(1, *second, kNow));
  EXPECT_TRUE(next(ledger, 1));
}

TEST(ChunkLedger, HandsEveryChunkOutOnceInARound) {
  driver::ChunkLedger ledger(5);
  ledger.join(1);
  EXPECT_THAT(doRound(ledger, 1), testing::UnorderedElementsAre(0, 1, 2, 3, 4));
  EXPECT_FALSE(next(ledger, 1));
  ledger.beginRound();
  EXPECT_THAT(doRound(ledger, 1), ElementsAre(0, 1, 2, 3, 4)) << "all held now: from the low end";
}

TEST(ChunkLedger, GivesWhatAWorkerHoldsAgain) {
  driver::ChunkLedger ledger(4);
  ledger.join(1);
  ledger.join(2);
  std::set<std::int64_t> first;
  std::set<std::int64_t> second;
  for (auto [worker, held] : {std::pair(1, &first), std::pair(2, &second)}) {
    held->insert(*next(ledger, worker));
    held->insert(*next(ledger, worker));
  }
  for (const auto chunk : first) EXPECT_TRUE(ledger.complete(1, chunk, kNow));
  for (const auto chunk : second) EXPECT_TRUE(ledger.complete(2, chunk, kNow));
  ledger.beginRound();
  EXPECT_TRUE(second.contains(*next(ledger, 2)));
  EXPECT_TRUE(second.contains(*next(ledger, 2)));
  EXPECT_TRUE(first.contains(*next(ledger, 1)));
  EXPECT_TRUE(first.contains(*next(ledger, 1)));
}

TEST(ChunkLedger, LetsANewWorkerTakeFromTheFarEndOfTheOwners) {
  driver::ChunkLedger ledger(6);
  ledger.join(1);
  doRound(ledger, 1);
  ledger.beginRound();
  ledger.join(2);
  EXPECT_EQ(next(ledger, 1), 0);
  EXPECT_EQ(next(ledger, 2), 5);
  EXPECT_EQ(next(ledger, 1), 1);
  EXPECT_EQ(next(ledger, 2), 4);
}

TEST(ChunkLedger, LeavesWhatSeveralHoldToTheEnd) {
  driver::ChunkLedger ledger(3);
  ledger.join(1);
  doRound(ledger, 1);
  ledger.beginRound();
  ledger.join(2);
  EXPECT_EQ(next(ledger, 2), 2);
  EXPECT_TRUE(ledger.complete(2, 2, kNow));
  doRound(ledger, 1);
  ledger.beginRound();
  EXPECT_THAT(doRound(ledger, 1), ElementsAre(0, 1, 2));
}

TEST(ChunkLedger, ForgetsWhatAWorkerHeldTooLongAgo) {
  driver::ChunkLedger ledger(2);
  ledger.join(1);
  doRound(ledger, 1);
  ledger.join(2);
  for (std::int64_t i = 0; i <= problem::kKeptRounds; ++i) {
    ledger.beginRound();
    doRound(ledger, 2);
  }
  ledger.beginRound();
  EXPECT_EQ(next(ledger, 1), 1) << "a stranger's choice: from the high end";
}

TEST(ChunkLedger, GivesTheChunksOfALostWorkerToOthers) {
  driver::ChunkLedger ledger(2);
  ledger.join(1);
  const auto first = next(ledger, 1);
  const auto second = next(ledger, 1);
  ledger.join(2);
  ledger.leave(1);
  EXPECT_FALSE(ledger.knows(1));
  EXPECT_THAT(doRound(ledger, 2), testing::UnorderedElementsAre(*first, *second));
}

TEST(ChunkLedger, TakesNoResultTwice) {
  driver::ChunkLedger ledger(2);
  ledger.join(1);
  ledger.join(2);
  EXPECT_TRUE(ledger.complete(1, 0, kNow));
  EXPECT_FALSE(ledger.complete(1, 0, kNow));
  EXPECT_FALSE(ledger.complete(2, 0, kNow));
}

TEST(ChunkLedger, LetsAnIdleWorkerTakeWhatWaitsAtAnother) {
  driver::ChunkLedger ledger(2);
  ledger.join(1);
  const auto computing = next(ledger, 1);
  const auto waiting = next(ledger, 1);
  ledger.join(2);
  EXPECT_EQ(ledger.assign(2, kNow), (driver::Assignment{*waiting, 1}));
  EXPECT_FALSE(ledger.assign(2, kNow)) << "what is being computed stays where it is";
  EXPECT_TRUE(ledger.complete(1, *computing, kNow));
  EXPECT_FALSE(ledger.assign(1, kNow)) << "a single chunk is not taken back";
}

TEST(ChunkLedger, RepeatsWhatAWorkerHasHadForFarTooLong) {
  driver::ChunkLedger ledger(1);
  ledger.join(1);
  EXPECT_EQ(next(ledger, 1), 0);
  ledger.join(2);
  EXPECT_FALSE(next(ledger, 2));
  EXPECT_EQ(ledger.assign(2, kMuchLater), (driver::Assignment{0, std::nullopt}));
  EXPECT_TRUE(ledger.complete(1, 0, kMuchLater));
  EXPECT_FALSE(ledger.complete(2, 0, kMuchLater));
}

TEST(ChunkLedger, GivesAWorkerThatHangsNothingUntilItIsHeardOf) {
  driver::ChunkLedger ledger(4);
  ledger.join(1);
  EXPECT_TRUE(next(ledger, 1));
  ledger.join(2);
  while (const auto chunk = next(ledger, 2)) EXPECT_TRUE(ledger.complete(2, *chunk, kNow));
  const auto repeated = next(ledger, 2, kMuchLater);
  ASSERT_TRUE(repeated);
  EXPECT_TRUE(ledger.complete(2, *repeated, kMuchLater));
  ledger.beginRound();
  EXPECT_FALSE(next(ledger, 1, kMuchLater));
  ledger.hear(1);
  EXPECT_TRUE(next(ledger, 1, kMuchLater));
}

TEST(ChunkLedger, WaitsLongerForWhatTakesLong) {
  driver::ChunkLedger ledger(2);
  ledger.join(1);
  EXPECT_TRUE(next(ledger, 1));
  EXPECT_TRUE(ledger.complete(1, 1, kNow + Seconds(500)));
  EXPECT_EQ(next(ledger, 1, kNow + Seconds(500)), 0);
  ledger.join(2);
  EXPECT_FALSE(next(ledger, 2, kNow + Seconds(1000)));
  EXPECT_EQ(next(ledger, 2, kNow + Seconds(3000)), 0);
}

// Workers that come, go and answer at random: every round ends, and each chunk counts once in it.
TEST(ChunkLedger, CompletesEveryRoundWhateverWorkersDo) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    std::mt19937 random(seed);
    constexpr std::int64_t kChunks = 16;
    driver::ChunkLedger ledger(kChunks);
    std::map<driver::WorkerId, std::vector<std::int64_t>> given;
    driver::WorkerId last = 0;
    Seconds now = kNow;
    for (int round = 0; round < 10; ++round) {
      std::int64_t counted = 0;
      for (int step = 0; counted < kChunks; ++step) {
        ASSERT_LT(step, 10000) << "seed " << seed << ": the round does not end";
        now += Seconds(0.01);
        if (given.size() < 2 || random() % 20 == 0) ledger.join(++last), given[last];
        auto pick = std::next(given.begin(), static_cast<std::ptrdiff_t>(random() % given.size()));
        if (random() % 25 == 0) {
          ledger.leave(pick->first), given.erase(pick);
          continue;
        }
        while (const auto assignment = ledger.assign(pick->first, now)) {
          pick->second.push_back(assignment->chunk);
          if (assignment->takenFrom) std::erase(given.at(*assignment->takenFrom), assignment->chunk);
        }
        if (pick->second.empty()) continue;
        counted += ledger.complete(pick->first, pick->second.front(), now) ? 1 : 0;
        pick->second.erase(pick->second.begin());
      }
      ledger.beginRound();
      for (auto& [worker, chunks] : given) chunks.clear();
    }
  }
}

}  // namespace
}  // namespace slaq::trainer
