// Tables of columns: widths, what is left out, and pages of paragraphs.
#include "cli/terminal/grid.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/commands/called_name.h"
#include "cli/terminal/page.h"

namespace slaq::cli {
namespace {

using testing::ElementsAre;

constexpr terminal::Style kPlain{.colours = false, .unicode = true};

terminal::Frame frame(std::size_t columns, std::size_t lines = 0) {
  return {.columns = columns, .lines = lines, .style = kPlain};
}

std::vector<terminal::Column> columns() {
  return {{.heading = "NAME", .most = 6, .cells = {{"a"}, {"much too long"}}},
          {.heading = "BAR", .worth = 2, .cells = {{"###"}, {"#.."}}},
          {.heading = "", .align = terminal::Align::Right, .gap = 1, .orphan = "N", .cells = {{"7"}, {"10"}}},
          {.heading = "WHY", .worth = 1, .least = 8, .isSentence = true, .cells = {{"for a reason"}, {""}}}};
}

TEST(Grid, IsAsWideAsWhatIsInIt) {
  EXPECT_THAT(terminal::gridLines(columns(), frame(100)),
              ElementsAre("NAME    BAR     WHY", "a       ###  7  for a reason", "much…   #.. 10"));
}

TEST(Grid, GivesTheLastColumnWhatIsLeft) {
  EXPECT_THAT(terminal::gridLines(columns(), frame(24)),
              ElementsAre("NAME    BAR     WHY", "a       ###  7  for a…", "much…   #.. 10"));
}

TEST(Grid, LeavesOutWhatIsWorthLeastAndNamesWhatIsLeftAlone) {
  EXPECT_THAT(terminal::gridLines(columns(), frame(20)),
              ElementsAre("NAME    BAR", "a       ###  7", "much…   #.. 10"));
  EXPECT_THAT(terminal::gridLines(columns(), frame(10)),
              ElementsAre("NAME     N", "a        7", "much…   10"));
}

TEST(Grid, PutsSentencesBelowTheirRowsOnANarrowScreen) {
  const auto all = columns();
  EXPECT_THAT(terminal::gridLines(all, frame(24, 7)),
              ElementsAre("NAME    BAR", "a       ###  7", "    for a reason", "much…   #.. 10"));
  const auto beside = ElementsAre("NAME    BAR     WHY", "a       ###  7  for a…", "much…   #.. 10");
  EXPECT_THAT(terminal::gridLines(all, frame(24, 6)), beside) << "there is no room for more lines";
  EXPECT_THAT(terminal::gridLines(all, frame(24)), beside) << "not a screen";
  EXPECT_THAT(terminal::gridLines(all, frame(160, 40)),
              ElementsAre("NAME    BAR     WHY", "a       ###  7  for a reason", "much…   #.. 10"));
}

TEST(Grid, SaysHowManyLinesHaveNoRoom) {
  EXPECT_THAT(terminal::withinFrame({"a", "b", "c", "d"}, frame(9, 3)), ElementsAre("a", "b", "2 more"));
  EXPECT_THAT(terminal::withinFrame({"a", "b", "c"}, frame(9, 3)), ElementsAre("a", "b", "c"));
  EXPECT_THAT(terminal::withinFrame({"a", "b", "c"}, frame(9, 0)), ElementsAre("a", "b", "c"));
}

TEST(Text, IsCutAtAWord) {
  const std::pair<std::size_t, const char*> cuts[] = {{40, "a fifth worker would gain 0.0021, under"},
                                                      {34, "a fifth worker would gain 0.0021…"},
                                                      {33, "a fifth worker would gain…"},
                                                      {26, "a fifth worker would gain…"},
                                                      {9, "a fifth…"},
                                                      {2, "a…"}};
  for (const auto& [width, text] : cuts)
    EXPECT_EQ(terminal::cut("a fifth worker would gain 0.0021, under", width, kPlain), text);
  // A name has no end of a word to be cut at.
  EXPECT_EQ(terminal::cut("logistic-regression", 9, kPlain), "logistic…");
  EXPECT_EQ(terminal::cut("waits for a-name-that-is-long", 12, {.unicode = false}), "waits for..");
}

TEST(Page, WrapsParagraphsBesideTheirLabels) {
  terminal::Page page(frame(40));
  page.add("loss", "a text that is longer than one line of it");
  page.add("loss", "more of it");
  page.add("why", "because");
  EXPECT_EQ(page.text(),
            "  loss        a text that is longer than\n"
            "              one line of it\n"
            "              more of it\n"
            "  why         because\n");
}

TEST(Page, GivesALongWordALineOfItsOwn) {
  EXPECT_THAT(terminal::wrapped("a verylongword b", 6), ElementsAre("a", "verylongword", "b"));
  EXPECT_THAT(terminal::wrapped("", 6), testing::IsEmpty());
}

TEST(CalledName, IsThatOfThePluginUnderKubectl) {
  EXPECT_EQ(commands::calledName("/usr/bin/kubectl-slaq"), "kubectl slaq");
  EXPECT_EQ(commands::calledName("build/release/bin/slaq"), "slaq");
  EXPECT_EQ(commands::calledName(""), "slaq");
}

}  // namespace
}  // namespace slaq::cli
