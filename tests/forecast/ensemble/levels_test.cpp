#include "forecast/ensemble/levels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "forecast/series/loss_series.h"

namespace slaq::forecast {
namespace {

// Losses at growing gaps of up to `gap` iterations, as columns that are longer than what is seen of them.
struct Seen {
  std::vector<double> iterations = std::vector<double>(LossSeries::kCapacity, 1e9);
  std::vector<double> losses = std::vector<double>(LossSeries::kCapacity, 1e9);
  std::size_t size;

  Seen(std::size_t pairs, int gap, std::uint64_t seed) : size(pairs) {
    std::mt19937_64 random(seed);
    std::uniform_int_distribution<int> step(1, gap);
    std::uniform_real_distribution<double> noise(-0.1, 0.1);
    double k = step(random);
    for (std::size_t i = 0; i < size; ++i, k += step(random)) {
      iterations[i] = k;
      losses[i] = 7 + 1 / (1 + 0.05 * k) + noise(random);
    }
  }

  Observations observations() const {
    const std::span seen(losses.data(), size);
    const auto [lowest, highest] = std::ranges::minmax(seen);
    return {{iterations.data(), size}, seen, lowest, highest};
  }

  double age(std::size_t i) const { return iterations[size - 1] - iterations[i]; }
  double loss(std::size_t i) const {
    const auto of = observations();
    return (losses[i] - losses[size - 1]) / (of.highest - of.lowest);
  }
};

std::size_t nearest(const Seen& seen, double age) {
  std::size_t best = seen.size - 1;
  for (std::size_t i = seen.size; i-- > 0;) {
    const double distance = std::abs(seen.age(i) - age);
    if (distance <= std::abs(seen.age(best) - age)) best = i;
  }
  return best;
}

Levels points(const Seen& seen, double oldestAge, double middleAge) {
  const std::size_t last = seen.size - 1;
  const std::size_t oldest = std::min(nearest(seen, oldestAge), last - 2);
  const std::size_t middle = std::clamp(nearest(seen, middleAge), oldest + 1, last - 1);
  return {{{0, 0}, {seen.age(middle), seen.loss(middle)}, {seen.age(oldest), seen.loss(oldest)}}};
}

Levels blocks(const Seen& seen, double span) {
  Levels levels;
  for (int block = 0; block < 3; ++block) {
    double sum = 0, count = 0, youngest = 0, eldest = 0;
    for (std::size_t i = seen.size; i-- > 0;) {
      const double third = 3 * seen.age(i) / span * (1 - 1e-7);
      if (third > block + 1 || (block > 0 && third <= block)) continue;
      if (count == 0) youngest = seen.age(i);
      eldest = seen.age(i);
      sum += seen.loss(i);
      ++count;
    }
    levels[static_cast<std::size_t>(block)] = {0.5 * (youngest + eldest), sum / count};
  }
  return levels;
}

Levels expected(const Seen& seen, View view) {
  const double all = seen.age(0);
  const auto within = [&](double span) { return std::min(span, all); };
  switch (view) {
    case View::Points4:
      return points(seen, within(4), 0.5 * within(4));
    case View::Points8:
      return points(seen, within(8), within(4));
    case View::Points33:
      return points(seen, 0.33 * all, 0.165 * all);
    case View::Points66:
      return points(seen, 0.66 * all, 0.33 * all);
    case View::Blocks8:
      return blocks(seen, within(8));
    case View::Blocks32:
      return blocks(seen, within(32));
    case View::Blocks66:
      return blocks(seen, 0.66 * all);
    case View::Blocks95:
      break;
  }
  return blocks(seen, 0.95 * all);
}

void expectLevels(const Seen& seen) {
  const LevelsByView all = levelsOf(seen.observations());
  for (const View view : kViews) {
    const Levels& levels = all[static_cast<std::size_t>(view)];
    const Levels right = expected(seen, view);
    for (std::size_t n = 0; n < 3; ++n) {
      SCOPED_TRACE(std::string(name(view)) + ", level " + std::to_string(n) + " of " +
                   std::to_string(seen.size));
      if (std::isnan(right[n].loss)) {
        EXPECT_TRUE(std::isnan(levels[n].loss));
        continue;
      }
      EXPECT_NEAR(levels[n].loss, right[n].loss, 1e-6);
      EXPECT_NEAR(levels[n].age, right[n].age, 1e-6 * seen.age(0));
    }
  }
}

TEST(Levels, AreThoseOfEachViewWhereEveryIterationWasSeen) {
  for (std::size_t size = 3; size <= LossSeries::kCapacity; ++size) expectLevels(Seen(size, 1, size));
}

TEST(Levels, AreThoseOfEachViewWhereOnlySomeIterationsWereSeen) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    expectLevels(Seen(3 + seed % (LossSeries::kCapacity - 2), 1 + static_cast<int>(seed % 23), seed));
  }
}

}  // namespace
}  // namespace slaq::forecast
