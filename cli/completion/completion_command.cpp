#include "cli/completion/completion_command.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <string>

#include "base/clock.h"
#include "cli/cluster/training_cluster.h"
#include "cli/completion/complete.h"
#include "cli/flags/cluster_flags.h"

namespace slaq::cli::completion {
namespace {

// Each script runs `slaq __complete WORDS...` and obeys the last line of its output.
constexpr const char* kBash = R"(_slaq() {
  local IFS=$'\n' word=${COMP_WORDS[COMP_CWORD]} lines line
  lines=($("${COMP_WORDS[0]}" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  COMPREPLY=()
  [ "$word" = "=" ] && word=""
  for line in "${lines[@]}"; do
    case $line in
      :0) COMPREPLY=($(compgen -f -- "$word")); compopt -o filenames 2>/dev/null ;;
      :16) COMPREPLY=($(compgen -d -- "$word")); compopt -o filenames 2>/dev/null ;;
      :*) ;;
      *) COMPREPLY+=("${line%%$'\t'*}") ;;
    esac
  done
}
complete -F _slaq slaq kubectl-slaq
)";

constexpr const char* kZsh = R"(#compdef slaq kubectl-slaq
_slaq() {
  local -a lines shown
  local line
  lines=("${(@f)$(${words[1]} __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in $lines; do
    case $line in
      :0) _files; return ;;
      :16) _files -/; return ;;
      :*) ;;
      *$'\t'*) shown+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
      *) shown+=("${line//:/\\:}") ;;
    esac
  done
  _describe slaq shown
}
(( $+functions[compdef] )) || { autoload -U compinit && compinit }
compdef _slaq slaq kubectl-slaq
)";

constexpr const char* kFish = R"(function __slaq_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l lines ($words[1] __complete $words[2..-1] 2>/dev/null)
  switch "$lines[-1]"
    case :0
      __fish_complete_path (commandline -ct)
    case :16
      __fish_complete_directories (commandline -ct)
    case '*'
      string match -v ':*' -- $lines
  end
end
complete -c slaq -f -a '(__slaq_complete)'
complete -c kubectl-slaq -f -a '(__slaq_complete)'
)";

// A user does not wait longer for a list of names.
constexpr cluster::Patience kImpatient{.tries = 1, .deadline = Seconds(2)};

// The result of `read` on the cluster that the flags name; empty on errors.
template <class Read>
std::vector<std::string> namesFrom(const flags::ClusterFlags& flags, Read read) {
  const SystemClock clock;
  const auto access = flags::accessToJobsBy(flags, clock);
  if (!access) return {};
  cluster::TrainingCluster cluster(*access, kImpatient);
  return read(cluster).value_or(std::vector<std::string>());
}

Result<std::vector<std::string>> jobNames(cluster::TrainingCluster& cluster) {
  const auto jobs = cluster.jobs(cluster.ns());
  if (!jobs) return failure(jobs.error());
  std::vector<std::string> names;
  for (const auto& job : *jobs) names.push_back(job.key.name);
  return names;
}

}  // namespace

std::string completionScript(const std::string& shell) {
  if (shell == "fish") return kFish;
  return shell == "zsh" ? kZsh : kBash;
}

int printCompletions(const CLI::App& app, const std::vector<std::string>& words) {
  const ClusterNames names{
      .jobs = [](const flags::ClusterFlags& flags) { return namesFrom(flags, jobNames); },
      .namespaces =
          [](const flags::ClusterFlags& flags) {
            return namesFrom(flags, [](cluster::TrainingCluster& cluster) { return cluster.namespaces(); });
          }};
  std::cout << toText(complete(app, words, names));
  return 0;
}

void addCompletionCommand(CLI::App& app, std::function<int()>& run) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("completion", "Print a completion script for a shell");
  command->add_option("shell", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->callback([shell, &run] {
    run = [shell] {
      std::cout << completionScript(*shell);
      return 0;
    };
  });
}

}  // namespace slaq::cli::completion
