// The driver as its environment sees it: metrics, exit codes, and peers that do not behave.
#include "trainer/driver/driver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "trainer/calm.h"
#include "trainer/protocol/message.h"
#include "trainer/team.h"

namespace slaq::trainer {
namespace {

using boost::asio::ip::tcp;
using testing::HasSubstr;

problem::Problem smallProblem() {
  problem::Problem problem;
  problem.algorithm = "logistic-regression";
  problem.rows = 20000;
  problem.features = 20;
  return completed(problem);
}

class DriverTest : public testing::Test {
 protected:
  TemporaryFolder folder_;
};

TEST_F(DriverTest, ScrapesAreConsistentPairsOfTheHistory) {
  Team team(folder_, smallProblem(), {400, 0}, 600);
  const auto idle = team.scrape();
  EXPECT_FALSE(idle.contains("slaq_training_loss")) << "no loss is known yet";
  EXPECT_EQ(idle.at("slaq_training_iterations_total"), 0);
  EXPECT_EQ(idle.at("slaq_training_workers"), 0);

  Process worker = team.startWorker("0");
  std::vector<std::map<std::string, double>> scrapes;
  do {
    scrapes.push_back(team.scrape());
  } while (!scrapes.back().empty() && scrapes.back()["slaq_training_iterations_total"] < 400);
  const auto curve = team.history();
  ASSERT_EQ(curve.size(), 401u);
  ASSERT_EQ(scrapes.back()["slaq_training_iterations_total"], 400) << "the last sample stays up for a while";
  for (auto& scrape : scrapes) {
    if (!scrape.contains("slaq_training_loss")) continue;
    const auto& point = curve.at(static_cast<std::size_t>(scrape["slaq_training_iterations_total"]));
    EXPECT_NEAR(scrape["slaq_training_loss"], point.loss, 1e-12);
    EXPECT_NEAR(scrape["slaq_training_initial_loss"], curve.front().loss, 1e-12);
  }
  EXPECT_GT(scrapes.back()["slaq_training_cpu_seconds_total"], 0);
  EXPECT_EQ(worker.wait(), 0);
}

TEST_F(DriverTest, WaitsPatientlyForWorkersAndLeavesWhenTold) {
  Team team(folder_, smallProblem(), {10, 0});
  EXPECT_EQ(team.scrape().at("slaq_training_workers"), 0);
  team.driver().signal(SIGTERM);
  EXPECT_EQ(team.driver().wait(), 143);
}

TEST_F(DriverTest, SucceedsWhenItIsToldToLeaveAfterTheEnd) {
  Team team(folder_, smallProblem(), {5, 0}, 600);
  const Process worker = team.startWorker("0");
  ASSERT_TRUE(team.says("all iterations done"));
  team.driver().signal(SIGTERM);
  EXPECT_EQ(team.driver().wait(), 0);
}

TEST_F(DriverTest, FailsWhenTheLossIsNoLongerFinite) {
  problem::Problem problem;
  problem.algorithm = "logistic-regression";
  problem.rows = 1000;
  problem.features = 5;
  problem.settings.set("learning-rate", 1e300);
  Team team(folder_, completed(problem), {100, 0});
  const Process worker = team.startWorker("0");
  EXPECT_EQ(team.driver().wait(), 1);
  EXPECT_THAT(team.driver().errors(), HasSubstr("not finite"));
}

TEST_F(DriverTest, RefusesPortsThatAreInUse) {
  const Team team(folder_, smallProblem(), {10, 0});
  Process second({"driver", "--algorithm=linear-regression", "--rows=100", "--features=2", "--metrics-port=0",
                  "--listen=127.0.0.1:" + team.workersPort()},
                 {}, folder_.path("second.log"));
  EXPECT_EQ(second.wait(), 2);
  EXPECT_THAT(second.errors(), HasSubstr("cannot listen on"));
}

TEST_F(DriverTest, RefusesAHistoryThatCannotBeWritten) {
  Process driver({"driver", "--algorithm=linear-regression", "--rows=100", "--features=2", "--metrics-port=0",
                  "--listen=127.0.0.1:0", "--history=/no/such/folder/h.csv"},
                 {}, folder_.path("driver.log"));
  EXPECT_EQ(driver.wait(), 2);
  EXPECT_THAT(driver.errors(), HasSubstr("--history"));
}

// A driver that is refused, with its words after the exit code 2.
class RefusedDriverTest : public DriverTest {
 protected:
  std::string refusal(const std::vector<std::string>& more, const std::string& port = "0") const {
    std::vector<std::string> words{"driver",           "--algorithm=linear-regression",
                                   "--rows=100",       "--features=2",
                                   "--metrics-port=0", "--listen=127.0.0.1:" + port};
    words.insert(words.end(), more.begin(), more.end());
    Process driver(words, {}, folder_.path("refused.log"));
    EXPECT_EQ(driver.wait(), 2);
    return driver.errors();
  }

