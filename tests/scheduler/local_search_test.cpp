#include "scheduler/allocation/local_search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace slaq::scheduler {
namespace {

std::vector<std::size_t> allOf(const std::vector<Demand>& jobs) {
  std::vector<std::size_t> places(jobs.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  return places;
}

TEST(LocalSearch, FindsWhatTakesSeveralUnitsAtOnce) {
  const std::vector<Demand> jobs = {{.max = 20}, {.max = 20}};
  // The first job gains a little by each unit, the second by five together.
  const UtilityOf utility = [](std::size_t i, std::int32_t units) {
    return i == 0 ? 0.1 * units : units >= 6 ? 10.0 : 0.0;
  };
  Allocation allocation = {9, 1};
  searchLocally(jobs, Cores(10000), utility, allOf(jobs), allocation);
  EXPECT_EQ(allocation, (Allocation{4, 6}));
}

TEST(LocalSearch, TakesWhatIsLeftFirst) {
  const std::vector<Demand> jobs = {{.max = 20}, {.max = 20}};
  const UtilityOf utility = [](std::size_t i, std::int32_t units) {
    return (static_cast<double>(i) + 1) * std::sqrt(units);
  };
  Allocation allocation = {1, 1};
  searchLocally(jobs, Cores(20000), utility, allOf(jobs), allocation);
  EXPECT_EQ(allocation, (Allocation{4, 16}));
}

TEST(LocalSearch, MovesUnitsOfDifferentSize) {
  const std::vector<Demand> jobs = {{.max = 20}, {.max = 20, .perUnit = Cores(500)}};
  const UtilityOf utility = [](std::size_t i, std::int32_t units) { return static_cast<double>(i) * units; };
  Allocation allocation = {5, 5};
  searchLocally(jobs, Cores(7500), utility, allOf(jobs), allocation);
  EXPECT_EQ(allocation, (Allocation{1, 13}));
}

TEST(LocalSearch, KeepsTheLimitOfAGroup) {
  const std::vector<Demand> jobs = {{.max = 20}, {.max = 20, .group = 0}, {.max = 20, .group = 0}};
  Budget budget(Cores(30000));
  budget.groups = {Cores(8000)};
  const UtilityOf utility = [](std::size_t i, std::int32_t units) { return static_cast<double>(i) * units; };
  Allocation allocation = {10, 4, 4};
  searchLocally(jobs, budget, utility, allOf(jobs), allocation);
  EXPECT_EQ(allocation, (Allocation{10, 1, 7}));
}

TEST(LocalSearch, LeavesAloneWhoTakesNoPart) {
  const std::vector<Demand> jobs(3, Demand{.max = 20});
  const UtilityOf utility = [](std::size_t i, std::int32_t units) { return static_cast<double>(i) * units; };
  Allocation allocation = {5, 5, 5};
  searchLocally(jobs, Cores(15000), utility, {0, 1}, allocation);
  EXPECT_EQ(allocation, (Allocation{1, 9, 5}));
}

}  // namespace
}  // namespace slaq::scheduler
