// Command lines as TrainingJobs.
#include "cli/manifests/command_jobs.h"

#include <gmock/gmock.h>

#include "local/cluster/check_local.h"
#include "manifest/manifest.h"

namespace slaq::cli::manifests {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

TrainingJob jobOf(const std::vector<std::string>& words, CommandDefaults defaults = {}) {
  if (defaults.maxCpu.empty()) defaults.maxCpu = "2";
  const auto jobs =
      manifest::readManifest("m", manifestText(words, nameOf(words), defaults), "cpu",
                             [](const TrainingJob& job) { return local::cluster::checkLocal(job); });
  EXPECT_TRUE(jobs) << jobs.error().message;
  return jobs.value().at(0);
}

TEST(CommandJobs, AreNamedAfterTheirProgram) {
  EXPECT_EQ(nameOf({"python3", "-u", "src/train_resnet.py", "--lr", "0.1"}), "train-resnet");
  EXPECT_EQ(nameOf({"torchrun", "--nproc_per_node", "2", "train.py"}), "train");
  EXPECT_EQ(nameOf({"/usr/bin/python", "-m", "pkg.train"}), "pkg");
  EXPECT_EQ(nameOf({"./a.out", "data.csv"}), "a");
  EXPECT_EQ(nameOf({"env", "LR=1", "bash", "run.sh"}), "run");
  EXPECT_EQ(nameOf({"7zip"}), "job-7zip");
  EXPECT_EQ(nameOf({"\xc3\xa4"}), "job");
  EXPECT_EQ(nameOf({std::string(100, 'x')}).size(), 40u);
}

TEST(CommandJobs, AreValidWhateverTheirWordsAre) {
  const std::vector<std::string> words = {"python",      "a b.py", "--x={y: [1, 2]}", "'\"#\\", "$(HOME)",
                                          "line\nbreak", ""};
  const auto job = jobOf(words);
  auto expected = words;
  expected[4] = "$$(HOME)";  // Kubernetes expands it otherwise
  EXPECT_EQ(job.spec.workers.pod.containers[0].command, expected);
  EXPECT_EQ(job.spec.workers.scaling, Scaling::CPU);
  EXPECT_EQ(job.spec.workers.cpu.max, Cores(2000));
  EXPECT_EQ(job.spec.loss.from, LossFrom());
}

TEST(CommandJobs, MayBeCalledAsYamlCallsOtherThings) {
  for (const char* program : {"true", "null", "no", "1e3"})
    EXPECT_FALSE(jobOf({program}).key.name.empty()) << program;
}

TEST(CommandJobs, SayWhatTheyTakeOfASharedGpu) {
  EXPECT_EQ(jobOf({"train"}, {.gpuMemory = "20Gi"}).spec.workers.pod.containers[0].gpuMemory,
            Mebibytes(20480));
  EXPECT_EQ(jobOf({"train"}).spec.workers.pod.containers[0].gpuMemory, std::nullopt);
}

TEST(CommandJobs, SayWhatTheFlagsSay) {
  const auto job = jobOf(
      {"train"}, {.maxCpu = "1500m", .metric = "val: loss", .lossFrom = "file:log.csv", .maximizes = true});
  EXPECT_EQ(job.spec.workers.cpu.max, Cores(1500));
  EXPECT_EQ(job.spec.loss.from,
            (LossFrom{.kind = LossFrom::Kind::File, .path = "log.csv", .metric = "val: loss"}));
  EXPECT_EQ(job.spec.loss.mode, LossMode::Maximize);
  EXPECT_EQ(jobOf({"train"}, {.retries = 0}).spec.backoffLimit, 0);
  EXPECT_EQ(jobOf({"train"}, {.lossFrom = "kubeflow"}).spec.loss.from,
            LossFrom{.kind = LossFrom::Kind::Kubeflow});
  const std::string pattern = R"(^\[(?P<iteration>\d+)\] "nll": (?P<loss>\S+)$)";
  for (const char* from : {"", "output"})
    EXPECT_EQ(jobOf({"train"}, {.pattern = pattern, .lossFrom = from}).spec.loss.from,
              LossFrom{.pattern = pattern});
}

TEST(CommandJobs, MayHaveSeveralWorkersThatTorchrunFinds) {
  const auto job = jobOf({"torchrun", "train.py", "$HOME"}, {.maxCpu = "1500m", .workers = "2:5"});
  EXPECT_EQ(job.key.name, "train");
  EXPECT_EQ(job.spec.workers.scaling, Scaling::Replicas);
  EXPECT_EQ(job.spec.workers.min, Workers(2));
  EXPECT_EQ(job.spec.workers.max, Workers(5));
  EXPECT_EQ(coresOf(job.spec.workers.pod), Cores(1500));
  const auto& container = job.spec.workers.pod.containers[0];
  EXPECT_EQ(container.command[0], "/bin/sh");
  EXPECT_THAT(std::vector(container.command.end() - 4, container.command.end()),
              ElementsAre("sh", "torchrun", "train.py", "$$HOME"));
  EXPECT_THAT(manifestText({"torchrun"}, "a", {.maxCpu = "1", .workers = "2:5"}),
              HasSubstr("value: \"$(SLAQ_WORKERS_MIN):$(SLAQ_WORKERS_MAX)\"}"));
}

TEST(CommandJobs, HaveACoreForEachOfSeveralWorkersUnlessMoreIsSaid) {
  CommandDefaults defaults = {.workers = "1:2"};
  completeMaxCpu(defaults, Cores(8000));
  EXPECT_EQ(defaults.maxCpu, "1");
  defaults = {};
  completeMaxCpu(defaults, Cores(8000));
  EXPECT_EQ(defaults.maxCpu, "8");
  completeMaxCpu(defaults, Cores(2000));
  EXPECT_EQ(defaults.maxCpu, "8");
}

TEST(CommandJobs, OfOneNameHaveNumbers) {
  CommandJobs jobs({.maxCpu = "1"});
  jobs.add({"python", "a.py"});
  jobs.addLine("python b.py | tee log");
  jobs.addLine("python a.py --lr 2");
  const auto texts = jobs.manifests();
  ASSERT_THAT(texts, SizeIs(3));
  EXPECT_EQ(texts[0].name, "the command of a-1");
  EXPECT_EQ(texts[1].name, "the command of b");
  EXPECT_EQ(texts[2].name, "the command of a-2");
}

TEST(CommandJobs, MayBeLinesOfAFile) {
  EXPECT_THAT(commandLines("# two trainings\n\n  python a.py  \r\npython b.py # seed 1"),
              ElementsAre("python a.py", "python b.py # seed 1"));
}

}  // namespace
}  // namespace slaq::cli::manifests
