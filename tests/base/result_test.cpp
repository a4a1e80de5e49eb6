#include "base/result.h"

#include <gtest/gtest.h>

namespace slaq {
namespace {

TEST(Printable, KeepsWhatPeopleWrite) {
  EXPECT_EQ(printable(""), "");
  EXPECT_EQ(printable("team-a/job \"x\" \\ é"), "team-a/job \"x\" \\ é");
}

TEST(Printable, EscapesControlCharacters) {
  EXPECT_EQ(printable(std::string_view("a\nb\x1b[31m\0c\x7f", 11)), "a\\x0ab\\x1b[31m\\x00c\\x7f");
}

TEST(Printable, CutsBetweenCharacters) {
  std::string text(999, 'a');
  EXPECT_EQ(printable(text + "b"), text + "b");
  EXPECT_EQ(printable(text + "bc"), text + "b...");
  EXPECT_EQ(printable(text + "éé"), text + "...");
}

}  // namespace
}  // namespace slaq
