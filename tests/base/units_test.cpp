#include "base/units.h"

#include <gtest/gtest.h>

#include <concepts>
#include <limits>

namespace slaq {
namespace {

template <class A, class B>
concept Addable = requires(A a, B b) {
  a + b;
};

static_assert(Addable<Workers, Workers>);
static_assert(!Addable<Workers, Iterations>);
static_assert(!Addable<Cores, Workers>);
static_assert(!std::convertible_to<int, Workers>);

TEST(Cores, RefuseWhatIsNoQuantity) {
  for (const char* text : {"", "two", "-1", "1x", "1e3m", "1e99", "nan", "inf", "1 m", "1.5.0", "+-1"}) {
    const auto cores = parseCores(text);
    ASSERT_FALSE(cores) << text;
    EXPECT_EQ(cores.error().kind, ErrorKind::Invalid);
    EXPECT_NE(cores.error().message.find("write cores"), std::string::npos);
  }
}

TEST(Cores, AreAtMostAMillion) {
  for (const char* text : {"1000000", "1M", "1e6", "999999999m", "123456789m"}) {
    const auto cores = parseCores(text);
    ASSERT_TRUE(cores) << text;
    EXPECT_EQ(parseCores(toString(*cores))->value(), cores->value()) << text;
  }
  EXPECT_EQ(parseCores("1000000")->value(), 1'000'000'000);
  EXPECT_EQ(parseCores("1000000001m").error().message,
            "\"1000000001m\" is more than 1000000 cores; write cores such as \"2\", \"0.5\" or \"200m\"");
}

TEST(Cores, StayWithinTheirTypeInSums) {
  const Cores most(std::numeric_limits<std::int64_t>::max());
  const Cores least(std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(most + Cores(1), most);
  EXPECT_EQ(least - Cores(1), least);
  EXPECT_EQ(Cores(-2) - most, least);
  EXPECT_EQ(most * Workers(3), most);
  EXPECT_EQ(most * Workers(-3), least);
  EXPECT_EQ(Workers(2'147'483'647) + Workers(1), Workers(2'147'483'647));
}

TEST(Cores, AreRefusedInOneLine) {
  EXPECT_EQ(parseCores("2\n\x1b[m").error().message,
            "\"2\\x0a\\x1b[m\" has an unknown unit; write cores such as \"2\", \"0.5\" or \"200m\"");
}

TEST(Cores, AreWrittenInCanonicalForm) {
  EXPECT_EQ(toString(Cores(2000)), "2");
  EXPECT_EQ(toString(Cores(1500)), "1500m");
  EXPECT_EQ(toString(Cores(200)), "200m");
}

TEST(Memory, IsReadInMebibytesAndRoundedUp) {
  EXPECT_EQ(parseMemory("20Gi"), Mebibytes(20480));
  EXPECT_EQ(parseMemory("1Mi"), Mebibytes(1));
  EXPECT_EQ(parseMemory("1G"), Mebibytes(954));
  EXPECT_EQ(parseMemory("2000000"), Mebibytes(2));
}

TEST(Memory, RefusesWhatIsNoneAndSaysWhatToWrite) {
  EXPECT_EQ(parseMemory("20GB").error().message,
            "\"20GB\" is no quantity of memory; write such as \"20Gi\" or \"512Mi\"");
  EXPECT_EQ(parseMemory("20").error().message,
            "\"20\" is less than 1Mi; write such as \"20Gi\" or \"512Mi\"");
  EXPECT_EQ(parseMemory("-1Gi").error().message,
            "\"-1Gi\" is less than 1Mi; write such as \"20Gi\" or \"512Mi\"");
  EXPECT_EQ(parseMemory("2Pi").error().message,
            "\"2Pi\" is more than 1Pi; write such as \"20Gi\" or \"512Mi\"");
}

TEST(Time, GoesThroughRfc3339) {
  const auto time = parseRfc3339("2026-01-31T12:00:05Z");
  ASSERT_TRUE(time);
  EXPECT_EQ(toRfc3339(*time), "2026-01-31T12:00:05Z");
  const auto fine = parseRfc3339("2026-01-31T12:00:05.250000Z");
  ASSERT_TRUE(fine);
  EXPECT_NEAR((*fine - *time).count(), 0.25, 1e-6);
  for (const char* text : {"", "yesterday", "2026-01-31", "2026-01-31T12:00:05+01:00"}) {
    EXPECT_FALSE(parseRfc3339(text)) << text;
  }
}

TEST(Time, HasFractionsOfAnyLengthThatMakesSense) {
  const Time whole = *parseRfc3339("2026-01-31T12:00:05Z");
  EXPECT_NEAR((*parseRfc3339("2026-01-31T12:00:05.5Z") - whole).count(), 0.5, 1e-6);
  EXPECT_NEAR((*parseRfc3339("2026-01-31T12:00:05.123456789Z") - whole).count(), 0.123456789, 1e-6);
  EXPECT_NEAR((*parseRfc3339("2026-01-31T12:00:05.00000000000000000001Z") - whole).count(), 0, 1e-6);
  for (const char* text : {"2026-01-31T12:00:05.Z", "2026-01-31T12:00:05.5", "2026-01-31T12:00:05.1e3Z",
                           "2026-01-31T12:00:05.5.5Z", "2026-01-31T12:00:05.inf Z",
                           "2026-01-31T12:00:05.000000000000000000000000000001Z"}) {
    EXPECT_FALSE(parseRfc3339(text)) << text;
  }
}

TEST(Time, IsOnTheCalendar) {
  for (const char* text :
       {"2026-02-30T12:00:00Z", "2026-13-01T12:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z",
        "2026-01-01T00:00:60Z", "99999-01-01T00:00:00Z", "-001-01-01T00:00:00Z", " 2026-01-01T00:00:00Z",
        "2026-1-1T0:0:0Z", "2026-01-01t00:00:00Z"}) {
    EXPECT_FALSE(parseRfc3339(text)) << text;
  }
  for (const char* text : {"0000-01-01T00:00:00Z", "0999-02-28T01:02:03Z", "9999-12-31T23:59:59Z"}) {
    EXPECT_EQ(toRfc3339(*parseRfc3339(text)), text);
  }
  EXPECT_EQ(toRfc3339(Time(Seconds(1e300))), "9999-12-31T23:59:59Z");
  EXPECT_EQ(toRfc3339(Time(Seconds(-1e300))), "0000-01-01T00:00:00Z");
}

TEST(Decimals, HaveOneSign) {
  EXPECT_EQ(decimalFrom("+5"), 5);
  EXPECT_EQ(decimalFrom("-5"), -5);
  for (const char* text : {"+-5", "-+5", "++5", "--5", "+"}) EXPECT_FALSE(decimalFrom(text)) << text;
}

TEST(Decimals, KeepTheirSignificantDigits) {
  const std::pair<double, const char*> cases[] = {{0, "0"},
                                                  {0.0123456, "0.01235"},
                                                  {12.5, "12.5"},
                                                  {1234.5678, "1235"},
                                                  {123456.0, "123500"},
                                                  {-0.5, "-0.5"},
                                                  {1, "1"},
                                                  {2e-20, "2e-20"},
                                                  {9.99996, "10"},
                                                  {9'999'999'999'499'931.5, "1e+16"},
                                                  {1.7976e308, "1.798e+308"}};
  for (const auto& [value, text] : cases) EXPECT_EQ(toDecimal(value), text);
}

}  // namespace
}  // namespace slaq
