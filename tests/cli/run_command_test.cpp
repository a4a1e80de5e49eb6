// What slaq run is asked to do, and what it refuses; and one whole run with processes.
#include "cli/run/run_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "cli/command_line.h"
#include "cli/machine/machine_claim.h"
#include "cli/run/experiment.h"
#include "cli/run/run_request.h"
#include "local/cpu/choose_limiter.h"

namespace slaq::cli {
namespace {

using testing::HasSubstr;

std::string manifest(const std::string& name, const std::string& more = "",
                     const std::string& script = "exit 0") {
  return "apiVersion: slaq.io/v1alpha1\nkind: TrainingJob\nmetadata: {name: " + name +
         "}\nspec:\n  workers:\n    minReplicas: 2\n    maxReplicas: 4\n    template:\n      spec:\n" + more +
         "        containers:\n        - name: main\n          command: [/bin/sh, -c, '" + script +
         "']\n          resources: {requests: {cpu: 500m}}\n          image: trainer\n";
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
  Result<run::RunRequest> read(std::vector<std::string> files, const std::string& cores = "4") {
    run::RunOptions options;
    options.files = std::move(files);
    options.sharing.cores = cores;
    options.interarrival = 5;
    return run::readRequest(options, Cores(8000));
  }

  std::filesystem::path directory_;
};

TEST_F(RunCommand, HintsAtWhatWasProbablyNotMeant) {
  auto text = manifest("a");
  text.insert(text.find("spec:") + 5, "\n  stop: {lossReductionPercent: 0.95}");
  const auto request = read({file("a.yaml", text)});
  ASSERT_TRUE(request) << request.error().message;
  EXPECT_THAT(request->hints,
              testing::HasSubstr("a.yaml: hint: default/a: spec.stop.lossReductionPercent is 0.95%"));
}

TEST_F(RunCommand, LetsJobsArriveOneAfterTheOther) {
  const auto request =
      read({file("a.yaml", manifest("a") + "---\n" + manifest("b")), file("c.yaml", manifest("c"))});
  ASSERT_TRUE(request) << request.error().message;
  ASSERT_EQ(request->jobs.size(), 3u);
  EXPECT_EQ(request->shared.capacity, Cores(4000));
  EXPECT_EQ(request->jobs[2].job.key.name, "c");
  EXPECT_EQ(request->jobs[2].after, Seconds(10));
}

TEST_F(RunCommand, TakesTheMachinesCoresByDefault) {
  EXPECT_EQ(read({file("a.yaml", manifest("a"))}, "")->shared.capacity, Cores(8000));
}

TEST_F(RunCommand, SharesWhatTheFlagsSay) {
  const auto sharedBy = [&](const machine::SharingFlags& sharing, Cores machine = Cores(8000)) {
    return machine::sharedResources(sharing, machine);
  };
  EXPECT_EQ(sharedBy({.gpus = "0,1"})->resource(), "nvidia.com/gpu");
  EXPECT_EQ(sharedBy({.gpus = "0,1"})->capacity, Cores(2000));
  const auto one = sharedBy({.gpus = "1", .shareGpu = true});
  ASSERT_TRUE(one) << one.error().message;
  EXPECT_EQ(one->resource(), "cpu");
  EXPECT_EQ(one->sharedGpu, "1");
  EXPECT_EQ(one->capacity, Cores(2000)) << "two trainings at a time keep a GPU busy";
  EXPECT_EQ(sharedBy({.gpus = "1", .shareGpu = true}, Cores(1000))->capacity, Cores(1000));
  EXPECT_EQ(sharedBy({.cores = "3", .gpus = "1", .shareGpu = true})->capacity, Cores(3000));
  EXPECT_EQ(sharedBy({.cores = "3", .gpus = "1"}).error().message,
            "--gpus can't be given together with --cores; leave one of them out");
  EXPECT_THAT(sharedBy({.gpus = "0,1", .shareGpu = true}).error().message,
              HasSubstr("--gpus: names more than the one GPU that is shared"));
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
                ": the job default/c needs 1 core at least, and there are 500m; give more with --cores, or "
                "lower minReplicas");
  EXPECT_THAT(read({large}, "many").error().message,
              HasSubstr("--cores: \"many\" is not a quantity of cores"));
}

TEST_F(RunCommand, SaysWhichFieldOfALargeJobToLower) {
  const auto sentenceFor = [&](const std::string& field, const std::string& more) {
    auto text = manifest("c");
    text.replace(text.find(field), field.size(), field + more);
    return read({file("c.yaml", text)}, "150m").error().message;
  };
  EXPECT_THAT(sentenceFor("spec:\n", "  replicas: 3\n"), testing::EndsWith("or lower replicas"));
  EXPECT_THAT(sentenceFor("spec:\n", "  scheduling: Reserved\n"), testing::EndsWith("or lower maxReplicas"));
  EXPECT_THAT(
      sentenceFor("  workers:\n", "    scaling: CPU\n    cpu: {min: 100m, max: 1}\n"),
      testing::EndsWith("needs 200m cores at least, and there are 150m; give more with --cores, or lower "
                        "minReplicas or cpu.min"));
}

TEST_F(RunCommand, TakesEveryPolicyAndKnowsWhichWasMeant) {
  const auto readUnder = [&](const std::string& policy, bool compare = false) {
    run::RunOptions options;
    options.files = {file("a.yaml", manifest("a"))};
    options.policy = policy;
    options.compare = compare;
    return run::readRequest(options, Cores(8000));
  };
  EXPECT_THAT(run::policyNames(),
              testing::ElementsAre("TotalQuality", "MinQuality", "Fair", "LeastAttainedService", "FinishTime",
                                   "LookAhead", "AllAtOnce"));
  for (const auto& each : run::policyNames()) EXPECT_EQ(name(readUnder(each)->policy), each);
  EXPECT_EQ(readUnder("minquality").error().message,
            "--policy: \"minquality\" is none of TotalQuality, MinQuality, Fair, LeastAttainedService, "
            "FinishTime, LookAhead and AllAtOnce; did you mean MinQuality?");
  EXPECT_EQ(readUnder("Greedy").error().message,
            "--policy: \"Greedy\" is none of TotalQuality, MinQuality, Fair, LeastAttainedService, "
            "FinishTime, LookAhead and AllAtOnce");
  EXPECT_EQ(readUnder("Fair", true).error().message, "--compare: compares with Fair; give another --policy");
  EXPECT_EQ(readUnder("MinQuality", true)->policy, scheduler::findPolicy("MinQuality"));
}

TEST_F(RunCommand, TakesOnlyNumbersOfSecondsInTheirRange) {
  const auto manifests = file("a.yaml", manifest("a"));
  const std::array<std::string, 4> cases[] = {
      {"run", "--epoch", "nan", "0.1 to 3600"},       {"run", "--epoch", "0", "0.1 to 3600"},
      {"run", "--interarrival", "NaN", "0 to 86400"}, {"run", "--interarrival", "soon", "0 to 86400"},
      {"top", "--interval", "-nan", "0.5 to 3600"},
  };
  for (const auto& [command, flag, text, range] : cases) {
    std::vector<std::string> words{command, flag, text};
    if (command == "run") words.push_back(manifests);
    const auto said = test::say(words);
    EXPECT_NE(said.code, 0) << text;
    EXPECT_THAT(said.err,
                HasSubstr(flag + ": must be a number of seconds from " + range + ", not \"" + text + "\""));
  }
}

// The whole way, without figures: workers that end well and badly.
class WholeRun : public RunCommand {
 protected:
  run::RunResult run(const std::string& script) { return runManifest(manifest("a", "", script)); }

