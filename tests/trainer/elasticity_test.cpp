// Real processes that join, leave and are killed: the curve is that of a calm training, bit for bit.
#include <gtest/gtest.h>
#include <signal.h>

#include "trainer/calm.h"
#include "trainer/team.h"

namespace slaq::trainer {
namespace {

// With iterations of some milliseconds, and too many of them to end while a test disturbs it.
problem::Problem longProblem() {
  problem::Problem problem = problemOf("logistic-regression");
  problem.rows = 40000;
  problem.features = 50;
  return problem;
}

class ElasticityTest : public testing::Test {
 protected:
  // Ends the training and compares what there is of its curve.
  static void expectCalmCurve(Team& team, const problem::Problem& problem) {
    team.driver().signal(SIGTERM);
    EXPECT_EQ(team.driver().wait(), 143);
    const auto curve = team.history();
    ASSERT_FALSE(curve.empty());
    EXPECT_EQ(curve, trainCalmly(problem, {curve.back().iteration, 0}));
  }

  TemporaryFolder folder_;
};

// A worker that joined hears that the training is over. One of several may come when the others have done
// all, and would wait for the next driver.
void expectLeaves(Process& worker, bool joined) {
  if (!joined) worker.signal(SIGTERM);
  const auto code = worker.wait();
  EXPECT_TRUE(code == 0 || (!joined && code == 143)) << worker.errors();
}

class AnyAlgorithm : public ElasticityTest, public testing::WithParamInterface<std::string> {};

TEST_P(AnyAlgorithm, HasTheSameCurveWithAnyNumberOfWorkers) {
  const problem::Problem problem = problemOf(GetParam());
  const training::StopRule stop{40, 1e-5};
  const auto calm = trainCalmly(problem, stop);
  ASSERT_GT(calm.size(), 10u);
  EXPECT_LT(calm.back().loss, calm.front().loss);
  for (const int workers : {1, 2, 5}) {
    Team team(folder_, problem, stop);
    std::vector<Process> started;
    for (int i = 0; i < workers; ++i) started.push_back(team.startWorker(std::to_string(i)));
    EXPECT_EQ(team.driver().wait(), 0);
    for (Process& worker : started) expectLeaves(worker, workers == 1);
    EXPECT_EQ(team.history(), calm) << "with " << workers << " workers";
  }
}

TEST_P(AnyAlgorithm, HasTheSameCurveWhileWorkersComeAndGo) {
  const problem::Problem problem = problemOf(GetParam(), 30000);
  const training::StopRule stop{40, 0};
  Team team(folder_, problem, stop);
  const Process stays = team.startWorker("0");
  for (int i = 1; i <= 4; ++i) {
    Process passing = team.startWorker(std::to_string(i));
    ASSERT_TRUE(team.reachesOrEnds(static_cast<std::size_t>(8 * i)));
    passing.signal(i % 2 == 0 ? SIGKILL : SIGTERM);
    EXPECT_TRUE(passing.wait());
  }
  EXPECT_EQ(team.driver().wait(), 0);
  EXPECT_EQ(team.history(), trainCalmly(problem, stop));
}

INSTANTIATE_TEST_SUITE_P(Trainer, AnyAlgorithm, testing::ValuesIn(algorithmNames()), lettersOf);

TEST_F(ElasticityTest, WorkersMayDieLeaveAndJoinAtAnyTime) {
  const problem::Problem problem = longProblem();
  Team team(folder_, problem, kEndless);
  Process killed = team.startWorker("0");
  Process stopped = team.startWorker("1");
  ASSERT_TRUE(team.says("worker 0 joined") && team.says("worker 1 joined"));
  ASSERT_TRUE(team.reaches(5));
  killed.signal(SIGKILL);
  EXPECT_EQ(killed.wait(), -SIGKILL);
  stopped.signal(SIGTERM);
  EXPECT_EQ(stopped.wait(), 143);
  ASSERT_TRUE(team.says("0 remain"));

  const std::size_t before = team.history().size();
  Process stays = team.startWorker("2");
  Process second = team.startWorker("3");
  ASSERT_TRUE(team.says("worker 3 joined"));
  ASSERT_TRUE(team.reaches(before + 5));
  second.signal(SIGKILL);
  ASSERT_TRUE(team.says("worker 3 left")) << "a killed worker is noticed while others work on";
  Process late = team.startWorker("4");
  ASSERT_TRUE(team.says("worker 4 joined"));
  ASSERT_TRUE(team.reaches(team.history().size() + 20));
  expectCalmCurve(team, problem);
}

TEST_F(ElasticityTest, AWorkerThatHangsHoldsUpNobody) {
  const problem::Problem problem = longProblem();
  Team team(folder_, problem, kEndless);
  Process hangs = team.startWorker("0");
  ASSERT_TRUE(team.reaches(5));
  hangs.signal(SIGSTOP);
  Process works = team.startWorker("1");
  ASSERT_TRUE(team.says("worker 1 joined"));
  ASSERT_TRUE(team.reaches(team.history().size() + 20));
  expectCalmCurve(team, problem);
}

TEST_F(ElasticityTest, WorkersOutliveTheirDriverAndServeTheNext) {
  const problem::Problem problem = problemOf("logistic-regression");
  Process worker = [&] {
    Team team(folder_, longProblem(), kEndless);
    Process started = team.startWorker("0");
    EXPECT_TRUE(team.reaches(5));
    team.driver().signal(SIGTERM);
    EXPECT_EQ(team.driver().wait(), 143);
    EXPECT_TRUE(eventually([&] { return started.errors().find("gone") != std::string::npos; }));
    const std::string listen = "--listen=127.0.0.1:" + team.workersPort();
    Process next({"driver", listen, "--metrics-port=0", "--history=" + folder_.path("next.csv"),
                  "--algorithm=logistic-regression", "--rows=5000", "--features=16", "--iterations=20",
                  "--tolerance=0", "--linger=0"},
                 {}, folder_.path("next.log"));
    EXPECT_EQ(next.wait(), 0) << next.errors();
    return started;
  }();
  EXPECT_EQ(worker.wait(), 0);
  EXPECT_EQ(readHistory(folder_.path("next.csv")), trainCalmly(problem, {20, 0}));
}

TEST_F(ElasticityTest, AWorkerLeavesInTheMiddleOfAComputation) {
  problem::Problem problem = longProblem();
  problem.rows = 2000000;  // a single chunk of some seconds
  problem.chunks = 1;
  Team team(folder_, problem, kEndless);
  Process worker = team.startWorker("0");
  ASSERT_TRUE(eventually([&] { return worker.errors().find("joined") != std::string::npos; }));
  worker.signal(SIGTERM);
  EXPECT_EQ(worker.wait(), 143);
  EXPECT_TRUE(team.says("worker 0 left"));
}

TEST_F(ElasticityTest, AWorkerWaitsForADriverThatIsNotThere) {
  Process worker({"worker"}, {{"SLAQ_DRIVER_ADDRESS", "no-such-host.invalid:7070"}}, folder_.path("w.log"));
  ASSERT_TRUE(eventually([&] { return worker.errors().find("waiting") != std::string::npos; }));
  worker.signal(SIGTERM);
  EXPECT_EQ(worker.wait(), 143);
}

}  // namespace
}  // namespace slaq::trainer
