#include "report/output/report.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

namespace slaq::report {
namespace {

TEST(ReportText, IsShort) {
  for (const auto& [number, text] : {std::pair<double, const char*>{0.1, "0.1"},
                                     {-0.0025, "-0.0025"},
                                     {60000, "60000"},
                                     {1e300, "1e+300"},
                                     {0.30000000000000004, "0.30000000000000004"},
                                     {2.0 / 3, "0.6666666666666666"},
                                     {0, "0"},
                                     {-HUGE_VAL, "-inf"},
                                     {std::nan(""), "nan"}})
    EXPECT_EQ(toText(number), text);
}

TEST(ReportText, ReadsBackAsTheSameNumber) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> exponent(-300, 300), factor(-10, 10);
  for (int i = 0; i < 10'000; ++i) {
    const double number = factor(random) * std::pow(10, exponent(random));
    EXPECT_EQ(std::strtod(toText(number).c_str(), nullptr), number);
  }
}

}  // namespace
}  // namespace slaq::report