  // `apart`: seconds between the arrivals of two jobs.
  run::RunResult runManifest(const std::string& text, const std::string& cores = "4", double apart = 0) {
    return runRequest(read({file("a.yaml", text)}, cores), apart);
  }

  run::RunResult runRequest(const Result<run::RunRequest>& request, double apart = 0) {
    EXPECT_TRUE(request) << request.error().message;
    run::Experiment experiment{.jobs = request->jobs, .settings = {}, .local = {}};
    for (std::size_t i = 0; i < experiment.jobs.size(); ++i)
      experiment.jobs[i].after = Seconds(apart * static_cast<double>(i));
    experiment.settings.capacity = request->shared.capacity;
    experiment.settings.epoch = Seconds(0.1);
    experiment.local.programs = std::filesystem::read_symlink("/proc/self/exe").parent_path();
    const SystemClock clock;
    const auto wait = [](Seconds pause) { return std::this_thread::sleep_for(pause), false; };
    const auto show = [this](const jobs::RunSnapshot& snapshot) { ++shown_, look_(snapshot); };
    const auto result = run::runExperiment(experiment, local::cpu::chooseCpuLimiter(Cores(4000)),
                                           {.clock = clock, .wait = wait, .show = show, .record = record_});
    EXPECT_TRUE(result) << result.error().message;
    return result.value_or(run::RunResult());
  }

