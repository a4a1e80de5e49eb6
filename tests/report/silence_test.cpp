#include "report/output/silence.h"

#include <gtest/gtest.h>

namespace slaq::report {
namespace {

using namespace std::chrono_literals;
using std::nullopt;

const Silence::Clock::time_point kBegin{1000s};

TEST(Silence, LetsAGuessBeServedAfterSomeSeconds) {
  Silence silence;
  const Report guess{1, 0.5};
  EXPECT_EQ(silence.look(nullopt, kBegin), nullopt);
  EXPECT_EQ(silence.look(guess, kBegin + 100s), nullopt);
  EXPECT_EQ(silence.look(guess, kBegin + 102s), nullopt);
  EXPECT_EQ(silence.look(guess, kBegin + 103s), guess);
}

TEST(Silence, LastsLongerThanTheIterationWhoseProgressWasSeen) {
  Silence silence;
  for (int i = 0; i <= 20; ++i) EXPECT_EQ(silence.look(Report{1, 1.0 / (1 + i)}, kBegin + i * 1s), nullopt);
  const Report guess{1, 1.0 / 21};
  EXPECT_EQ(silence.look(guess, kBegin + 39s), nullopt) << "a validation may go on";
  EXPECT_EQ(silence.look(guess, kBegin + 40s), guess);
}

TEST(Silence, IsNoneOnceTheLossIsKnown) {
  Silence silence;
  EXPECT_EQ(silence.look(Report{1, 0.5}, kBegin), nullopt);
  EXPECT_EQ(silence.look(nullopt, kBegin + 60s), nullopt);
}

}  // namespace
}  // namespace slaq::report
