// Other commands reach the jobs of slaq run: they see them, and stop one while the others go on.
#include "cli/run/run_board.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "cli/command_line.h"
#include "cli/jobs/change_lines.h"
#include "cli/run/experiment.h"
#include "cli/run/run_request.h"
#include "local/cpu/choose_limiter.h"

namespace slaq::test {
namespace {

namespace run = cli::run;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;

const JobKey kLong{"default", "long"};
const JobKey kShort{"default", "short"};

class BoardOfARun : public ::testing::Test {
 protected:
  using Look = std::function<void(const cli::jobs::RunSnapshot&)>;

  // Runs a job that sleeps for ever and one that sleeps for a second. `look` is called with each snapshot.
  run::RunResult runWith(const Look& look) {
    return runLines({"exec sleep 1000 # long.py", "exec sleep 1 # short.py"}, Seconds(0.1), look);
  }

  // Runs the command lines until they end, or the user has stopped the run by setting `isInterrupted_`.
  run::RunResult runLines(const std::vector<std::string>& lines, Seconds epoch, const Look& look,
                          double interarrival = 0) {
    run::RunOptions options;
    options.lines = lines;
    options.interarrival = interarrival;
    const auto request = run::readRequest(options, Cores(4000));
    EXPECT_TRUE(request) << request.error().message;
    board_.emplace(request->manifests);
    run::Experiment experiment{.jobs = request->jobs, .settings = {}, .local = {}};
    experiment.settings.capacity = request->shared.capacity;
    experiment.settings.epoch = epoch;
    experiment.local.programs = std::filesystem::read_symlink("/proc/self/exe").parent_path();
    const SystemClock clock;
    const auto wait = [&](Seconds pause) { return std::this_thread::sleep_for(pause), isInterrupted_; };
    auto result = run::runExperiment(experiment, local::cpu::chooseCpuLimiter(Cores(4000)),
                                     {.clock = clock, .wait = wait, .show = look, .board = &*board_});
    EXPECT_TRUE(result) << result.error().message;
    return result.value_or(run::RunResult());
  }

