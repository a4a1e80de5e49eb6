// Other commands reach the jobs of slaq run: they see them, and stop one while the others go on.
#include "cli/run/run_board.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "cli/command_line.h"
#include "cli/run/experiment.h"
#include "cli/run/run_request.h"
#include "local/cpu/choose_limiter.h"

namespace slaq::test {
namespace {

namespace run = cli::run;
using ::testing::AllOf;
using ::testing::HasSubstr;

const JobKey kLong{"default", "long"};
const JobKey kShort{"default", "short"};

class BoardOfARun : public ::testing::Test {
 protected:
  // Runs a job that sleeps for ever and one that sleeps for a second. `look` is called with each snapshot.
  run::RunResult runWith(const std::function<void(const cli::jobs::RunSnapshot&)>& look) {
    run::RunOptions options;
    options.lines = {"exec sleep 1000 # long.py", "exec sleep 1 # short.py"};
    const auto request = run::readRequest(options, Cores(4000));
    EXPECT_TRUE(request) << request.error().message;
    board_.emplace(request->manifests);
    run::Experiment experiment{.jobs = request->jobs, .settings = {}, .local = {}};
    experiment.settings.capacity = request->shared.capacity;
    experiment.settings.epoch = Seconds(0.1);
    experiment.local.programs = std::filesystem::read_symlink("/proc/self/exe").parent_path();
    const SystemClock clock;
    const auto wait = [](Seconds pause) { return std::this_thread::sleep_for(pause), false; };
    auto result = run::runExperiment(experiment, local::cpu::chooseCpuLimiter(Cores(4000)),
                                     {.clock = clock, .wait = wait, .show = look, .board = &*board_});
    EXPECT_TRUE(result) << result.error().message;
    return result.value_or(run::RunResult());
  }

  std::optional<run::RunBoard> board_;
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

TEST_F(BoardOfARun, RefusesOthersAndWhatItDoesNotHave) {
  bool isAsked = false;
  runWith([&](const cli::jobs::RunSnapshot& snapshot) {
    if (isAsked) return static_cast<void>(board_->stop(me_, kLong));
    if (board_->jobs().empty()) return;
    isAsked = true;
    EXPECT_THAT(board_->stop({::geteuid() + 1, 0}, kLong).error().message,
                HasSubstr("who alone may stop it"));
    EXPECT_EQ(board_->stop(me_, {"default", "none"}).error().kind, ErrorKind::NotFound);
    board_->begin("");
    EXPECT_THAT(board_->stop(me_, kLong).error().message, HasSubstr("it is still to come, or is gone"));
    EXPECT_TRUE(board_->jobs().empty());
    EXPECT_THAT(board_->submit(me_, "{}").error().message, HasSubstr("takes no others; slaq serve does"));
    EXPECT_EQ(snapshot.jobs.size(), 2u);
  });
  EXPECT_TRUE(isAsked);
}

}  // namespace
}  // namespace slaq::test
