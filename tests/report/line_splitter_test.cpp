#include "report/output/line_splitter.h"

#include <gmock/gmock.h>

namespace slaq::report {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<std::string> linesOf(const std::vector<std::string>& pieces) {
  std::vector<std::string> lines;
  const auto tell = [&](std::string_view line) { lines.emplace_back(line); };
  LineSplitter splitter;
  for (const auto& piece : pieces) splitter.add(piece, tell);
  splitter.finish(tell);
  return lines;
}

TEST(LineSplitter, CutsAtEveryEndHoweverTheBytesCome) {
  EXPECT_THAT(linesOf({"one\ntwo\r\nthr", "ee\rfour\b\b\bfive"}),
              ElementsAre("one", "two", "three", "four", "five"));
}

TEST(LineSplitter, LeavesOutEscapeSequences) {
  EXPECT_THAT(linesOf({"\x1b[1;32mloss\x1b[0m: 0.4\n", "\x1b]0;title\aa\x1b", "[2Kb\n"}),
              ElementsAre("loss: 0.4", "ab"));
  EXPECT_THAT(linesOf({"\x1b[12", "\nloss\n"}), ElementsAre("loss")) << "the end of a line ends a broken one";
}

TEST(LineSplitter, KeepsNoMoreThanTheBeginningOfALongLine) {
  const std::string part(1 << 20, 'x');
  const auto lines = linesOf({part, part, "\nend\n"});
  ASSERT_THAT(lines, SizeIs(2));
  EXPECT_THAT(lines[0], SizeIs(kLongestLine));
  EXPECT_EQ(lines[1], "end");
}

TEST(LineSplitter, TellsNoEmptyLines) { EXPECT_THAT(linesOf({"\n\r\n\n"}), IsEmpty()); }

}  // namespace
}  // namespace slaq::report
