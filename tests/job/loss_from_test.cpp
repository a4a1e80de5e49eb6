#include "job/loss_from.h"

#include <gmock/gmock.h>

namespace slaq {
namespace {

using ::testing::ElementsAre;
using ::testing::Optional;
using ::testing::StartsWith;

std::vector<std::string> commandOf(LossFrom from, LossMode mode = LossMode::Minimize) {
  LossSpec loss;
  loss.from = std::move(from);
  loss.mode = mode;
  return reportCommand(loss, "slaq-report");
}

TEST(LossFrom, IsWhatSlaqReportIsTold) {
  using enum LossFrom::Kind;
  EXPECT_THAT(commandOf({}), ElementsAre("slaq-report", "--"));
  EXPECT_THAT(commandOf({.metric = "nll"}, LossMode::Maximize),
              ElementsAre("slaq-report", "--metric", "nll", "--maximize", "--as-is", "--"));
  EXPECT_THAT(commandOf({.kind = File, .path = "log.csv", .metric = "val_loss"}),
              ElementsAre("slaq-report", "--from", "file:log.csv", "--metric", "val_loss", "--"));
  EXPECT_THAT(commandOf({.kind = TensorBoard, .path = "runs"}),
              ElementsAre("slaq-report", "--from", "tensorboard:runs", "--"));
  EXPECT_THAT(commandOf({.kind = Mlflow, .path = "mlruns"}),
              ElementsAre("slaq-report", "--from", "mlflow:mlruns", "--"));
  EXPECT_THAT(commandOf({.kind = Kubeflow, .metric = "eval_loss"}),
              ElementsAre("slaq-report", "--from", "kubeflow", "--metric", "eval_loss", "--"));
}

// Kubernetes makes $$ a $ again.
TEST(LossFrom, HasDollarsThatStayWhatTheyAre) {
  EXPECT_THAT(commandOf({.pattern = "$(?<loss>.)$"}),
              ElementsAre("slaq-report", "--pattern", "$$(?<loss>.)$$", "--"));
}

TEST(LossFrom, PatternHasAGroupForTheLoss) {
  EXPECT_EQ(problemOfPattern("nll=(?<loss>.*)"), std::nullopt);
  EXPECT_EQ(problemOfPattern("nll=(?P<loss>.*)"), std::nullopt);
  for (const char* pattern : {"", "nll=(.*)", "nll=(?<nll>.*)"})
    EXPECT_THAT(problemOfPattern(pattern), Optional(StartsWith("must have a group named loss, as in ")));
}

}  // namespace
}  // namespace slaq
