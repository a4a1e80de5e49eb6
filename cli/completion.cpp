#include "cli/completion.h"

#include <iostream>
#include <memory>

namespace slaq {
namespace {

// Each script asks `slaq __complete WORDS...` and does what the last line of the answer says.
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

}  // namespace

std::string completionScript(const std::string& shell) {
  if (shell == "fish") return kFish;
  return shell == "zsh" ? kZsh : kBash;
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

}  // namespace slaq
