// What plain scalars mean.
#include "yaml/scalar.h"

#include <gtest/gtest.h>

namespace slaq::yaml {
namespace {

struct Meaning {
  const char* text;
  YamlScalar value;
};

// What a real API server makes of them, which field/scalars_test.py asks one.
TEST(PlainScalar, MeansWhatItMeansToKubectl) {
  const Meaning cases[] = {
      {"", YamlNull()},
      {"~", YamlNull()},
      {"null", YamlNull()},
      {"NULL", YamlNull()},
      {"nULL", std::string("nULL")},
      {"true", true},
      {"False", false},
      {"tRUE", std::string("tRUE")},
      {"y", true},
      {"yes", true},
      {"yEs", std::string("yEs")},
      {"Off", false},
      {"n", false},
      {"0", std::int64_t{0}},
      {"-17", std::int64_t{-17}},
      {"+3", std::int64_t{3}},
      {"0x1F", std::int64_t{31}},
      {"-0x1F", std::int64_t{-31}},
      {"0xfg", std::string("0xfg")},
      {"0644", std::int64_t{420}},
      {"0o17", std::int64_t{15}},
      {"-010", std::int64_t{-8}},
      {"08", 8.0},
      {"09.5", 9.5},
      {"0b11", std::int64_t{3}},
      {"0b2", std::string("0b2")},
      {"1_000", std::int64_t{1000}},
      {"1_0.5", 10.5},
      {"_1", std::string("_1")},
      {"9223372036854775807", std::int64_t{9223372036854775807}},
      {"18446744073709551615", std::uint64_t{18446744073709551615u}},
      {"18446744073709551616", 18446744073709551616.0},
      {"0.5", 0.5},
      {"-.5", -0.5},
      {"1.", 1.0},
      {"1e3", 1000.0},
      {"+1.5E-2", 0.015},
      {"1e999", std::string("1e999")},
      {".", std::string(".")},
      {"e3", std::string("e3")},
      {"1e", std::string("1e")},
      {"-", std::string("-")},
      {"+-1", std::string("+-1")},
      {"0x-1", std::string("0x-1")},
      {"200m", std::string("200m")},
      {"1.2.3", std::string("1.2.3")},
      {"12:30:45", std::string("12:30:45")},
      {"2026-01-31", std::string("2026-01-31")},
  };
  for (const auto& each : cases) {
    const auto value = readPlainScalar(each.text);
    ASSERT_TRUE(value) << each.text << ": " << value.error();
    EXPECT_EQ(*value, each.value) << each.text;
  }
}

TEST(PlainScalar, IsRefusedWhereJsonCannotHoldIt) {
  for (const char* text : {".nan", ".NaN", ".inf", "-.INF", "+.inf"}) {
    const auto value = readPlainScalar(text);
    ASSERT_FALSE(value) << text;
    EXPECT_EQ(value.error(), "'" + std::string(text) + "' is not a finite number; write one, or quote it");
  }
}

}  // namespace
}  // namespace slaq::yaml
