#include "report/output/silence.h"

#include <gtest/gtest.h>

#include <string>

#include "report/output/output_reader.h"

namespace slaq::report {
namespace {

using namespace std::chrono_literals;
using std::nullopt;

const Silence::Clock::time_point kBegin{1000s};

TEST(Silence, LetsAGuessBeServedAfterSomeSeconds) {
  Silence silence;
  const Report guess{1, 0.5};
  EXPECT_EQ(silence.look(nullopt, false, kBegin), nullopt);
  EXPECT_EQ(silence.look(guess, true, kBegin + 100s), nullopt);
  EXPECT_EQ(silence.look(guess, true, kBegin + 102s), nullopt);
  EXPECT_EQ(silence.look(guess, true, kBegin + 103s), guess);
}

// A bar that grows for 20 s, and then a validation.
TEST(Silence, LastsLongerThanTheIterationWhoseProgressWasSeen) {
  Silence silence;
  OutputReader reader{ReaderOptions{}};
  reader.read("Epoch 1/2");
  const auto look = [&](int second) {
    return silence.look(reader.guess(), reader.hasBegun(), kBegin + second * 1s);
  };
  for (int i = 1; i <= 20; ++i) {
    reader.read(std::to_string(i) + "/20 [====>.....] - 1s - loss: 0.5000");
    EXPECT_EQ(look(i), nullopt);
  }
  EXPECT_EQ(look(38), nullopt) << "the validation may go on";
  EXPECT_EQ(look(39), (Report{1, 0.5}));
}

TEST(Silence, IsNoneOnceTheLossIsKnown) {
  Silence silence;
  EXPECT_EQ(silence.look(Report{1, 0.5}, true, kBegin), nullopt);
  EXPECT_EQ(silence.look(nullopt, true, kBegin + 60s), nullopt);
}

}  // namespace
}  // namespace slaq::report
