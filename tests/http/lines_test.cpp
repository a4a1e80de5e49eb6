#include "http/lines.h"

#include <gmock/gmock.h>

namespace slaq::http {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Outcome = LineCutter::Outcome;

struct Read {
  std::vector<std::string> lines;
  Outcome outcome = Outcome::More;
};

Read feedAll(const std::vector<std::string>& pieces, std::size_t maxLine = 100, std::size_t wanted = 100) {
  LineCutter cutter(maxLine);
  Read read;
  for (const auto& piece : pieces) {
    read.outcome = cutter.feed(piece, [&](const std::string& line) {
      read.lines.push_back(line);
      return read.lines.size() < wanted;
    });
    if (read.outcome != Outcome::More) break;
  }
  return read;
}

TEST(LineCutter, JoinsALineThatIsSplitOverPieces) {
  EXPECT_THAT(feedAll({"al", "pha\nbe", "", "ta\n"}).lines, ElementsAre("alpha", "beta"));
}

TEST(LineCutter, KeepsEmptyLines) { EXPECT_THAT(feedAll({"\n\na\n"}).lines, ElementsAre("", "", "a")); }

TEST(LineCutter, NeverDeliversTheBeginningOfALine) {
  EXPECT_THAT(feedAll({"whole\nhalf"}).lines, ElementsAre("whole"));
  EXPECT_THAT(feedAll({"half"}).lines, IsEmpty());
}

TEST(LineCutter, StopsWhenNoMoreIsWanted) {
  const Read read = feedAll({"a\nb\nc\n"}, 100, 2);
  EXPECT_THAT(read.lines, ElementsAre("a", "b"));
  EXPECT_EQ(read.outcome, Outcome::Stopped);
}

TEST(LineCutter, BoundsALineAcrossPieces) {
  EXPECT_EQ(feedAll({"12345\n", "12345"}, 5).outcome, Outcome::More);
  EXPECT_EQ(feedAll({"123", "456"}, 5).outcome, Outcome::TooLong);
  EXPECT_EQ(feedAll({"123456\n"}, 5).outcome, Outcome::TooLong);
}

}  // namespace
}  // namespace slaq::http
