#include "trainer/problem/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slaq::trainer {
namespace {

using testing::HasSubstr;

constexpr std::array kDeclared{
    problem::Setting{.name = "rate", .help = "step", .usual = "0.5", .most = 2, .above = true},
    problem::Setting{.name = "trees",
                     .help = "how many",
                     .kind = problem::Setting::Kind::Whole,
                     .required = true,
                     .least = 1,
                     .most = 100},
    problem::Setting{.name = "hidden",
                     .help = "sizes",
                     .kind = problem::Setting::Kind::Wholes,
                     .usual = "64,32",
                     .least = 1},
    problem::Setting{.name = "shape",
                     .help = "form",
                     .kind = problem::Setting::Kind::Word,
                     .usual = "round",
                     .choices = {"round", "square"}},
    problem::Setting{.name = "positive", .help = "class"},
};

const problem::Setting& declared(std::string_view name) {
  return *std::ranges::find(kDeclared, name, &problem::Setting::name);
}

TEST(Settings, HaveUsualValues) {
  problem::Settings given;
  given.set("trees", 7);
  const problem::Settings all = complete(given, kDeclared, "boosting").value();
  EXPECT_EQ(all.number("rate"), 0.5);
  EXPECT_EQ(all.whole("trees"), 7);
  EXPECT_EQ(all.wholes("hidden"), (std::vector<std::int64_t>{64, 32}));
  EXPECT_EQ(all.word("shape"), "round");
  EXPECT_FALSE(all.has("positive"));
  EXPECT_EQ(complete(all, kDeclared, "boosting"), all) << "what is complete stays as it is";
}

TEST(Settings, MustBeKnown) {
  problem::Settings given;
  given.set("depth", 3);
  EXPECT_EQ(complete(given, kDeclared, "boosting").error().message,
            "boosting knows no --depth; its settings are --rate, --trees, --hidden, --shape, --positive");
}

TEST(Settings, MustBeGivenIfTheyAreRequired) {
  EXPECT_EQ(complete({}, kDeclared, "boosting").error().message, "boosting needs --trees: how many");
}

TEST(Settings, AreWrittenAsTheyAreParsed) {
  for (const auto& [name, text] : std::vector<std::pair<std::string, std::string>>{
           {"rate", "1e-05"}, {"trees", "12"}, {"hidden", "100,50,-3"}, {"shape", "square"}}) {
    EXPECT_EQ(problem::write(problem::parse(declared(name), text).value()), text);
  }
  EXPECT_EQ(problem::write(problem::parse(declared("trees"), "1e2").value()), "100");
}

struct RefusedSetting {
  std::string name;
  std::string text;
  std::string says;
};

TEST(Settings, AreRefusedWithASentence) {
  for (const RefusedSetting& refusal : std::vector<RefusedSetting>{
           {"rate", "fast", "--rate must be a number, not \"fast\""},
           {"rate", "1x", "--rate must be a number"},
           {"rate", "", "--rate must be a number"},
           {"rate", "0", "--rate must be above 0"},
           {"rate", "nan", "--rate must be above 0"},
           {"rate", "2.5", "--rate must be at most 2"},
           {"positive", "inf", "--positive must be finite"},
           {"trees", "2.5", "--trees must be a whole number, not \"2.5\""},
           {"trees", "0", "--trees must be at least 1"},
           {"trees", "101", "--trees must be at most 100"},
           {"hidden", "64,,32", "--hidden must be whole numbers with commas between them"},
           {"hidden", "", "--hidden must be whole numbers"},
           {"hidden", "64,", "--hidden must be whole numbers"},
           {"hidden", "64,0", "--hidden must be at least 1"},
           {"shape", "oval", "--shape must be one of round, square, not \"oval\""},
       }) {
    const problem::Setting& setting = declared(refusal.name);
    const auto value = problem::parse(setting, refusal.text);
    const auto checked = value ? problem::check(setting, *value) : Result<void>(failure(value.error()));
    ASSERT_FALSE(checked) << refusal.text;
    EXPECT_THAT(checked.error().message, HasSubstr(refusal.says));
  }
}

}  // namespace
}  // namespace slaq::trainer
