#include "simulate/input/constants_file.h"

#include <gmock/gmock.h>

#include <sstream>

namespace slaq::simulate {
namespace {

using ::testing::HasSubstr;

std::string yamlOf(const forecast::FittedConstants& constants) {
  std::ostringstream text;
  std::string separator = "firstCurve: [";
  for (const double level : constants.firstCurve) {
    text << separator << level;
    separator = ", ";
  }
  text << "]\nexperts:\n";
  for (const auto& [shape, view, floor] : constants.experts) {
    text << "  - {shape: " << name(shape);
    if (shape != forecast::Shape::Level) text << ", view: " << name(view) << ", floor: " << name(floor);
    text << "}\n";
  }
  return text.str();
}

// The text with a part of it replaced.
std::string changed(const std::string& from, const std::string& to) {
  std::string text = yamlOf(forecast::defaultConstants());
  text.replace(text.find(from), from.size(), to);
  return text;
}

TEST(ConstantsFile, HasTheFirstCurveAndTheExperts) {
  const auto constants = readConstants("c.yaml", yamlOf(forecast::defaultConstants()));
  ASSERT_TRUE(constants) << constants.error().message;
  EXPECT_EQ(*constants, forecast::defaultConstants());
}

TEST(ConstantsFile, TellsWhatIsWrongAndWhere) {
  const std::pair<std::string, std::string> cases[] = {
      {changed("view: Points8", "view: Points9"),
       "c.yaml:5: experts[2].view: must be one of Points4, Points8, Points33, Points66, Blocks8, Blocks32, "
       "Blocks66, Blocks95"},
      {changed("shape: Power", "shape: Line"), "experts[8].shape: must be one of Level, Hyperbola, Power"},
      {changed("floor: Bent", "floor: Low"),
       "experts[11].floor: must be one of Known, Likely, Near, Bent, Far"},
      {changed("view: Points8, ", ""), "experts[2].shape: needs a view and a floor"},
      {changed("  - {shape: Level}\n", ""), "experts: must list 16 experts, not 15"},
      {changed("{shape: Level}", "{shape: Power, view: Blocks8, floor: Far}"),
       "experts[0].shape: must be Level: the first expert can always forecast"},
      {changed("0.72, ", ""), "c.yaml:1: firstCurve: must be a list of 15 numbers from 0 to 1"},
      {changed("0.72, ", "1.5, "), "c.yaml:1: firstCurve: must be a list of 15 numbers from 0 to 1"},
      {changed("firstCurve", "firstcurve"), "firstCurve: is missing; list 15 levels of the loss"},
  };
  for (const auto& [text, message] : cases) {
    const auto constants = readConstants("c.yaml", text);
    ASSERT_FALSE(constants) << message;
    EXPECT_THAT(constants.error().message, HasSubstr(message));
  }
}

}  // namespace
}  // namespace slaq::simulate
