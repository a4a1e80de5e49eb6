#include "base/nearest.h"

#include <gtest/gtest.h>

namespace slaq {
namespace {

const std::vector<std::string> kWords = {"TotalQuality", "MinQuality", "Fair", "epochSeconds"};

TEST(Nearest, FindsWhatWasProbablyMeant) {
  const std::pair<const char*, const char*> cases[] = {{"fair", "Fair"},
                                                       {"Fiar", "Fair"},
                                                       {"Far", "Fair"},
                                                       {"totalquality", "TotalQuality"},
                                                       {"MinQualty", "MinQuality"},
                                                       {"epoch", "epochSeconds"},
                                                       {"Greedy", ""},
                                                       {"", ""}};
  for (const auto& [text, word] : cases) EXPECT_EQ(nearest(text, kWords).value_or(""), word) << text;
}

TEST(Nearest, TakesNoTimeForTextWithoutEnd) {
  EXPECT_FALSE(nearest(std::string(100'000, 'a'), kWords));
  EXPECT_FALSE(nearest("a", {}));
}

}  // namespace
}  // namespace slaq
