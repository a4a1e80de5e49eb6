// Expressions that say where in a line the loss is.
#include "report/pattern/pattern.h"

#include <gmock/gmock.h>

#include "report/output/line_splitter.h"
#include "report/pattern/pattern_reader.h"

namespace slaq::report {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using Found = Pattern::Found;
using Outcome = Pattern::Outcome;

std::optional<Found> foundBy(const std::string& expression, std::string_view line) {
  const auto match = Pattern::from(expression).value().matchIn(line);
  return match.outcome == Outcome::Fits ? std::optional(match.found) : std::nullopt;
}

Outcome outcomeOf(const std::string& expression, std::string_view line) {
  return Pattern::from(expression).value().matchIn(line).outcome;
}

std::string problemOf(const std::string& expression) { return Pattern::from(expression).error().message; }

TEST(Pattern, FindsLossAndIteration) {
  for (const char* expression :
       {R"(step=(?<iteration>\d+) .* nll=(?<loss>\S+))", R"(step=(?P<iteration>\d+) .* nll=(?P<loss>\S+))",
        R"((?i)STEP=(?'iteration'\d+).*?nll=(?'loss'[-+.\de]+))"}) {
    EXPECT_EQ(foundBy(expression, "12:00 step=12 lr=1e-3 nll=0.25"), (Found{12, 0.25})) << expression;
    EXPECT_EQ(foundBy(expression, "12:00 step=12 lr=1e-3 loss=0.25"), std::nullopt) << expression;
  }
  EXPECT_EQ(foundBy(R"(nll=(?<loss>\S+)( of (?<iteration>\d+))?)", "nll=0.25"), (Found{{}, 0.25}))
      << "the group need not take part";
}

TEST(Pattern, TakesTheNumberOutOfWhatAGroupHolds) {
  const std::string expression = R"(nll=(?<loss>\S+))";
  EXPECT_EQ(foundBy(expression, "nll=0.25, lr=1"), (Found{{}, 0.25}));
  EXPECT_EQ(foundBy(expression, "nll=tensor(0.25)"), (Found{{}, 0.25}));
  EXPECT_EQ(foundBy(expression, "nll=-2.5e-3;"), (Found{{}, -0.0025}));
  EXPECT_EQ(outcomeOf(expression, "nll=none"), Outcome::HoldsNoNumber);
}

TEST(Pattern, SaysWhatIsWrongWithIt) {
  EXPECT_THAT(problemOf(R"(loss=(?<loss>\S+)"),
              AllOf(HasSubstr("is no regular expression: missing closing parenthesis, at its end"),
                    HasSubstr(R"(such as 'step=(?<iteration>\d+) )")));
  EXPECT_THAT(problemOf("*loss"), HasSubstr("quantifier does not follow a repeatable item, at"));
  EXPECT_THAT(problemOf("a(?<loss>b)(?<loss>c)"),
              HasSubstr("two named subpatterns have the same name, after 'a(?<loss>b)(?<loss>'; such as"));
  EXPECT_THAT(problemOf("loss=(\\S+)"), HasSubstr("must have one group named loss around the number"));
  EXPECT_THAT(problemOf(""), HasSubstr("must have one group named loss"));
  EXPECT_THAT(problemOf(std::string(1025, 'a')), HasSubstr("must have at most 1024 characters"));
  EXPECT_THAT(problemOf("\xff(?<loss>.)\n("), AllOf(Not(HasSubstr("\n")), HasSubstr("UTF-8 error")));
}

TEST(Pattern, ReadsBytesThatAreNoText) {
  EXPECT_EQ(foundBy("━ loss=(?<loss>.+)", "\xff\xfe━ loss=0.5"), (Found{{}, 0.5}));
}

// In a moment, whatever the expression.
TEST(Pattern, GivesUpOnLinesThatTakeTooLong) {
  EXPECT_EQ(outcomeOf("(a*)*(?<loss>b)", std::string(40, 'a') + "cb"), Outcome::TakesTooLong);
  EXPECT_EQ(outcomeOf("(a|aa)+(?<loss>b)$", std::string(kLongestLine - 2, 'a') + "cb"), Outcome::FitsNot)
      << "the end of the line is not looked at";
  EXPECT_EQ(outcomeOf("(a|aa)+(?<loss>b)$", std::string(4000, 'a') + "cb"), Outcome::TakesTooLong);
}

TEST(Pattern, ReadsLongLines) {
  const std::string noise(4000, 'x');
  EXPECT_EQ(foundBy(R"(step=(?<iteration>\d+) .* nll=(?<loss>\S+))", "step=3 " + noise + " nll=0.5"),
            (Found{3, 0.5}));
  EXPECT_EQ(foundBy(R"(^(\S+ )*nll=(?<loss>\S+))", noise + " nll=0.5"), (Found{{}, 0.5}));
  EXPECT_EQ(foundBy(R"(nll=(?<loss>\S+))", noise + noise + " nll=0.5"), std::nullopt);
}

struct Passing {
  std::chrono::nanoseconds processor{0};
  std::chrono::nanoseconds wall{0};

  // The processor is looked at twice for a line.
  Clocks clocks(std::chrono::nanoseconds each) {
    return {.processor = [this, each] { return processor += each; }, .wall = [this] { return wall; }};
  }
};

TEST(PatternReader, TakesATwentiethOfTheTime) {
  const auto pattern = Pattern::from("loss=(?<loss>.+)").value();
  Passing passing;
  PatternReader reader(pattern, passing.clocks(std::chrono::milliseconds(300)));
  const auto read = [&] { return reader.read("loss=1").has_value(); };
  EXPECT_TRUE(read());
  EXPECT_TRUE(read()) << "0.3 s of the first half second";
  EXPECT_EQ(reader.takeNotice(), std::nullopt);
  EXPECT_FALSE(read());
  EXPECT_THAT(reader.takeNotice().value(), HasSubstr("some lines are passed over"));
  EXPECT_FALSE(read());
  EXPECT_EQ(reader.takeNotice(), std::nullopt) << "once";
  passing.wall += std::chrono::seconds(2);
  EXPECT_TRUE(read());
  EXPECT_FALSE(read());
}

TEST(PatternReader, SaysWhyThereIsNoLoss) {
  const auto pattern = Pattern::from("loss=(?<loss>.+)").value();
  PatternReader reader(pattern);
  reader.read("nll=1");
  EXPECT_EQ(reader.whyNothing(), "no loss was found: no line of the output fits --pattern");
  reader.read("loss=low\x1b");
  EXPECT_EQ(reader.whyNothing(),
            "no loss was found: the group loss of --pattern held 'low\\x1b', which is no number");
}

TEST(PatternReader, ListensToTheFirstOfParallelPrograms) {
  const auto pattern = Pattern::from("loss=(?<loss>.+)").value();
  PatternReader reader(pattern);
  EXPECT_EQ(reader.read("[rank1]: loss=9"), std::nullopt);
  EXPECT_EQ(reader.read("[rank0]: loss=1"), (Found{{}, 1}));
}

}  // namespace
}  // namespace slaq::report