  std::optional<run::RunBoard> board_;
  bool isInterrupted_ = false;
  const cli::api::Peer me_{::geteuid(), ::getegid()};
};

TEST_F(BoardOfARun, StopsOneJobAndTheOthersGoOn) {
  bool isAsked = false;
  std::string document;
  cli::jobs::JobRow last;
  const auto result = runWith([&](const cli::jobs::RunSnapshot& snapshot) {
    const auto row = std::ranges::find(snapshot.jobs, kLong, &cli::jobs::JobRow::key);
    if (row == snapshot.jobs.end()) return;
    last = *row;
    if (isAsked || row->state != JobState::Running) return;
    document = board_->jobs().front().document;
    isAsked = board_->stop(me_, kLong).has_value();
  });
  EXPECT_THAT(document, AllOf(HasSubstr("\"name\":\"long\""), HasSubstr("\"state\":\"Running\"")));
  ASSERT_EQ(result.jobs.size(), 2u);
  EXPECT_TRUE(result.jobs[0].isStopped);
  EXPECT_FALSE(result.jobs[1].isStopped);
  EXPECT_EQ(result.jobs[1].state, JobState::Complete);
  EXPECT_FALSE(result.interrupted);
  EXPECT_EQ(cli::jobs::stateText(last), "Stopped");
  EXPECT_EQ(last.cores, Cores());
  EXPECT_THAT(run::summaryOf(result), HasSubstr("Stopped\n"));
}

TEST_F(BoardOfARun, GoesOnToShowAJobThatWasStoppedAndWhy) {
  std::string document;
  runWith([&](const cli::jobs::RunSnapshot& snapshot) {
    const auto row = std::ranges::find(snapshot.jobs, kLong, &cli::jobs::JobRow::key);
    if (row == snapshot.jobs.end() || row->state == JobState::Pending) return;
    if (!row->isStopped) return static_cast<void>(board_->stop(me_, kLong));
    if (document.empty() && board_->jobs().front().document.find("Stopped") != std::string::npos)
      document = board_->jobs().front().document;
  });
  EXPECT_THAT(document, AllOf(HasSubstr("\"state\":\"Failed\""), HasSubstr("it was stopped by slaq stop")));
}

TEST_F(BoardOfARun, StopsAJobThatIsStillToCome) {
  std::string again;
  cli::jobs::RunSnapshot last;
  const auto result = runLines(
      {"exec sleep 0.5 # short.py", "exec sleep 1000 # long.py"}, Seconds(0.1),
      [&](const cli::jobs::RunSnapshot& snapshot) {
        if (last.jobs.empty() && !snapshot.jobs.empty()) {
          EXPECT_TRUE(board_->stop(me_, kLong));
        }
        last = snapshot;
        if (snapshot.jobs.size() < 2 || !again.empty()) return;
        again = board_->stop(me_, kLong).error().message;
        EXPECT_THAT(cli::jobs::changeLines({}, snapshot), Contains(HasSubstr("long  Stopped: by slaq stop")));
        EXPECT_THAT(cli::jobs::changeLines({}, snapshot), Not(Contains(HasSubstr("long  arrived"))));
      },
      3600);
  EXPECT_THAT(again, HasSubstr("is Stopped already"));
  ASSERT_EQ(last.jobs.size(), 2u);
  EXPECT_EQ(last.jobs[0].key, kLong);
  EXPECT_EQ(cli::jobs::stateText(last.jobs[0]), "Stopped");
  EXPECT_EQ(last.toCome, 0u);
  ASSERT_EQ(result.jobs.size(), 2u);
  EXPECT_TRUE(result.jobs[0].isStopped);
  EXPECT_EQ(result.jobs[1].state, JobState::Complete);
}

// An epoch takes longer than this test may.
TEST_F(BoardOfARun, ShowsBetweenEpochsWhatAJobDoesAndThatTheUserStopsAll) {
  constexpr const char* kFalls =
      "i=0; while sleep 0.02; do i=$((i+1)); echo iteration $i loss $((100000/i)); done # long.py";
  std::string document;
  cli::jobs::JobRow last;
  Iterations first;
  const auto result = runLines({kFalls}, Seconds(3600), [&](const cli::jobs::RunSnapshot& snapshot) {
    if (snapshot.jobs.empty()) return;
    last = snapshot.jobs.front();
    if (!last.iteration || *last.iteration < Iterations(20)) return;
    if (document.empty()) {
      document = board_->jobs().front().document;
      first = *last.iteration;
    }
    isInterrupted_ = *last.iteration > first;
  });
  EXPECT_THAT(document, AllOf(HasSubstr("\"state\":\"Running\""), HasSubstr("\"iteration\":")));
  EXPECT_EQ(cli::jobs::stateText(last), "Stopped");
  EXPECT_EQ(last.reason, "since the run was interrupted");
  ASSERT_EQ(result.jobs.size(), 1u);
  EXPECT_GT(result.jobs[0].losses.size(), 1u);
  EXPECT_THAT(result.jobs[0].times, Each(std::nullopt)) << "nobody knows how far it would have come";
}

TEST_F(BoardOfARun, RefusesOthersAndWhatItDoesNotHave) {
  bool isAsked = false;
  runWith([&](const cli::jobs::RunSnapshot& snapshot) {
    if (isAsked) return static_cast<void>(board_->stop(me_, kLong));
    if (board_->jobs().empty()) return;
    isAsked = true;
    EXPECT_THAT(board_->stop({::geteuid() + 1, 0}, kLong).error().message,
                HasSubstr("who alone may stop it"));
    EXPECT_EQ(board_->stop(me_, {"default", "none"}).error().kind, ErrorKind::NotFound);
    board_->put({});
    EXPECT_THAT(board_->stop(me_, kLong).error().message, HasSubstr("has ended already"));
    EXPECT_TRUE(board_->jobs().empty());
    EXPECT_THAT(board_->submit(me_, "{}").error().message, HasSubstr("takes no others; slaq serve does"));
    EXPECT_EQ(snapshot.jobs.size(), 2u);
  });
  EXPECT_TRUE(isAsked);
}

}  // namespace
}  // namespace slaq::test