  // A command: a program that exports so many iterations, and then does `rest`; both are Python.
  std::string reporter(const std::string& iterations, const std::string& rest) {
    return "exec python3 " + file("program.py", R"(import http.server, os, sys, threading, time
iterations = )" + iterations + R"(
reads = 0
class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        global reads
        reads += 1
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"slaq_training_loss 0.5\nslaq_training_iterations_total %d\n" % iterations)
server = http.server.HTTPServer(("127.0.0.1", int(os.environ["SLAQ_METRICS_PORT"])), Page)
threading.Thread(target=server.serve_forever, daemon=True).start()
)" + rest + "\n");
  }

  int shown_ = 0;
  std::function<void(const JobKey&, Seconds, const LossSample&)> record_;
  std::function<void(const jobs::RunSnapshot&)> look_ = [](const jobs::RunSnapshot&) {};
};

// A program that knows nothing of slaq.
TEST_F(WholeRun, FindsTheLossInWhatACommandWrites) {
  const std::string script =
      "for i in 1 2 3 4 5 6 7 8; do echo \"Iteration $i, loss = 0.$((9 - i))\"; sleep 0.3; done";
  run::RunOptions options;
  options.lines = {script};
  options.commands.name = "trains";
  const auto result = runRequest(run::readRequest(options, Cores(4000)));
  ASSERT_THAT(result.jobs, testing::SizeIs(1));
  EXPECT_EQ(result.jobs[0].state, JobState::Complete);
  EXPECT_EQ(result.jobs[0].key, (JobKey{"default", "trains"}));
  ASSERT_FALSE(result.jobs[0].losses.empty());
  EXPECT_EQ(result.jobs[0].losses.back().iteration, Iterations(8));
  EXPECT_EQ(result.jobs[0].losses.back().loss, Loss(0.1));
}

TEST_F(RunCommand, TellsHowAScriptIsRun) {
  EXPECT_EQ(read({"train.py"}).error().message,
            "train.py: is a script, and no manifest; a command comes after --: slaq run -- python3 train.py");
}

TEST_F(WholeRun, StartsACommandThatIsNotThereOnlyOnce) {
  run::RunOptions options;
  options.lines = {"cd / && nosuchprogram"};
  const auto result = runRequest(run::readRequest(options, Cores(4000)));
  ASSERT_THAT(result.jobs, testing::SizeIs(1));
  EXPECT_EQ(result.jobs[0].state, JobState::Failed);
  EXPECT_EQ(result.jobs[0].restarts, 0);
  EXPECT_THAT(result.jobs[0].failure, testing::AllOf(HasSubstr("exit code 127: its command was not found"),
                                                     HasSubstr("nosuchprogram")));
}

TEST_F(WholeRun, EndsWhenAllJobsAreOver) {
  const auto result = run("exit 0");
  ASSERT_EQ(result.jobs.size(), 1u);
  EXPECT_EQ(result.jobs[0].state, JobState::Complete);
  EXPECT_TRUE(result.jobs[0].times.back());
  EXPECT_FALSE(result.interrupted);
  EXPECT_GT(shown_, 0);
}

// The most frequent reason is told, so the program runs until that one was.
TEST_F(WholeRun, SaysWhyNoLossWasRead) {
  const auto sign = directory_ / "sign";
  int refused = 0;
  int others = 0;
  look_ = [&](const jobs::RunSnapshot& snapshot) {
    for (const auto& row : snapshot.jobs)
      ++(row.problem.find("is refused") == std::string::npos ? others : refused);
    if (refused > others + 20) std::ofstream(sign) << "";
  };
  const auto result = run("while [ ! -e " + sign.string() + " ]; do sleep 0.05; done");
  ASSERT_EQ(result.jobs.size(), 1u);
  EXPECT_EQ(result.jobs[0].state, JobState::Complete);
  EXPECT_THAT(result.jobs[0].problem, HasSubstr("the connection is refused"));
}

