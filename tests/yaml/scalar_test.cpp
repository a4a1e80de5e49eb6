// What plain scalars mean.
#include "yaml/scalar.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slaq::yaml {
namespace {

using testing::HasSubstr;

struct Meaning {
  const char* text;
  YamlScalar value;
};

TEST(PlainScalar, MeansWhatTheCoreSchemaSays) {
  const Meaning cases[] = {
      {"", YamlNull()},
      {"~", YamlNull()},
      {"null", YamlNull()},
      {"NULL", YamlNull()},
      {"nULL", std::string("nULL")},
      {"true", true},
      {"False", false},
      {"tRUE", std::string("tRUE")},
      {"y", std::string("y")},
      {"0", std::int64_t{0}},
      {"-17", std::int64_t{-17}},
      {"+3", std::int64_t{3}},
      {"0x1F", std::int64_t{31}},
      {"-0x1F", std::string("-0x1F")},
      {"9223372036854775807", std::int64_t{9223372036854775807}},
      {"18446744073709551615", std::uint64_t{18446744073709551615u}},
      {"0.5", 0.5},
      {"-.5", -0.5},
      {"1.", 1.0},
      {"1e3", 1000.0},
      {"+1.5E-2", 0.015},
      {".", std::string(".")},
      {"e3", std::string("e3")},
      {"1e", std::string("1e")},
      {"-", std::string("-")},
      {"200m", std::string("200m")},
      {"1.2.3", std::string("1.2.3")},
      {"12:30:45", std::string("12:30:45")},
      {"2026-01-31", std::string("2026-01-31")},
      {"_1", std::string("_1")},
      {"0b2", std::string("0b2")},
  };
  for (const auto& each : cases) {
    const auto value = readPlainScalar(each.text);
    ASSERT_TRUE(value) << each.text << ": " << value.error();
    EXPECT_EQ(*value, each.value) << each.text;
  }
}

TEST(PlainScalar, IsRefusedWhereReadersDisagree) {
  const std::pair<const char*, const char*> cases[] = {
      {"yes", "write true or false"},
      {"Off", "write true or false"},
      {"010", "leave out the leading 0"},
      {"-007", "leave out the leading 0"},
      {"0o17", "write plain digits"},
      {"0b101", "write plain digits"},
      {"1_000", "write plain digits"},
      {".nan", "not a finite number"},
      {"-.INF", "not a finite number"},
      {"18446744073709551616", "too large"},
      {"-9223372036854775809", "too large"},
      {"0xFFFFFFFFFFFFFFFF", "too large"},
      {"1e999", "too large"},
  };
  for (const auto& [text, sentence] : cases) {
    const auto value = readPlainScalar(text);
    ASSERT_FALSE(value) << text;
    EXPECT_THAT(value.error(), HasSubstr(sentence));
    EXPECT_THAT(value.error(), HasSubstr("'" + std::string(text) + "'"));
  }
}

}  // namespace
}  // namespace slaq::yaml
