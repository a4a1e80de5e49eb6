#include "trainer/driver/chunk_assigner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "trainer/problem/problem.h"

namespace slaq::trainer {
namespace {

using testing::ElementsAre;

constexpr Seconds kNow{100};
constexpr Seconds kMuchLater{1000};

std::optional<std::int64_t> next(driver::ChunkAssigner& assigner, driver::WorkerId worker,
                                 Seconds now = kNow) {
  const auto assignment = assigner.assign(worker, now);
  return assignment ? std::optional(assignment->chunk) : std::nullopt;
}

// Lets one worker do a whole round.
std::vector<std::int64_t> doRound(driver::ChunkAssigner& assigner, driver::WorkerId worker) {
  std::vector<std::int64_t> chunks;
  while (const auto chunk = next(assigner, worker)) {
    EXPECT_TRUE(assigner.complete(worker, *chunk, kNow));
    chunks.push_back(*chunk);
  }
  return chunks;
}

TEST(ChunkAssigner, GivesAWorkerOneChunkToComputeAndOneToWait) {
  driver::ChunkAssigner assigner(5);
  assigner.join(1);
  EXPECT_TRUE(next(assigner, 1));
  const auto second = next(assigner, 1);
  EXPECT_TRUE(second);
  EXPECT_FALSE(next(assigner, 1));
  EXPECT_TRUE(assigner.complete(1, *second, kNow));
  EXPECT_TRUE(next(assigner, 1));
}

TEST(ChunkAssigner, HandsEveryChunkOutOnceInARound) {
  driver::ChunkAssigner assigner(5);
  assigner.join(1);
  EXPECT_THAT(doRound(assigner, 1), testing::UnorderedElementsAre(0, 1, 2, 3, 4));
  EXPECT_FALSE(next(assigner, 1));
  assigner.beginRound();
  EXPECT_THAT(doRound(assigner, 1), ElementsAre(0, 1, 2, 3, 4)) << "all held now: from the low end";
}

TEST(ChunkAssigner, GivesWhatAWorkerHoldsAgain) {
  driver::ChunkAssigner assigner(4);
  assigner.join(1);
  assigner.join(2);
  std::set<std::int64_t> first;
  std::set<std::int64_t> second;
  for (auto [worker, held] : {std::pair(1, &first), std::pair(2, &second)}) {
    held->insert(*next(assigner, worker));
    held->insert(*next(assigner, worker));
  }
  for (const auto chunk : first) EXPECT_TRUE(assigner.complete(1, chunk, kNow));
  for (const auto chunk : second) EXPECT_TRUE(assigner.complete(2, chunk, kNow));
  assigner.beginRound();
  EXPECT_TRUE(second.contains(*next(assigner, 2)));
  EXPECT_TRUE(second.contains(*next(assigner, 2)));
  EXPECT_TRUE(first.contains(*next(assigner, 1)));
  EXPECT_TRUE(first.contains(*next(assigner, 1)));
}

TEST(ChunkAssigner, LetsANewWorkerTakeFromTheFarEndOfTheOwners) {
  driver::ChunkAssigner assigner(6);
  assigner.join(1);
  doRound(assigner, 1);
  assigner.beginRound();
  assigner.join(2);
  EXPECT_EQ(next(assigner, 1), 0);
  EXPECT_EQ(next(assigner, 2), 5);
  EXPECT_EQ(next(assigner, 1), 1);
  EXPECT_EQ(next(assigner, 2), 4);
}

TEST(ChunkAssigner, LeavesWhatSeveralHoldToTheEnd) {
  driver::ChunkAssigner assigner(3);
  assigner.join(1);
  doRound(assigner, 1);
  assigner.beginRound();
  assigner.join(2);
  EXPECT_EQ(next(assigner, 2), 2);
  EXPECT_TRUE(assigner.complete(2, 2, kNow));
  doRound(assigner, 1);
  assigner.beginRound();
  EXPECT_THAT(doRound(assigner, 1), ElementsAre(0, 1, 2));
}

TEST(ChunkAssigner, ForgetsWhatAWorkerHeldTooLongAgo) {
  driver::ChunkAssigner assigner(2);
  assigner.join(1);
  doRound(assigner, 1);
  assigner.join(2);
  for (std::int64_t i = 0; i <= problem::kKeptRounds; ++i) {
    assigner.beginRound();
    doRound(assigner, 2);
  }
  assigner.beginRound();
  EXPECT_EQ(next(assigner, 1), 1) << "a stranger's choice: from the high end";
}

TEST(ChunkAssigner, GivesTheChunksOfALostWorkerToOthers) {
  driver::ChunkAssigner assigner(2);
  assigner.join(1);
  const auto first = next(assigner, 1);
  const auto second = next(assigner, 1);
  assigner.join(2);
  assigner.leave(1);
  EXPECT_FALSE(assigner.knows(1));
  EXPECT_THAT(doRound(assigner, 2), testing::UnorderedElementsAre(*first, *second));
}

TEST(ChunkAssigner, TakesNoResultTwice) {
  driver::ChunkAssigner assigner(2);
  assigner.join(1);
  assigner.join(2);
  EXPECT_TRUE(assigner.complete(1, 0, kNow));
  EXPECT_FALSE(assigner.complete(1, 0, kNow));
  EXPECT_FALSE(assigner.complete(2, 0, kNow));
}

TEST(ChunkAssigner, LetsAnIdleWorkerTakeWhatWaitsAtAnother) {
  driver::ChunkAssigner assigner(2);
  assigner.join(1);
  const auto computing = next(assigner, 1);
  const auto waiting = next(assigner, 1);
  assigner.join(2);
  EXPECT_EQ(assigner.assign(2, kNow), (driver::Assignment{*waiting, 1}));
  EXPECT_FALSE(assigner.assign(2, kNow)) << "what is being computed stays where it is";
  EXPECT_TRUE(assigner.complete(1, *computing, kNow));
  EXPECT_FALSE(assigner.assign(1, kNow)) << "a single chunk is not taken back";
}

TEST(ChunkAssigner, RepeatsWhatAWorkerHasHadForFarTooLong) {
  driver::ChunkAssigner assigner(1);
  assigner.join(1);
  EXPECT_EQ(next(assigner, 1), 0);
  assigner.join(2);
  EXPECT_FALSE(next(assigner, 2));
  EXPECT_EQ(assigner.assign(2, kMuchLater), (driver::Assignment{0, std::nullopt}));
  EXPECT_TRUE(assigner.complete(1, 0, kMuchLater));
  EXPECT_FALSE(assigner.complete(2, 0, kMuchLater));
}

TEST(ChunkAssigner, GivesAWorkerThatHangsNothingUntilItIsHeardOf) {
  driver::ChunkAssigner assigner(4);
  assigner.join(1);
  EXPECT_TRUE(next(assigner, 1));
  assigner.join(2);
  while (const auto chunk = next(assigner, 2)) EXPECT_TRUE(assigner.complete(2, *chunk, kNow));
  const auto repeated = next(assigner, 2, kMuchLater);
  ASSERT_TRUE(repeated);
  EXPECT_TRUE(assigner.complete(2, *repeated, kMuchLater));
  assigner.beginRound();
  EXPECT_FALSE(next(assigner, 1, kMuchLater));
  assigner.hear(1);
  EXPECT_TRUE(next(assigner, 1, kMuchLater));
}

TEST(ChunkAssigner, WaitsLongerForWhatTakesLong) {
  driver::ChunkAssigner assigner(2);
  assigner.join(1);
  EXPECT_TRUE(next(assigner, 1));
  EXPECT_TRUE(assigner.complete(1, 1, kNow + Seconds(500)));
  EXPECT_EQ(next(assigner, 1, kNow + Seconds(500)), 0);
  assigner.join(2);
  EXPECT_FALSE(next(assigner, 2, kNow + Seconds(1000)));
  EXPECT_EQ(next(assigner, 2, kNow + Seconds(3000)), 0);
}

// Workers that come, go and answer at random: every round ends, and each chunk counts once in it.
TEST(ChunkAssigner, CompletesEveryRoundWhateverWorkersDo) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    std::mt19937 random(seed);
    constexpr std::int64_t kChunks = 16;
    driver::ChunkAssigner assigner(kChunks);
    std::map<driver::WorkerId, std::vector<std::int64_t>> given;
    driver::WorkerId last = 0;
    Seconds now = kNow;
    for (int round = 0; round < 10; ++round) {
      std::int64_t counted = 0;
      for (int step = 0; counted < kChunks; ++step) {
        ASSERT_LT(step, 10000) << "seed " << seed << ": the round does not end";
        now += Seconds(0.01);
        if (given.size() < 2 || random() % 20 == 0) assigner.join(++last), given[last];
        auto pick = std::next(given.begin(), static_cast<std::ptrdiff_t>(random() % given.size()));
        if (random() % 25 == 0) {
          assigner.leave(pick->first), given.erase(pick);
          continue;
        }
        while (const auto assignment = assigner.assign(pick->first, now)) {
          pick->second.push_back(assignment->chunk);
          if (assignment->takenFrom) std::erase(given.at(*assignment->takenFrom), assignment->chunk);
        }
        if (pick->second.empty()) continue;
        counted += assigner.complete(pick->first, pick->second.front(), now) ? 1 : 0;
        pick->second.erase(pick->second.begin());
      }
      assigner.beginRound();
      for (auto& [worker, chunks] : given) chunks.clear();
    }
  }
}

}  // namespace
}  // namespace slaq::trainer