TEST_F(WholeRun, WaitsForJobsThatAreYetToCome) {
  const auto result =
      runManifest(manifest("a", "", "exit 0") + "---\n" + manifest("b", "", "exit 0"), "4", 2);
  ASSERT_EQ(result.jobs.size(), 2u);
  for (const auto& job : result.jobs) EXPECT_EQ(job.state, JobState::Complete) << job.key.name;
}

// The second job ends only after the first was complete, and with no time to live, for several epochs.
TEST_F(WholeRun, RemembersAJobThatWasDeletedAfterItsTime) {
  const auto sign = directory_ / "sign";
  int complete = 0;
  look_ = [&](const jobs::RunSnapshot& snapshot) {
    const auto first =
        std::ranges::find(snapshot.jobs, "first", [](const jobs::JobRow& row) { return row.key.name; });
    if (first != snapshot.jobs.end() && first->state == JobState::Complete && ++complete == 20)
      std::ofstream(sign) << "";
  };
  auto first = manifest("first");
  first.replace(first.find("spec:\n"), 6, "spec:\n  ttlSecondsAfterFinished: 0\n");
  const auto result = runManifest(
      first + "---\n" + manifest("second", "", "while [ ! -e " + sign.string() + " ]; do sleep 0.05; done"));
  ASSERT_EQ(result.jobs.size(), 2u);
  for (const auto& job : result.jobs) EXPECT_EQ(job.state, JobState::Complete) << job.key.name;
  EXPECT_TRUE(result.jobs[0].times.back());
}

TEST_F(WholeRun, StopsAJobAsItsOwnerSaid) {
  auto text = manifest("a", "", "sleep 1000");
  text.replace(text.find("spec:\n"), 6, "spec:\n  stop: {activeDeadlineSeconds: 1}\n");
  const auto result = runManifest(text);
  ASSERT_EQ(result.jobs.size(), 1u);
  EXPECT_EQ(result.jobs[0].state, JobState::Complete);
  EXPECT_TRUE(result.jobs[0].times.back()) << "the summary tells when";
}

TEST_F(WholeRun, GivesAReservedJobAllThatItCanUseWhileAnotherWaits) {
  const auto sign = directory_ / "sign";
  look_ = [&](const jobs::RunSnapshot& snapshot) {
    if (snapshot.jobs.size() < 2 || snapshot.jobs[0].workers != Workers(4)) return;
    if (snapshot.jobs[1].state == JobState::Waiting) std::ofstream(sign) << "";
  };
  auto first = manifest("first", "", "while [ ! -e " + sign.string() + " ]; do sleep 0.05; done");
  first.replace(first.find("spec:\n"), 6, "spec:\n  scheduling: Reserved\n");
  const auto result = runManifest(first + "---\n" + manifest("second"), "2500m");
  ASSERT_EQ(result.jobs.size(), 2u);
  for (const auto& job : result.jobs) EXPECT_EQ(job.state, JobState::Complete) << job.key.name;
}

TEST_F(WholeRun, ShowsTheCoresOfAJobThatScalesByCpu) {
  std::optional<Cores> cpu;
  look_ = [&](const jobs::RunSnapshot& snapshot) {
    if (!snapshot.jobs.empty() && snapshot.jobs[0].cpu) cpu = snapshot.jobs[0].cpu;
    if (cpu) std::ofstream(directory_ / "sign") << "";
  };
  auto text = manifest("a", "", "while [ ! -e " + (directory_ / "sign").string() + " ]; do sleep 0.05; done");
  text.replace(text.find("    minReplicas"), 0, "    scaling: CPU\n    cpu: {min: 100m, max: 1}\n");
  EXPECT_EQ(runManifest(text).jobs.at(0).state, JobState::Complete);
  ASSERT_TRUE(cpu);
  EXPECT_GE(*cpu, Cores(100));
  EXPECT_LE(*cpu, Cores(1000));
}

