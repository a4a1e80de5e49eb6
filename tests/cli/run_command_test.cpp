// What slaq run is asked to do, and what it refuses; and one whole run with processes.
#include "cli/run_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <thread>

#include "cli/experiment.h"

namespace slaq {
namespace {

using testing::HasSubstr;

std::string manifest(const std::string& name, const std::string& more = "",
                     const std::string& script = "exit 0") {
  return "apiVersion: slaq.io/v1alpha1\nkind: TrainingJob\nmetadata: {name: " + name +
         "}\nspec:\n  workers:\n    minReplicas: 2\n    maxReplicas: 4\n    template:\n      spec:\n" + more +
         "        containers:\n        - name: main\n          command: [/bin/sh, -c, '" + script +
         "']\n          resources: {requests: {cpu: 500m}}\n";
}

class RunCommand : public testing::Test {
 protected:
  RunCommand() {
    std::string name = (std::filesystem::temp_directory_path() / "slaq-test-XXXXXX").string();
    directory_ = ::mkdtemp(name.data());
  }
  ~RunCommand() override { std::filesystem::remove_all(directory_); }

  std::string file(const std::string& name, const std::string& text) {
    const auto path = directory_ / name;
    std::ofstream(path) << text;
    return path.string();
  }
  Result<RunRequest> read(std::vector<std::string> files, const std::string& cores = "4") {
    RunOptions options;
    options.files = std::move(files);
    options.cores = cores;
    options.interarrival = 5;
    return readRequest(options, Cores(8000));
  }

  std::filesystem::path directory_;
};

TEST_F(RunCommand, LetsJobsArriveOneAfterTheOther) {
  const auto request =
      read({file("a.yaml", manifest("a") + "---\n" + manifest("b")), file("c.yaml", manifest("c"))});
  ASSERT_TRUE(request) << request.error().message;
  ASSERT_EQ(request->jobs.size(), 3u);
  EXPECT_EQ(request->capacity, Cores(4000));
  EXPECT_EQ(request->jobs[2].job.key.name, "c");
  EXPECT_EQ(request->jobs[2].after, Seconds(10));
}

TEST_F(RunCommand, TakesTheMachinesCoresByDefault) {
  EXPECT_EQ(read({file("a.yaml", manifest("a"))}, "")->capacity, Cores(8000));
}

TEST_F(RunCommand, RefusesWithFileAndLine) {
  const auto volumes = file("a.yaml", manifest("a", "        volumes: []\n"));
  const auto twice = file("b.yaml", manifest("b") + "---\n" + manifest("b"));
  const auto large = file("c.yaml", manifest("c"));
  const std::pair<std::vector<std::string>, std::string> cases[] = {
      {{"/nowhere.yaml"}, "/nowhere.yaml: can't be read"},
      {{volumes}, volumes + ":10: spec.workers.template.spec.volumes: can't be honoured on one machine"},
      {{twice}, twice + ": the job default/b is there twice; give it another name"},
  };
  for (const auto& [files, message] : cases) {
    const auto request = read(files);
    ASSERT_FALSE(request);
    EXPECT_THAT(request.error().message, HasSubstr(message));
    EXPECT_EQ(request.error().kind, ErrorKind::Invalid);
  }
  EXPECT_EQ(read({large}, "500m").error().message,
            large +
                ": the job default/c needs 1 cores at least, and there are 500m; give more with --cores, or "
                "lower minReplicas");
  EXPECT_THAT(read({large}, "many").error().message,
              HasSubstr("--cores: \"many\" is not a quantity of cores"));
}

// The whole way, without figures: workers that end well and badly.
class WholeRun : public RunCommand {
 protected:
  RunResult run(const std::string& script) {
    const auto request = read({file("a.yaml", manifest("a", "", script))});
    EXPECT_TRUE(request) << request.error().message;
    Experiment experiment{.jobs = request->jobs, .settings = {}, .local = {}};
    experiment.settings.capacity = request->capacity;
    experiment.settings.epoch = Seconds(0.1);
    const SystemClock clock;
    const auto wait = [](Seconds pause) { return std::this_thread::sleep_for(pause), false; };
    const auto result =
        runExperiment(experiment, chooseCpuHold(),
                      {.clock = clock, .wait = wait, .show = [this](const Scene&) { ++shown_; }});
    EXPECT_TRUE(result) << result.error().message;
    return result.value_or(RunResult());
  }

  int shown_ = 0;
};

TEST_F(WholeRun, EndsWhenAllJobsAreOver) {
  const auto result = run("exit 0");
  ASSERT_EQ(result.jobs.size(), 1u);
  EXPECT_EQ(result.jobs[0].state, JobState::Complete);
  EXPECT_TRUE(result.jobs[0].times.back());
  EXPECT_FALSE(result.interrupted);
  EXPECT_GT(shown_, 0);
}

TEST_F(WholeRun, TellsWhatAFailedJobSaid) {
  const auto result = run("echo no data at all; exit 4");
  ASSERT_EQ(result.jobs.size(), 1u);
  EXPECT_EQ(result.jobs[0].state, JobState::Failed);
  EXPECT_THAT(result.jobs[0].failure, HasSubstr("no data at all"));
}

}  // namespace
}  // namespace slaq
