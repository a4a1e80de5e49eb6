#include "trainer/training/checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <fstream>

#include "trainer/calm.h"
#include "trainer/team.h"

namespace slaq::trainer {
namespace {

using testing::HasSubstr;

void write(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

class CheckpointTest : public testing::Test {
 protected:
  std::string path() const { return folder_.path("training.checkpoint"); }
  std::vector<std::string> flags() const { return {"--checkpoint=" + path(), "--checkpoint-every=0"}; }

  std::string refusal(const problem::Problem& problem) const {
    training::Training training = makeTraining(problem, kEndless);
    const auto loaded = training::loadCheckpoint(path(), problem, training);
    return loaded ? "" : loaded.error().message;
  }

  TemporaryFolder folder_;
};

// Runs rounds until that number of iterations is done; returns the losses after each.
std::vector<training::Progress> advance(training::Training& training, const problem::Problem& problem,
                                        std::int64_t iterations) {
  const auto kernel = registry::entryFor(problem).value().makeKernel(problem);
  const auto chunks = allChunks(problem);
  std::vector<training::Progress> curve;
  while (training.ending() == training::Ending::None &&
         (!training.progress() || training.progress()->iteration < iterations)) {
    const data::Vector state = training.state();
    for (const data::Chunk& chunk : chunks) {
      const auto step = training.accept(chunk.index, kernel->partial(chunk, state));
      if (step == training::Training::Step::Iteration) curve.push_back(*training.progress());
    }
  }
  return curve;
}

class AnyAlgorithmsCheckpoint : public CheckpointTest, public testing::WithParamInterface<std::string> {};

TEST_P(AnyAlgorithmsCheckpoint, GoesOnBitForBit) {
  const problem::Problem problem = problemOf(GetParam());
  const auto calm = trainCalmly(problem, {25, 0});
  ASSERT_GT(calm.size(), 10u);
  for (const std::int64_t saved : {0, 1, 7}) {
    training::Training first = makeTraining(problem, {25, 0});
    advance(first, problem, saved);
    ASSERT_TRUE(training::saveCheckpoint(path(), problem, first));
    training::Training second = makeTraining(problem, {25, 0});
    ASSERT_TRUE(training::loadCheckpoint(path(), problem, second).value());
    EXPECT_EQ(second.progress(), first.progress());
    EXPECT_EQ(second.initialLoss(), calm.front().loss);
    const auto rest = advance(second, problem, 25);
    EXPECT_EQ(rest, std::vector<training::Progress>(calm.begin() + saved + 1, calm.end()))
        << "after " << saved;
    EXPECT_NE(second.ending(), training::Ending::None);
  }
}

TEST_P(AnyAlgorithmsCheckpoint, OutlivesADriverThatIsKilled) {
  const problem::Problem problem = problemOf(GetParam(), 20000);
  const training::StopRule stop{60, 0};
  {
    Team team(folder_, problem, stop, 0, flags());
    const Process worker = team.startWorker("0");
    ASSERT_TRUE(team.reachesOrEnds(5));
    team.driver().signal(SIGKILL);
    EXPECT_TRUE(team.driver().wait());
  }
  const auto before = readHistory(folder_.path("history.csv"));
  Team team(folder_, problem, stop, 0, flags());
  const Process worker = team.startWorker("1");
  EXPECT_EQ(team.driver().wait(), 0);
  EXPECT_THAT(team.driver().errors(), HasSubstr("goes on after iteration"));
  const auto calm = trainCalmly(problem, stop);
  EXPECT_EQ(team.history(), calm);
  EXPECT_EQ(before, std::vector<training::Progress>(
                        calm.begin(), calm.begin() + static_cast<std::ptrdiff_t>(before.size())));
}

INSTANTIATE_TEST_SUITE_P(Trainer, AnyAlgorithmsCheckpoint, testing::ValuesIn(algorithmNames()), lettersOf);

TEST_F(CheckpointTest, IsSavedWhenTheDriverIsToldToLeave) {
  const problem::Problem problem = problemOf("logistic-regression", 20000);
  const std::vector<std::string> rarely{"--checkpoint=" + path(), "--checkpoint-every=86400"};
  {
    Team team(folder_, problem, kEndless, 0, rarely);
    const Process worker = team.startWorker("0");
    ASSERT_TRUE(team.reaches(10));
    team.driver().signal(SIGTERM);
    EXPECT_EQ(team.driver().wait(), 143);
  }
  const auto last = readHistory(folder_.path("history.csv")).back();
  Team team(folder_, problem, kEndless, 0, rarely);
  auto scrape = team.scrape();
  // The metrics are served before the checkpoint is loaded.
  ASSERT_TRUE(eventually([&] { return (scrape = team.scrape()).contains("slaq_training_loss"); }));
  EXPECT_EQ(scrape.at("slaq_training_iterations_total"), static_cast<double>(last.iteration));
  EXPECT_NEAR(scrape.at("slaq_training_loss"), last.loss, 1e-12);
  EXPECT_NEAR(scrape.at("slaq_training_initial_loss"), team.history().front().loss, 1e-12);
}

TEST_F(CheckpointTest, OfATrainingThatIsOverEndsAtOnce) {
  const problem::Problem problem = problemOf("k-means");
  {
    Team team(folder_, problem, {5, 0}, 0, flags());
    const Process worker = team.startWorker("0");
    EXPECT_EQ(team.driver().wait(), 0);
  }
  Team again(folder_, problem, {5, 0}, 0, flags());
  EXPECT_EQ(again.driver().wait(), 0) << "without any worker";
  EXPECT_EQ(again.history(), trainCalmly(problem, {5, 0}));
}

TEST_F(CheckpointTest, DropsTheHistoryBeyondIt) {
  const problem::Problem problem = problemOf("k-means");
  training::Training training = makeTraining(problem, {9, 0});
  const auto curve = advance(training, problem, 3);
  ASSERT_TRUE(training::saveCheckpoint(path(), problem, training));
  write(folder_.path("history.csv"), "iteration,loss\n0,1\n1,1\n2,1\n3,1\n4,1\n5,1\n6,");
  const Team team(folder_, problem, {9, 0}, 0, flags());
  EXPECT_EQ(readFile(folder_.path("history.csv")), "iteration,loss\n0,1\n1,1\n2,1\n3,1\n");
}

TEST_F(CheckpointTest, IsRefusedByNameOfWhatDiffers) {
  const problem::Problem problem = problemOf("linear-svm");
  training::Training training = makeTraining(problem, kEndless);
  ASSERT_TRUE(training::saveCheckpoint(path(), problem, training));
  const std::string before = readFile(path());
  EXPECT_EQ(refusal(problem), "");
  problem::Problem other = problem;
  other.settings.set("l2", 0.5);
  EXPECT_THAT(refusal(other), HasSubstr("is of another training: there --l2 is 0.001, not 0.5"));
  other = problem;
  other.rows = 5001;
  EXPECT_THAT(refusal(other), HasSubstr("there --rows is 5000, not 5001"));
  other = problem;
  other.seed = 2;
  EXPECT_THAT(refusal(other), HasSubstr("there --seed is 1, not 2"));
  EXPECT_THAT(refusal(problemOf("k-means")), HasSubstr("there --algorithm is linear-svm, not k-means"));
  EXPECT_EQ(readFile(path()), before);
}

TEST_F(CheckpointTest, IsRefusedIfItIsDamaged) {
  const problem::Problem problem = problemOf("linear-regression");
  training::Training training = makeTraining(problem, kEndless);
  advance(training, problem, 3);
  ASSERT_TRUE(training::saveCheckpoint(path(), problem, training));
  const std::string whole = readFile(path());
  for (std::size_t size = 0; size < whole.size(); size += 13) {
    write(path(), whole.substr(0, size));
    EXPECT_NE(refusal(problem), "") << "cut to " << size;
  }
  for (std::size_t at = 0; at < whole.size(); at += 7) {
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ 0x10);
    write(path(), flipped);
    EXPECT_NE(refusal(problem), "") << "flipped at " << at;
  }
  write(path(), "iteration,loss\n");
  EXPECT_THAT(refusal(problem), HasSubstr("is not a checkpoint"));
}

TEST_F(CheckpointTest, ThatIsRefusedEndsTheDriverAndStaysAsItIs) {
  write(path(), "something precious");
  Process driver({"driver", "--algorithm=linear-svm", "--rows=100", "--features=2", "--metrics-port=0",
                  "--listen=127.0.0.1:0", "--checkpoint=" + path()},
                 {}, folder_.path("driver.log"));
  EXPECT_EQ(driver.wait(), 2);
  EXPECT_THAT(driver.errors(), HasSubstr("is not a checkpoint of slaq-trainer"));
  EXPECT_EQ(readFile(path()), "something precious");
}

TEST_F(CheckpointTest, ThatCannotBeWrittenIsRefusedAtTheStart) {
  for (const std::string file : {"/no/such/folder/c", "/dev/null"}) {
    Process driver({"driver", "--algorithm=linear-svm", "--rows=100", "--features=2", "--metrics-port=0",
                    "--listen=127.0.0.1:0", "--checkpoint=" + file},
                   {}, folder_.path("driver.log"));
    EXPECT_EQ(driver.wait(), 2);
    EXPECT_THAT(driver.errors(), HasSubstr("--checkpoint")) << file;
  }
}

}  // namespace
}  // namespace slaq::trainer