// Goes by what is waited.
class SteppedClock final : public Clock {
 public:
  Time now() const override { return Time(Seconds(1'000'000)) + elapsed_; }
  Seconds monotonic() const override { return elapsed_; }
  bool wait(Seconds pause) {
    elapsed_ += pause;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return false;
  }

 private:
  Seconds elapsed_{0};
};

TEST_F(WholeRun, DecidesEarlyAboutAJobThatArrivesBetweenEpochs) {
  const auto request = read({file("a.yaml", manifest("first") + "---\n" + manifest("second"))});
  ASSERT_TRUE(request) << request.error().message;
  run::Experiment experiment{.jobs = request->jobs, .settings = {.epoch = Seconds(3)}, .local = {}};
  experiment.settings.capacity = request->shared.capacity;
  experiment.jobs[1].after = Seconds(0.5);
  SteppedClock clock;
  std::optional<Seconds> seen;
  const auto wait = [&](Seconds pause) { return clock.wait(pause); };
  const auto show = [&](const jobs::RunSnapshot& snapshot) {
    if (!seen && snapshot.jobs.size() == 2) seen = clock.monotonic();
  };
  ASSERT_TRUE(run::runExperiment(experiment, local::cpu::chooseCpuLimiter(Cores(4000)),
                                 {.clock = clock, .wait = wait, .show = show}));
  ASSERT_TRUE(seen);
  EXPECT_NEAR(seen->count(), 0.6, 0.01);  // a thirtieth of the period later
}

// Time begins to pass when the job is about to end.
TEST_F(WholeRun, SeesBetweenEpochsThatAJobIsOver) {
  const auto sign = directory_ / "sign";
  const auto request = read({file("a.yaml", manifest("a", "", "touch " + sign.string()))});
  ASSERT_TRUE(request) << request.error().message;
  run::Experiment experiment{.jobs = request->jobs, .settings = {.epoch = Seconds(60)}, .local = {}};
  experiment.settings.capacity = request->shared.capacity;
  SteppedClock clock;
  const auto wait = [&](Seconds pause) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return std::filesystem::exists(sign) && clock.wait(pause);
  };
  const auto result =
      run::runExperiment(experiment, local::cpu::chooseCpuLimiter(Cores(4000)),
                         {.clock = clock, .wait = wait, .show = [](const jobs::RunSnapshot&) {}});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->jobs.at(0).state, JobState::Complete);
  EXPECT_LT(clock.monotonic(), Seconds(60));
}

// Time begins to pass when the first loss was seen.
TEST_F(WholeRun, DecidesEarlyWhenAJobHasDoneItsFirstIteration) {
  const auto sign = directory_ / "sign";
  run::RunOptions options;
  options.lines = {"while [ ! -e " + sign.string() +
                   " ]; do i=$((i+1)); echo iteration $i loss $((1000-i)); sleep 0.05; done"};
  const auto request = run::readRequest(options, Cores(4000));
  ASSERT_TRUE(request) << request.error().message;
  run::Experiment experiment{.jobs = request->jobs, .settings = {.epoch = Seconds(60)}, .local = {}};
  experiment.settings.capacity = request->shared.capacity;
  experiment.local.programs = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  SteppedClock clock;
  bool isSeen = false;
  std::optional<Seconds> decided;
  const auto wait = [&](Seconds pause) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return isSeen && clock.wait(pause);
  };
  const auto show = [&](const jobs::RunSnapshot& snapshot) {
    isSeen = isSeen || (!snapshot.jobs.empty() && snapshot.jobs.front().iteration);
  };
  const auto tell = [&](const loop::EpochReport& report) {
    if (report.number == 1 || decided) return;
    decided = clock.monotonic();
    std::ofstream(sign) << "end";
  };
  ASSERT_TRUE(run::runExperiment(experiment, local::cpu::chooseCpuLimiter(Cores(4000)),
                                 {.clock = clock, .wait = wait, .show = show, .tell = tell}));
  ASSERT_TRUE(decided);
  EXPECT_LT(*decided, Seconds(60));
}

