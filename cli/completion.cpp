#include "cli/completion.h"

#include <iostream>
#include <memory>
#include <vector>

#include "cli/run_request.h"

namespace slaq {
namespace {

// The long flags of a command, and the words of its positional choices.
std::string flagsOf(const CLI::App& command) {
  std::string words;
  for (const auto* option : command.get_options()) {
    for (const auto& flag : option->get_lnames()) words += (words.empty() ? "--" : " --") + flag;
  }
  return words;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string namesOf(const CLI::App& app) {
  std::string names;
  for (const auto* each : app.get_subcommands([](const CLI::App*) { return true; })) {
    names += (names.empty() ? "" : " ") + each->get_name();
  }
  return names;
}

}  // namespace

std::string bashCompletion(const CLI::App& app) {
  std::string script =
      "_slaq() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} words\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W \"" +
      namesOf(app) + " " + flagsOf(app) +
      "\" -- \"$word\"))\n"
      "    return\n"
      "  fi\n"
      "  case ${COMP_WORDS[COMP_CWORD-1]} in\n"
      "    --policy) COMPREPLY=($(compgen -W \"" +
      joined(policyNames()) +
      "\" -- \"$word\")); return ;;\n"
      "    --logs) COMPREPLY=($(compgen -d -- \"$word\")); return ;;\n"
      "  esac\n"
      "  case ${COMP_WORDS[1]} in\n";
  for (const auto* each : app.get_subcommands([](const CLI::App*) { return true; })) {
    const bool shells = each->get_name() == "completion";
    script +=
        "    " + each->get_name() + ") words=\"" + (shells ? "bash zsh " : "") + flagsOf(*each) + "\" ;;\n";
  }
  return script +
         "  esac\n"
         "  case $word in\n"
         "    -*) COMPREPLY=($(compgen -W \"$words\" -- \"$word\")) ;;\n"
         "    *) COMPREPLY=($(compgen -W \"${words//--*/}\" -- \"$word\") $(compgen -f -- \"$word\")) ;;\n"
         "  esac\n"
         "}\n"
         "complete -o filenames -F _slaq slaq\n";
}

std::string zshCompletion(const CLI::App& app) {
  return "autoload -U +X compinit && compinit\n"
         "autoload -U +X bashcompinit && bashcompinit\n" +
         bashCompletion(app);
}

void addCompletionCommand(CLI::App& app, std::function<int()>& run) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("completion", "Print a completion script for a shell");
  command->add_option("shell", *shell, "bash or zsh")->required()->check(CLI::IsMember({"bash", "zsh"}));
  command->callback([&app, shell, &run] {
    run = [&app, shell] {
      std::cout << (*shell == "bash" ? bashCompletion(app) : zshCompletion(app));
      return 0;
    };
  });
}

}  // namespace slaq
