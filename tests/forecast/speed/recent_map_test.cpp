#include "forecast/speed/recent_map.h"

#include <gtest/gtest.h>

#include <string>

namespace slaq::forecast {
namespace {

using Numbers = RecentMap<std::string, int, 2>;

TEST(RecentMap, KeepsWhatWasChangedLast) {
  Numbers numbers;
  const auto zero = [] { return 0; };
  numbers.change("a", zero) = 1;
  numbers.change("b", zero) = 2;
  ++numbers.change("a", zero);
  numbers.change("c", zero) = 3;
  EXPECT_EQ(numbers.size(), 2u);
  ASSERT_TRUE(numbers.find("a"));
  EXPECT_EQ(*numbers.find("a"), 2);
  EXPECT_FALSE(numbers.find("b"));
  EXPECT_EQ(*numbers.find("c"), 3);
}

TEST(RecentMap, MakesWhatIsNew) {
  Numbers numbers;
  EXPECT_FALSE(numbers.find("a"));
  EXPECT_EQ(numbers.change("a", [] { return 7; }), 7);
}

}  // namespace
}  // namespace slaq::forecast
