// TrainingJobs of command lines: the manifest that a command stands for.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "cli/run/manifest_files.h"

namespace slaq::cli::run {

// Flags of the command line that apply to all commands.
struct CommandDefaults {
  std::string name;       // empty: after the program
  std::string maxCpu;     // the most cores of each, a quantity; of each worker, where it has several
  std::string workers;    // "MIN:MAX"; empty: one process, whose CPU changes
  std::string metric;     // the name of the loss in the output; empty: the best that is found
  std::string pattern;    // an expression for lines of the output; empty: the metric is looked for
  std::string lossFrom;   // "kubeflow", "file:PATH", "tensorboard:PATH" or "mlflow:PATH"; empty: its output
  std::string gpuMemory;  // of a GPU that all share, a quantity; empty: what was measured
  bool maximizes = false;
  bool onGpu = false;  // a whole one instead of a part of the CPU
};

// Where no flag says otherwise, a command may have all cores of the machine, and each of several workers has
// one.
void completeMaxCpu(CommandDefaults& defaults, Cores machine);

// "train" for `python3 train.py --lr 0.1`: a name that Kubernetes takes.
std::string nameOf(const std::vector<std::string>& words);

// The words of a command line for the shell, for programs, pipes and variables.
std::vector<std::string> shellCommand(const std::string& line);

// The lines of a file of commands, without comments and empty ones.
std::vector<std::string> commandLines(std::string_view text);

// The manifest, with comments for whoever goes on from it. REQUIRES: there is a word.
std::string manifestText(const std::vector<std::string>& command, const std::string& name,
                         const CommandDefaults& defaults);

// Manifests of commands; jobs of one name get numbers.
class CommandJobs {
 public:
  explicit CommandJobs(CommandDefaults defaults) : defaults_(std::move(defaults)) {}

  void add(const std::vector<std::string>& words);
  void addLine(const std::string& line);  // a shell runs it

  std::vector<ManifestText> manifests() const;

 private:
  struct Job {
    std::string name;
    std::vector<std::string> command;
  };

  CommandDefaults defaults_;
  std::vector<Job> jobs_;
};

}  // namespace slaq::cli::run
