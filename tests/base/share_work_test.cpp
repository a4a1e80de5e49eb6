#include "base/share_work.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace slaq {
namespace {

TEST(ShareWork, DoesEachThingOnceWithAnyNumberOfThreads) {
  for (const std::size_t count : {0u, 1u, 63u, 64u, 65u, 1000u}) {
    for (const std::size_t threads : {1u, 2u, 7u}) {
      std::vector<std::atomic<int>> done(count);
      shareWork(count, threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) ++done[i];
      });
      EXPECT_TRUE(std::ranges::all_of(done, [](int times) { return times == 1; })) << count << ' ' << threads;
    }
  }
}

TEST(ShareWork, IsDoneByTheCallingThreadWhereThatIsTheOnlyOne) {
  std::thread::id worker;
  shareWork(1, 1, [&](std::size_t, std::size_t) { worker = std::this_thread::get_id(); });
  EXPECT_EQ(worker, std::this_thread::get_id());
}

TEST(ShareWork, TakesOneThreadForFewThingsAndNoMoreThanTheMachineHas) {
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  EXPECT_EQ(threadsFor(0, 256), 1u);
  EXPECT_EQ(threadsFor(300, 256), 1u);
  EXPECT_EQ(threadsFor(1'000'000, 256), cores);
}

}  // namespace
}  // namespace slaq
