#include "cli/completion/complete.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/flags/command_words.h"
#include "cli/run/run_request.h"

namespace slaq::cli::completion {
namespace {

const CLI::App* subcommandOf(const CLI::App& app, const std::vector<std::string>& words) {
  for (const auto& word : words) {
    for (const auto* each : flags::commandsOf(app)) {
      if (each->get_name() == word) return each;
    }
  }
  return nullptr;
}

const CLI::Option* optionOf(const CLI::App& command, const std::string& word) {
  return word.starts_with("-") ? command.get_option_no_throw(word) : nullptr;
}

bool takesValue(const CLI::Option* option) { return option && option->get_items_expected_max() > 0; }

// The choices "{a,b}" in CLI11's text for an option's type.
std::vector<std::string> choicesOf(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const auto open = type.find('{');
  const auto close = type.find('}');
  if (open == std::string::npos || close == std::string::npos) return {};
  return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
}

// Each flag with its description, as shells show it.
std::vector<std::string> flagsOf(const CLI::App& command) {
  std::vector<std::string> words;
  for (const auto& each : flags::flagsOf(command)) words.push_back(each.word + "\t" + each.description);
  return words;
}

std::vector<std::string> commandsOf(const CLI::App& app) {
  std::vector<std::string> words;
  for (const auto* each : flags::commandsOf(app))
    words.push_back(each->get_name() + "\t" + each->get_description());
  return words;
}

// The words before the cursor, and the word under it.
struct Line {
  std::vector<std::string> before;
  std::string current;
};

// Splits "--flag=value" into two words, also where the shell makes three of it.
Line lineOf(std::vector<std::string> words) {
  std::vector<std::string> parts;
  for (auto& word : words) {
    const auto equals = word.starts_with("--") ? word.find('=') : std::string::npos;
    if (equals != std::string::npos) parts.push_back(word.substr(0, equals));
    parts.push_back(equals != std::string::npos ? word.substr(equals + 1) : word == "=" ? "" : word);
  }
  const bool apart = words.size() > 1 && words[words.size() - 2] == "=";
  Line line;
  if (!parts.empty()) line.current = parts.back(), parts.pop_back();
  if (apart) parts.pop_back();
  line.before = std::move(parts);
  return line;
}

// The flags that the line has already for choosing a cluster.
flags::ClusterFlags clusterOf(const std::vector<std::string>& words) {
  flags::ClusterFlags flags;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] == "--kubeconfig") flags.kubeconfig = words[i + 1];
    if (words[i] == "--context") flags.context = words[i + 1];
    if (words[i] == "--server") flags.server = words[i + 1];
    if (words[i] == "-n" || words[i] == "--namespace") flags.ns = words[i + 1];
  }
  return flags;
}

// The jobs of the namespace that the word begins with; without one, of the namespace in `flags`.
std::vector<std::string> jobsFor(const std::string& word, flags::ClusterFlags flags,
                                 const ClusterNames& names) {
  const auto slash = word.find('/');
  if (slash == std::string::npos) return names.jobs(flags);
  flags.ns = word.substr(0, slash);
  auto jobs = names.jobs(flags);
  for (auto& job : jobs) job.insert(0, flags.ns + "/");
  return jobs;
}

Completions valuesOf(const CLI::Option& option, const Line& line, const ClusterNames& names) {
  const std::string& name = option.get_single_name();
  if (name == "files" || name == "kubeconfig" || name == "losses" || name == "workload" || name == "series" ||
      name == "constants" || name == "jobs" || name == "trace" || name == "scaling" || name == "server")
    return {{}, Otherwise::Files};
  if (name == "logs" || name == "directory") return {{}, Otherwise::Directories};
  const bool hasTrace = std::ranges::find(line.before, "--trace") != line.before.end();
  if (name == "job" && hasTrace) return {{}, Otherwise::Files};
  if (name == "job") return {jobsFor(line.current, clusterOf(line.before), names), Otherwise::Nothing};
  if (name == "namespace") return {names.namespaces(clusterOf(line.before)), Otherwise::Nothing};
  const auto choices = choicesOf(option);
  return {name == "policy" && choices.empty() ? run::policyNames() : choices, Otherwise::Nothing};
}

const CLI::Option* positionalOf(const CLI::App& command) {
  const auto options = command.get_options([](const CLI::Option* each) { return each->get_positional(); });
  return options.empty() ? nullptr : options.front();
}

Completions possible(const CLI::App& app, const Line& line, const ClusterNames& names) {
  const auto* command = subcommandOf(app, line.before);
  if (!command) return {line.current.starts_with("-") ? flagsOf(app) : commandsOf(app), Otherwise::Nothing};
  const auto* option = line.before.empty() ? nullptr : optionOf(*command, line.before.back());
  if (takesValue(option)) return valuesOf(*option, line, names);
  if (line.current.starts_with("-")) return {flagsOf(*command), Otherwise::Nothing};
  const auto* positional = positionalOf(*command);
  return positional ? valuesOf(*positional, line, names) : Completions{flagsOf(*command), Otherwise::Nothing};
}

}  // namespace

Completions complete(const CLI::App& app, std::vector<std::string> words, const ClusterNames& names) {
  const Line line = lineOf(std::move(words));
  Completions found = possible(app, line, names);
  std::erase_if(found.words, [&](const std::string& word) { return !word.starts_with(line.current); });
  return found;
}

std::string toText(const Completions& completions) {
  std::string text;
  for (const auto& word : completions.words) text += word + "\n";
  return text + ":" + std::to_string(static_cast<int>(completions.otherwise)) + "\n";
}

}  // namespace slaq::cli::completion
