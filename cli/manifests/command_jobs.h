// TrainingJobs for command lines, as manifests.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "cli/manifests/manifest_files.h"
#include "job/kind.h"

namespace slaq::cli::manifests {

// Flags of the command line that apply to all commands.
struct CommandDefaults {
  std::string name;      // empty: the program's name
  std::string maxCpu;    // the most cores of each process or worker, a quantity
  std::string workers;   // "MIN:MAX"; empty: one process, whose CPU changes
  std::string metric;    // the name of the loss in the output; empty: the best that is found
  std::string pattern;   // an expression for lines of the output; empty: the metric's name is looked for
  std::string lossFrom;  // "kubeflow", "file:PATH", "tensorboard:PATH" or "mlflow:PATH"; empty: its output
  std::string image = kThisMachine;  // what a cluster runs the command in; one machine needs none
  std::string gpuMemory;             // its part of the shared GPU, a quantity; empty: what was measured
  std::optional<int> retries = {};   // spec.backoffLimit; none: its default
  bool maximizes = false;
  bool onGpu = false;  // it gets a whole GPU instead of a part of the CPU
};

// Sets the default of maxCpu: all cores of the machine for a command, and one core for each of several
// workers.
void completeMaxCpu(CommandDefaults& defaults, Cores machine);

// A name that Kubernetes accepts: "train" for `python3 train.py --lr 0.1`.
std::string nameOf(const std::vector<std::string>& words);

// The words that run a command line in the shell, so that it may use pipes and variables.
std::vector<std::string> shellCommand(const std::string& line);

// True if each line of the file is a command, so that it is not a manifest.
bool isListOfCommands(const std::string& path);

// The lines of a file of commands, without comments and empty ones.
std::vector<std::string> commandLines(std::string_view text);

// The manifest, with comments for people who edit it. REQUIRES: the command has a word.
std::string manifestText(const std::vector<std::string>& command, const std::string& name,
                         const CommandDefaults& defaults);

// Collects the manifests of commands; jobs with the same name get numbers.
class CommandJobs {
 public:
  explicit CommandJobs(CommandDefaults defaults) : defaults_(std::move(defaults)) {}

  void add(const std::vector<std::string>& words);
  void addLine(const std::string& line);  // the shell runs it

  std::vector<ManifestText> manifests() const;

 private:
  struct Job {
    std::string name;
    std::vector<std::string> command;
  };

  CommandDefaults defaults_;
  std::vector<Job> jobs_;
};

}  // namespace slaq::cli::manifests