  std::string file(const std::string& name, const std::string& content) const {
    std::ofstream(folder_.path(name)) << content;
    return folder_.path(name);
  }
};

TEST_F(RefusedDriverTest, LeavesTheFilesOfTheOneThatRuns) {
  const Team running(folder_, smallProblem(), {10, 0});
  const std::string history = file("h.csv", "iteration,loss\n0,1\n1,0.5\n");
  const std::string checkpoint = folder_.path("checkpoint");
  EXPECT_THAT(refusal({"--history=" + history, "--checkpoint=" + checkpoint}, running.workersPort()),
              HasSubstr("cannot listen on"));
  EXPECT_EQ(readFile(history), "iteration,loss\n0,1\n1,0.5\n");
  EXPECT_FALSE(std::filesystem::exists(checkpoint));
}

TEST_F(RefusedDriverTest, LeavesAFileThatIsNoHistory) {
  for (const std::string content : {"something precious", "x", "iteration,price\n1,2\n"}) {
    const std::string precious = file("precious", content);
    EXPECT_THAT(refusal({"--history=" + precious, "--checkpoint=" + folder_.path("checkpoint")}),
                HasSubstr("--history " + precious + " is not a history of slaq-trainer; name another file"));
    EXPECT_EQ(readFile(precious), content);
    EXPECT_FALSE(std::filesystem::exists(folder_.path("checkpoint")));
  }
}

TEST_F(RefusedDriverTest, NeedsTwoFilesForHistoryAndCheckpoint) {
  const std::string there = file("there", "");
  std::filesystem::create_symlink(there, folder_.path("link"));
  const std::string cases[][2] = {{folder_.path("new"), folder_.path("./new")},
                                  {there, folder_.path("link")}};
  for (const auto& [history, checkpoint] : cases) {
    EXPECT_THAT(refusal({"--history=" + history, "--checkpoint=" + checkpoint}),
                HasSubstr("--history and --checkpoint are the same file"));
  }
  EXPECT_FALSE(std::filesystem::exists(folder_.path("new")));
  EXPECT_EQ(readFile(there), "");
}

// A worker that the test itself plays.
class Peer {
 public:
  explicit Peer(const std::string& port) {
    boost::asio::connect(socket_, tcp::resolver(io_).resolve("127.0.0.1", port));
    socket_.set_option(tcp::no_delay(true));
  }

  void sendBytes(const std::string& bytes) { boost::asio::write(socket_, boost::asio::buffer(bytes)); }
  void send(const protocol::Message& message) { sendBytes(protocol::encode(message)); }

  // The next message but Alive; nothing once the driver has closed the connection.
  std::optional<protocol::Message> receive() {
    while (true) {
      const auto length = protocol::decodeLength(read(protocol::kLengthBytes));
      if (!length) return std::nullopt;
      auto message = protocol::decodeBody(read(*length));
      if (!message) return std::nullopt;
      if (!std::holds_alternative<protocol::Alive>(*message)) return std::move(*message);
    }
  }

 private:
  std::string read(std::size_t size) {
    std::string bytes(size, '\0');
    boost::system::error_code error;
    boost::asio::read(socket_, boost::asio::buffer(bytes), error);
    return error ? std::string() : bytes;
  }

