#include "loop/write/concurrent_writes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <barrier>
#include <thread>
#include <vector>

namespace slaq::loop {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

TEST(ConcurrentWrites, AreUnderWayAtTheSameTime) {
  constexpr std::size_t kAtOnce = 4;
  std::barrier allBegan(kAtOnce);  // it would wait for ever if they went one after the other
  std::vector<int> sent(3 * kAtOnce);
  sendConcurrently({.count = sent.size(),
                    .begin = [](std::size_t) { return true; },
                    .send =
                        [&](std::size_t i) {
                          allBegan.arrive_and_wait();
                          ++sent[i];
                        },
                    .end = [&](std::size_t i) { ++sent[i]; }},
                   kAtOnce);
  EXPECT_THAT(sent, Each(2));
}

TEST(ConcurrentWrites, GoInOrderOnTheCallingThreadIfOnlyOneMayBeUnderWay) {
  std::vector<std::size_t> sent;
  const auto here = std::this_thread::get_id();
  sendConcurrently({.count = 4,
                    .begin = [](std::size_t) { return true; },
                    .send =
                        [&](std::size_t i) {
                          EXPECT_EQ(std::this_thread::get_id(), here);
                          sent.push_back(i);
                        },
                    .end = [](std::size_t) {}},
                   1);
  EXPECT_THAT(sent, ElementsAre(0, 1, 2, 3));
}

TEST(ConcurrentWrites, AreNotSentWhereTheyMayNotBegin) {
  std::vector<int> ended(100);
  std::size_t left = 10;
  sendConcurrently({.count = ended.size(),
                    .begin = [&](std::size_t) { return left > 0 && left-- > 0; },
                    .send = [](std::size_t) {},
                    .end = [&](std::size_t i) { ++ended[i]; }},
                   8);
  EXPECT_EQ(std::ranges::count(ended, 1), 10);
}

}  // namespace
}  // namespace slaq::loop
