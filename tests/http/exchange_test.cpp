#include "http/exchange.h"

#include <gtest/gtest.h>

namespace slaq::http {
namespace {

using Verdict = Exchange::Verdict;

Exchange::Clock::time_point soon() { return Exchange::Clock::now() + std::chrono::minutes(1); }
Exchange::Clock::time_point already() { return Exchange::Clock::now(); }

TEST(Exchange, HoldsTheSenderBackUntilItsBytesAreTaken) {
  Exchange exchange(4, 100);
  int resumed = 0;
  EXPECT_EQ(exchange.write("abc", [&] { ++resumed; }), Verdict::Taken);
  EXPECT_EQ(exchange.write("def", [&] { ++resumed; }), Verdict::Later);
  EXPECT_EQ(resumed, 0);
  EXPECT_EQ(exchange.take(), "abcdef");
  EXPECT_EQ(resumed, 1);
  exchange.leave();
  EXPECT_EQ(resumed, 1) << "resumed exactly once";
}

TEST(Exchange, LeavingFreesASenderThatIsHeldBack) {
  Exchange exchange(1, 100);
  int resumed = 0;
  EXPECT_EQ(exchange.write("abc", [&] { ++resumed; }), Verdict::Later);
  exchange.leave();
  EXPECT_EQ(resumed, 1);
  EXPECT_EQ(exchange.write("def", [&] { ++resumed; }), Verdict::Refused);
}

TEST(Exchange, EndsWithAnErrorWhenTooMuchComes) {
  Exchange exchange(100, 5);
  EXPECT_EQ(exchange.write("12345", [] {}), Verdict::Taken);
  EXPECT_EQ(exchange.write("6", [] {}), Verdict::Refused);
  exchange.finish(Error{ErrorKind::Transient, "the connection broke"});
  EXPECT_TRUE(exchange.waitForEnd(already()));
  EXPECT_EQ(exchange.error()->kind, ErrorKind::Malformed) << "the first reason counts";
}

TEST(Exchange, WaitsNoLongerThanAsked) {
  Exchange exchange(100, 100);
  EXPECT_FALSE(exchange.waitForHead(already()));
  EXPECT_FALSE(exchange.waitForBytes(already()));
  EXPECT_FALSE(exchange.waitForEnd(already()));
}

TEST(Exchange, TellsHeadBytesAndEndApart) {
  Exchange exchange(100, 100);
  exchange.begin({200, {}, Seconds(3)});
  EXPECT_TRUE(exchange.waitForHead(soon()));
  EXPECT_EQ(exchange.head()->retryAfter, Seconds(3));
  EXPECT_EQ(exchange.write("x", [] {}), Verdict::Taken);
  EXPECT_TRUE(exchange.waitForBytes(soon()));
  EXPECT_FALSE(exchange.waitForEnd(already()));
  exchange.finish(std::nullopt);
  EXPECT_TRUE(exchange.waitForEnd(soon()));
  EXPECT_EQ(exchange.take(), "x");
}

TEST(Exchange, AnInterruptionEndsEveryWait) {
  Exchange exchange(100, 100);
  exchange.interrupt();
  EXPECT_FALSE(exchange.waitForHead(soon()));
  EXPECT_FALSE(exchange.waitForBytes(soon()));
  EXPECT_FALSE(exchange.waitForEnd(soon()));
}

}  // namespace
}  // namespace slaq::http