// Worker 0, the chief, exits with 1, with 2, and then with 0.
TEST_F(WholeRun, TellsHowOftenAChiefWasStartedAgain) {
  const auto tries = (directory_ / "tries").string();
  int most = 0;
  look_ = [&](const jobs::RunSnapshot& snapshot) {
    for (const auto& row : snapshot.jobs) most = std::max(most, row.chief.failures);
  };
  const auto result = run("[ $SLAQ_WORKER_INDEX = 0 ] || exec sleep 60; echo x >> " + tries +
                          "; n=$(wc -l < " + tries + "); [ $n -gt 2 ] || exit $n");
  ASSERT_EQ(result.jobs.size(), 1u);
  EXPECT_EQ(result.jobs[0].state, JobState::Complete);
  EXPECT_EQ(result.jobs[0].restarts, 2);
  EXPECT_EQ(result.jobs[0].lastFailure, "exit code 2");
  EXPECT_EQ(most, 2);
}

// Each try comes ten iterations further than the last one, and fails once that was read twice, since a figure
// that was read once may be wrong; the third try ends well.
TEST_F(WholeRun, ForgivesAChiefThatComesFurtherBetweenItsFailures) {
  const auto tries = (directory_ / "tries").string();
  const auto program = reporter("10 * len(open(\"" + tries + "\").readlines())",
                                "while reads < 3: time.sleep(0.02)\nsys.exit(iterations < 30)");
  auto text =
      manifest("a", "", "[ $SLAQ_WORKER_INDEX = 0 ] || exec sleep 60; echo x >> " + tries + "; " + program);
  text.replace(text.find("spec:"), 5, "spec:\n  backoffLimit: 1");
  const auto result = runManifest(text);
  ASSERT_EQ(result.jobs.size(), 1u);
  EXPECT_EQ(result.jobs[0].state, JobState::Complete) << result.jobs[0].failure;
  EXPECT_EQ(result.jobs[0].restarts, 2);
}

// The program ends only once its loss was told.
TEST_F(WholeRun, TellsOfALossWhileTheProgramRuns) {
  const auto sign = directory_ / "sign";
  std::vector<LossSample> told;
  record_ = [&](const JobKey&, Seconds since, const LossSample& sample) {
    EXPECT_GE(since, Seconds(0));
    told.push_back(sample);
    std::ofstream(sign) << "";
  };
  const auto result =
      run(reporter("7", "while not os.path.exists(\"" + sign.string() + "\"): time.sleep(0.02)"));
  ASSERT_EQ(result.jobs.size(), 1u);
  EXPECT_EQ(result.jobs[0].state, JobState::Complete);
  ASSERT_FALSE(told.empty());
  EXPECT_EQ(told[0].loss, Loss(0.5));
}

TEST_F(WholeRun, TellsWhatAFailedJobSaid) {
  const auto result = run("echo no data at all; exit 4");
  ASSERT_EQ(result.jobs.size(), 1u);
  EXPECT_EQ(result.jobs[0].state, JobState::Failed);
  EXPECT_THAT(result.jobs[0].failure, HasSubstr("no data at all"));
}

// As long as another one runs, and where nobody has said how the CPU is divided between them.
TEST_F(RunCommand, SaysThatAnotherOneDividesTheMachine) {
  const auto path = file("a.yaml", manifest("a"));
  int told[2];
  ASSERT_EQ(::pipe(told), 0);
  const pid_t other = ::fork();
  if (other == 0) {
    const bool isFirst = !machine::claimMachine();
    (void)!::write(told[1], isFirst ? "1" : "0", 1);
    while (true) ::pause();
  }
  char isFirst = 0;
  ASSERT_EQ(::read(told[0], &isFirst, 1), 1);
  const std::string slaq = (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "slaq").string();
  const auto errorsOf = [&](const std::string& flags) {
    std::system((slaq + " run " + path + flags + " >/dev/null 2>" + (directory_ / "err").string()).c_str());
    std::ifstream in(directory_ / "err");
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  if (isFirst == '1') {  // else a run of another test is the one that is there
    EXPECT_THAT(errorsOf(""), HasSubstr("another slaq, the process " + std::to_string(other) + ", divides"));
  }
  EXPECT_THAT(errorsOf(" --cores 2"), testing::Not(HasSubstr("another slaq")));
  ::kill(other, SIGKILL);
  ::waitpid(other, nullptr, 0);
}

}  // namespace
}  // namespace slaq::cli
