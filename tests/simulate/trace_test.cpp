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

TEST(Trace, IsWhatProgramsExport) {
  const std::map<std::string, std::vector<double>> cases = {
      {"Wall time,Step,Value\n1.7e9,0,3\n1.7e9,1,2\n", {3, 2}},  // TensorBoard
      {"\"Step\",\"run-1 - val_loss\",\"run-1 - val_loss__MIN\",\"run-1 - val_loss__MAX\"\n"
       "\"1\",\"3\",\"3\",\"3\"\n\"2\",\"2\",\"2\",\"2\"\n",  // Weights & Biases
       {3, 2}},
      {"Run,metric,value,step,timestamp\na,loss,3,1,5\na,loss,2,2,6\n", {3, 2}},  // MLflow
      {"\xef\xbb\xbf epoch ; loss \r\n 10 ; 3 \r\n\r\n 11 ; 2 \r\n", {3, 2}},
      {"iteration\tloss\n0\t4\n2\t2\n", {4, 3, 2}},  // every second one
      {"policy,job,seconds,iteration,loss\nLookAhead,default/a,0.5,2,3\nLookAhead,default/a,0.7,2,2.5\n"
       "LookAhead,default/a,0.9,3,2\nFair,default/a,0.5,2,9\n",
       {2.5, 2}},  // slaq run --losses --compare
  };
  for (const auto& [text, losses] : cases) {
    const auto trace = readTrace("a.csv", text);
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_EQ(trace->losses, losses) << text;
  }
}

TEST(Trace, HasTheColumnsThatAreNamed) {
  const std::string text = "batch,train_loss,val_loss,job\n1,9,3,ns/a\n1,8,7,ns/b\n2,7,2,ns/a\n";
  EXPECT_EQ(readTrace("a.csv", text, {.iteration = "batch", .loss = "val_loss", .job = "a"})->losses,
            (std::vector<double>{3, 2}));
  EXPECT_EQ(
      readTrace("a.csv", text).error().message,
      "a.csv:1: has no column for the iterations; --iteration names one of batch, train_loss, val_loss, job");
  EXPECT_EQ(readTrace("a.csv", text, {.iteration = "batch"}).error().message,
            "a.csv:1: has no column for the loss; --loss names one of batch, train_loss, val_loss, job");
  EXPECT_EQ(readTrace("a.csv", text, {.iteration = "batch", .loss = "val_loss"}).error().message,
            "a.csv: has several jobs; --job names one of ns/a, ns/b");
  EXPECT_EQ(readTrace("a.csv", text, {.iteration = "batch", .loss = "val_loss", .job = "c"}).error().message,
            "a.csv: has no job c; there is ns/a, ns/b");
}

TEST(Trace, SaysWhatIsWrongAndWhere) {
  const std::map<std::string, std::string> cases = {
      {"", "a.csv:1: the first line must name the columns"},
      {"loss\n1\n", "a.csv:1: has no column for the iterations"},
      {"iteration,loss\n0,1\n", "a.csv: has no two iterations"},
      {"iteration,loss\n0,1\n2,1\n1,1\n", "a.csv:4: the iteration must be no less"},
      {"iteration,loss\n0,1\n1,nan\n", "a.csv:3: the loss must be a finite number"},
      {"iteration,loss\n0,-inf\n1,1\n", "a.csv:2: the loss must be a finite number"},
      {"iteration,loss\n0,1\n1,-1e101\n", "a.csv:3: the loss must be a finite number, from -1e100"},
      {"iteration,loss\n0,1\n1,1e999\n", "a.csv:3: must have an iteration and a loss"},
      {"iteration,loss\n-1,1\n", "a.csv:2: must have an iteration and a loss"},
      {"iteration,loss\n0,1\n1.5,1\n", "a.csv:3: must have an iteration and a loss"},
      {"iteration,loss\n0,1\n1,1x\n", "a.csv:3: must have an iteration and a loss"},
      {"iteration,loss\n0,1\n1e9,1\n", "a.csv:3: must be one of the first 10000000 iterations"},
      {"iteration,loss\n0\n", "a.csv:2: must have 2 fields"},
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
