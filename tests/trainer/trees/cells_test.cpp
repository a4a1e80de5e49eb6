#include "trainer/algorithms/trees/cells.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "trainer/data/random.h"

namespace slaq::trainer {
namespace {

std::vector<double> counted(const algorithms::trees::Cells& cells, const std::vector<float>& values) {
  std::vector<double> counts(cells.size());
  for (const float value : values) ++counts[algorithms::trees::cellOf(cells, value)];
  return counts;
}

std::vector<float> cutsOf(const std::vector<float>& values, std::int64_t bins) {
  algorithms::trees::Cells cells = algorithms::trees::octaves();
  for (int i = 1; i < algorithms::trees::kCountings; ++i)
    cells = algorithms::trees::refined(cells, counted(cells, values));
  return algorithms::trees::cuts(cells, counted(cells, values), bins);
}

// The share of the values in each part.
std::vector<double> sharesOf(const std::vector<float>& values, const std::vector<float>& cuts) {
  std::vector<double> shares(cuts.size() + 1);
  for (const float value : values) {
    const auto part = std::upper_bound(cuts.begin(), cuts.end(), value) - cuts.begin();
    shares[static_cast<std::size_t>(part)] += 1.0 / static_cast<double>(values.size());
  }
  return shares;
}

TEST(Cells, KeysAreInTheOrderOfTheFloatsAndLeadBackToThem) {
  data::Random random(1, data::Purpose::Data);
  std::vector<float> values = {0, -std::numeric_limits<float>::infinity(), 1e-45f, -1e-45f, 3e38f, -3e38f};
  for (int i = 0; i < 1000; ++i) {
    values.push_back(random.bell() * std::pow(10.0f, static_cast<float>(random.below(60)) - 30));
  }
  std::sort(values.begin(), values.end());
  for (std::size_t i = 0; i + 1 < values.size(); ++i) {
    EXPECT_EQ(algorithms::trees::valueOf(algorithms::trees::keyOf(values[i])), values[i]);
    EXPECT_EQ(algorithms::trees::keyOf(values[i]) < algorithms::trees::keyOf(values[i + 1]),
              values[i] < values[i + 1])
        << values[i];
  }
  EXPECT_EQ(algorithms::trees::keyOf(-0.0f), algorithms::trees::keyOf(0.0f));
}

TEST(Cells, CutAnyDistributionIntoPartsOfTheSameSize) {
  data::Random random(2, data::Purpose::Data);
  const std::map<std::string, std::function<float()>> draws = {
      {"bell", [&] { return random.bell(); }},
      {"far from zero", [&] { return 100000 + random.bell(); }},
      {"heavy tails", [&] { return std::exp(8 * random.bell()); }},
      {"two scales", [&] { return random.uniform() < 0.5 ? 1e-6f * random.bell() : 1e6f * random.bell(); }},
  };
  for (const auto& [name, draw] : draws) {
    std::vector<float> values(20000);
    std::generate(values.begin(), values.end(), draw);
    const auto shares = sharesOf(values, cutsOf(values, 32));
    EXPECT_GE(shares.size(), 28u) << name;
    for (const double share : shares) EXPECT_NEAR(share, 1.0 / 32, 0.02) << name;
  }
}

TEST(Cells, GiveEachOfFewDistinctValuesItsOwnPart) {
  std::vector<float> values(1000, 0.0f);
  values.insert(values.end(), 40, 1.0f);
  values.insert(values.end(), 3, 1990.0f);
  values.insert(values.end(), 3, 1991.0f);
  values.push_back(-7.0f);
  const auto cuts = cutsOf(values, 16);
  EXPECT_EQ(sharesOf(values, cuts).size(), 5u);
  for (const double share : sharesOf(values, cuts)) EXPECT_GT(share, 0);
}

TEST(Cells, LeaveTheOtherValuesTheirCutsWhenOneIsCrowded) {
  data::Random random(3, data::Purpose::Data);
  std::vector<float> values(9000, 0.0f);
  for (int i = 0; i < 1000; ++i) values.push_back(1 + static_cast<float>(random.uniform()));
  EXPECT_GE(cutsOf(values, 16).size(), 13u);
}

TEST(Cells, NeedNoCutWhereAllValuesAreEqual) {
  EXPECT_TRUE(cutsOf(std::vector<float>(100, 4.5f), 16).empty());
}

TEST(Cells, AreNeverMoreThanTheirNumberHoweverTheRowsLie) {
  data::Random random(4, data::Purpose::Data);
  for (int trial = 0; trial < 50; ++trial) {
    algorithms::trees::Cells cells = algorithms::trees::octaves();
    for (int round = 0; round < 4; ++round) {
      std::vector<double> counts(cells.size());
      for (double& count : counts)
        count = static_cast<double>(std::max<std::int64_t>(0, random.below(20) - 9));
      counts[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(counts.size())))] += 1000;
      cells = algorithms::trees::refined(cells, counts);
      EXPECT_LE(cells.size(), algorithms::trees::kCells);
      EXPECT_EQ(cells.front(), 0u);
      EXPECT_TRUE(std::is_sorted(cells.begin(), cells.end(), std::less_equal<>()));
    }
  }
}

}  // namespace
}  // namespace slaq::trainer