  boost::asio::io_context io_;
  tcp::socket socket_{io_};
};

TEST_F(DriverTest, SendsAwayWhoDoesNotSpeakItsLanguage) {
  Team team(folder_, smallProblem(), {10, 0});
  const std::vector<std::string> openings{
      "GET / HTTP/1.1\r\n\r\n", protocol::encode(protocol::Hello{protocol::kProtocol + 1, "0"}),
      protocol::encode(protocol::Compute{1, 1}),
      protocol::encode(protocol::Partial{1, 0, 0, data::Vector::Zero(21)}),  // without a hello
      protocol::encode(protocol::Hello{protocol::kProtocol, "0"}) +
          protocol::encode(protocol::Hello{protocol::kProtocol, "0"})};
  for (const std::string& opening : openings) {
    Peer peer(team.workersPort());
    peer.sendBytes(opening);
    while (peer.receive()) {
    }
  }
  Process worker = team.startWorker("0");
  EXPECT_EQ(team.driver().wait(), 0);
  EXPECT_EQ(worker.wait(), 0);
  EXPECT_EQ(team.history(), trainCalmly(smallProblem(), {10, 0}));
}

// The programs of this test have no SLAQ_JOB_UID; those of others say what they like.
TEST_F(DriverTest, SendsAwayWorkersOfAnotherJob) {
  Team team(folder_, smallProblem(), {10, 0});
  Peer peer(team.workersPort());
  peer.send(protocol::Hello{protocol::kProtocol, "0", "another-job"});
  EXPECT_FALSE(peer.receive());
  Process worker = team.startWorker("0");
  EXPECT_EQ(team.driver().wait(), 0);
  EXPECT_EQ(team.history(), trainCalmly(smallProblem(), {10, 0}));
}

TEST_F(DriverTest, SendsAwayWhoAnswersNonsense) {
  Team team(folder_, smallProblem(), {10, 0});
  for (const protocol::Partial& nonsense : {protocol::Partial{1, 0, 0, data::Vector::Zero(3)},
                                            protocol::Partial{1, 64, 0, data::Vector::Zero(21)},
                                            protocol::Partial{1, -1, 0, data::Vector::Zero(21)},
                                            protocol::Partial{1, 0, -1, data::Vector::Zero(21)},
                                            protocol::Partial{1, 0, NAN, data::Vector::Zero(21)}}) {
    Peer peer(team.workersPort());
    peer.send(protocol::Hello{protocol::kProtocol, "0"});
    peer.send(nonsense);
    while (peer.receive()) {
    }
  }
  const Process worker = team.startWorker("0");
  EXPECT_EQ(team.driver().wait(), 0);
  EXPECT_EQ(team.history(), trainCalmly(smallProblem(), {10, 0}));
}

TEST_F(DriverTest, CountsResultsThatComeTwiceOrLateOnlyOnce) {
  const problem::Problem problem = smallProblem();
  Team team(folder_, problem, {10, 0});
  const auto kernel = registry::entryFor(problem).value().makeKernel(problem);
  const auto source = registry::makeSource(problem);
  Peer peer(team.workersPort());
  peer.send(protocol::Hello{protocol::kProtocol, "0"});
  std::optional<protocol::State> state;
  std::optional<protocol::Partial> old;
  while (auto message = peer.receive()) {
    if (std::holds_alternative<protocol::Over>(*message)) break;
    if (auto* next = std::get_if<protocol::State>(&*message)) state = *next;
    const auto* compute = std::get_if<protocol::Compute>(&*message);
    if (!compute) continue;
    const protocol::Partial partial{compute->round, compute->chunk, 0,
                                    kernel->partial(source->chunk(compute->chunk), state->values)};
    if (old) peer.send(*old);
    peer.send(partial);
    peer.send(partial);
    if (compute->chunk % 7 == 0) old = partial;
  }
  EXPECT_EQ(team.driver().wait(), 0);
  EXPECT_EQ(team.history(), trainCalmly(problem, {10, 0}));
}

TEST_F(DriverTest, SendsTheStateOnceInARound) {
  const problem::Problem problem = smallProblem();
  Team team(folder_, problem, {5, 0});
  const auto kernel = registry::entryFor(problem).value().makeKernel(problem);
  const auto source = registry::makeSource(problem);
  Peer peer(team.workersPort());
  peer.send(protocol::Hello{protocol::kProtocol, "0"});
  std::vector<std::int64_t> rounds;
  protocol::State state;
  while (auto message = peer.receive()) {
    if (std::holds_alternative<protocol::Over>(*message)) break;
    if (auto* next = std::get_if<protocol::State>(&*message)) state = *next, rounds.push_back(state.round);
    const auto* compute = std::get_if<protocol::Compute>(&*message);
    if (!compute) continue;
    peer.send(protocol::Partial{compute->round, compute->chunk, 0,
                                kernel->partial(source->chunk(compute->chunk), state.values)});
  }
  EXPECT_THAT(rounds, testing::ElementsAre(1, 2, 3, 4, 5, 6));
}

}  // namespace
}  // namespace slaq::trainer
