#include "cli/manifests/init_command.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "base/units.h"
#include "cli/machine/shared_resources.h"
#include "cli/manifests/command_flags.h"
#include "cli/manifests/command_jobs.h"
#include "manifest/manifest.h"

namespace slaq::cli::manifests {
namespace {

constexpr int kUsage = 2;

int print(CommandDefaults defaults, const std::vector<std::string>& words) {
  if (words.empty() || words.front().empty()) {
    std::cerr << "there is no command; write it after --, such as: slaq init -- python train.py\n";
    return kUsage;
  }
  completeMaxCpu(defaults, machine::usableCores());
  defaults.image =
      "registry.example.com/" + (defaults.name.empty() ? nameOf(words) : defaults.name) + ":latest";
  CommandJobs jobs(defaults);
  jobs.add(words);
  const auto manifest = jobs.manifests().front();
  const auto read = manifest::readManifest(manifest.name, manifest.text, "", {});
  if (!read) std::cerr << read.error().message << '\n';
  if (read) std::cout << manifest.text;
  return read ? 0 : kUsage;
}

}  // namespace

void addInitCommand(CLI::App& app, std::function<int()>& run, const std::vector<std::string>& words) {
  auto defaults = std::make_shared<CommandDefaults>();
  CLI::App* command =
      app.add_subcommand("init", "Print the manifest that a command stands for: slaq init -- COMMAND");
  addCommandFlags(*command, *defaults);
  command->callback([defaults, words, &run] { run = [defaults, words] { return print(*defaults, words); }; });
}

}  // namespace slaq::cli::manifests
