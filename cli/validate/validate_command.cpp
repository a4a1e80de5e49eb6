#include "cli/validate/validate_command.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "cli/flags/cluster_flags.h"
#include "cli/manifests/manifest_files.h"
#include "manifest/manifest.h"

namespace slaq::cli::validate {
namespace {

// Prints the result for one manifest; true if it has no mistakes.
bool tell(const manifests::ManifestText& manifest) {
  const auto jobs = manifest::readManifestJobs(manifest.name, manifest.text);
  if (!jobs) std::cerr << jobs.error().message << '\n';
  if (!jobs) return false;
  for (const auto& job : *jobs) {
    std::cout << manifest.name << ": " << toString(job.job.key) << " is right\n";
    std::cerr << manifests::hintLines(manifest, job);
  }
  return true;
}

int runValidate(const std::vector<std::string>& files) {
  bool right = true;
  for (const auto& file : files) {
    const auto manifests = manifests::manifestsAt(file, std::cin);
    if (!manifests) std::cerr << manifests.error().message << '\n';
    if (!manifests) right = false;
    if (!manifests) continue;
    for (const auto& each : *manifests) right = tell(each) && right;
  }
  return right ? 0 : flags::kMisused;
}

}  // namespace

void addValidateCommand(CLI::App& app, std::function<int()>& run) {
  auto files = std::make_shared<std::vector<std::string>>();
  CLI::App* command = app.add_subcommand("validate", "Check manifests of TrainingJobs, without a cluster");
  command->add_option("files", *files, "manifests, directories of them, or - for the standard input")
      ->required();
  command->callback([files, &run] { run = [files] { return runValidate(*files); }; });
}

}  // namespace slaq::cli::validate
