#include "simulate/input/trace.h"

#include <gmock/gmock.h>

#include <map>

namespace slaq::simulate {
namespace {

using ::testing::ElementsAre;
using ::testing::StartsWith;

TEST(Trace, HasTheLossAfterEachIteration) {
  const auto trace = readTrace("a.csv", "iteration,loss\r\n0,1.5\r\n1,-2e-3\r\n2,0\r\n");
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_THAT(trace->losses, ElementsAre(1.5, -2e-3, 0));
}

TEST(Trace, SaysWhatIsWrongAndWhere) {
  const std::map<std::string, std::string> cases = {
      {"", "a.csv:1: the first line must be"},
      {"loss\n1\n", "a.csv:1: the first line must be"},
      {"iteration,loss\n0,1\n", "a.csv: has no two iterations"},
      {"iteration,loss\n0,1\n2,1\n", "a.csv:3: the iteration must be 1"},
      {"iteration,loss\n0,1\n1,nan\n", "a.csv:3: the loss must be a finite number"},
      {"iteration,loss\n0,-inf\n1,1\n", "a.csv:2: the loss must be a finite number"},
      {"iteration,loss\n0,1\n1,-1e101\n", "a.csv:3: the loss must be a finite number, from -1e100"},
      {"iteration,loss\n0,1\n1,1e999\n", "a.csv:3: must be an iteration and a loss"},
      {"iteration,loss\n-1,1\n", "a.csv:2: must be an iteration and a loss"},
      {"iteration,loss\n0,1\n\n1,1\n", "a.csv:3: must be an iteration and a loss"},
      {"iteration,loss\n0,1\n1,1x\n", "a.csv:3: must be an iteration and a loss"},
      {"iteration,loss\n0\n", "a.csv:2: must be an iteration and a loss"},
  };
  for (const auto& [text, expected] : cases) {
    const auto trace = readTrace("a.csv", text);
    ASSERT_FALSE(trace) << text;
    EXPECT_THAT(trace.error().message, StartsWith(expected));
  }
}

TEST(Trace, LiesOnADisk) {
  const auto trace = loadTrace("/dev/zero");
  ASSERT_FALSE(trace);
  EXPECT_THAT(trace.error().message, StartsWith("/dev/zero: can't be read: it is a pipe, a device"));
}

}  // namespace
}  // namespace slaq::simulate
