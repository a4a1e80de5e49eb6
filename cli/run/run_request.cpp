#include "cli/run/run_request.h"

#include <filesystem>
#include <iostream>
#include <set>

#include "base/figures.h"
#include "base/nearest.h"
#include "base/text_file.h"
#include "cli/flags/compared_policy.h"
#include "cli/flags/words.h"
#include "cli/manifests/command_check.h"
#include "cli/manifests/manifest_files.h"
#include "cli/run/all_at_once.h"
#include "local/cluster/check_local.h"
#include "manifest/manifest.h"
#include "scheduler/lifecycle/admission.h"

namespace slaq::cli::run {
namespace {

// The field that determines a job's minimum.
std::string whatToLower(const JobSpec& spec) {
  if (isPinned(spec)) return "replicas";
  if (spec.scheduling == Scheduling::Reserved) return "maxReplicas";
  return spec.workers.scaling == Scaling::CPU ? "minReplicas or cpu.min" : "minReplicas";
}

std::string mistakeIn(const TrainingJob& job, const std::set<JobKey>& known, Cores capacity) {
  if (known.contains(job.key))
    return "the job " + toString(job.key) + " is there twice; give it another name";
  if (scheduler::minimumOf(job.spec) <= capacity) return "";
  return "the job " + toString(job.key) + " needs " + coresText(scheduler::minimumOf(job.spec)) +
         " at least, and there are " + toString(capacity) + "; give more with --cores, or lower " +
         whatToLower(job.spec);
}

// Adds the jobs of a manifest to the request. Returns their mistakes, one line each.
std::string addJobs(const manifests::ManifestText& manifest, const RunOptions& options,
                    std::set<JobKey>& known, RunRequest& request) {
  auto jobs = manifest::readManifestJobs(
      manifest.name, manifest.text, request.shared.resource(), [&](const TrainingJob& job) {
        return local::cluster::checkLocal(job, {.hasGpus = !request.shared.gpus.empty()});
      });
  if (!jobs) return jobs.error().message + "\n";
  std::string mistakes;
  for (auto& each : *jobs) {
    TrainingJob& job = each.job;
    const auto mistake = mistakeIn(job, known, request.shared.capacity);
    request.hints += manifests::hintLines(manifest, each);
    if (!mistake.empty()) mistakes.append(manifest.name).append(": ").append(mistake).append("\n");
    known.insert(job.key);
    request.manifests[job.key] = std::move(each.document);
    const Seconds arrival(options.interarrival * static_cast<double>(request.jobs.size()));
    request.jobs.push_back({std::move(job), arrival});
  }
  return mistakes;
}

const std::string kHowToRunOne = "; a command comes after --: slaq run -- ";

// A mistake as a line, which begins with its place; empty if there is none.
std::string asLine(const std::string& place, const std::string& mistake) {
  return mistake.empty() ? "" : place + ": " + mistake + "\n";
}

bool isLikeAProgram(const std::string& path) { return std::filesystem::path(path).extension().empty(); }

// Adds the commands that the options name. Returns their mistakes, one line each.
std::string addCommands(const RunOptions& options, manifests::CommandJobs& commands) {
  std::string mistakes;
  for (const auto& line : options.lines) {
    const bool isEmpty = line.find_first_not_of(" \t\n") == std::string::npos;
    mistakes += asLine("--job", isEmpty ? "there is no command in it" : manifests::mistakeInLine(line));
    commands.addLine(line);
  }
  if (options.command.empty()) return mistakes;
  const bool hasName = !options.command.front().empty();
  mistakes +=
      asLine("--", hasName ? manifests::mistakeInCommand(options.command) : "the command has no name");
  if (hasName) commands.add(options.command);
  return mistakes;
}

// Adds the commands of a file. Returns the mistakes, one line each.
std::string addList(const std::string& path, manifests::CommandJobs& commands) {
  const auto text = readTextFile(path);
  if (!text) return text.error().message + "\n";
  std::string mistakes;
  for (const auto& line : manifests::commandLines(*text)) {
    mistakes += asLine(path, manifests::mistakeInLine(line));
    commands.addLine(line);
  }
  return mistakes;
}

// Reads the manifests of all files and makes those of all commands. Adds a line to `mistakes` for each file
// that can't be read, and for each command that can't be executed.
std::vector<manifests::ManifestText> manifestsOf(const RunOptions& options,
                                                 const machine::SharedResources& shared,
                                                 std::string& mistakes) {
  std::vector<manifests::ManifestText> manifests;
  manifests::CommandDefaults defaults = options.commands;
  defaults.onGpu |= !shared.gpus.empty();
  manifests::completeMaxCpu(defaults, shared.capacity);
  manifests::CommandJobs commands(defaults);
  for (const auto& path : options.files) {
    if (manifests::isListOfCommands(path)) {
      mistakes += addList(path, commands);
    } else if (manifests::isScript(path)) {
      mistakes += asLine(path, "is a script, and no manifest" + kHowToRunOne + manifests::commandFor(path));
    } else if (const auto found = manifests::manifestsAt(path, std::cin)) {
      manifests.insert(manifests.end(), found->begin(), found->end());
    } else {
      mistakes += found.error().message + (isLikeAProgram(path) ? kHowToRunOne + path : "") + "\n";
    }
  }
  mistakes += addCommands(options, commands);
  const auto ofCommands = commands.manifests();
  manifests.insert(manifests.end(), ofCommands.begin(), ofCommands.end());
  return manifests;
}

std::string listOf(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  }
  return text;
}

// The policies for clusters, and AllAtOnce.
std::vector<const scheduler::Policy*> runPolicies() {
  const auto ofClusters = scheduler::clusterPolicies();
  std::vector<const scheduler::Policy*> policies(ofClusters.begin(), ofClusters.end());
  policies.push_back(&allAtOnce());
  return policies;
}

Result<const scheduler::Policy*> readPolicy(const RunOptions& options) {
  const auto policies = runPolicies();
  const auto found = std::ranges::find(policies, options.policy, &scheduler::Policy::name);
  const scheduler::Policy* policy = found == policies.end() ? nullptr : *found;
  if (const auto compared = flags::checkCompared(options.compare, options.policy); !compared)
    return failure(compared.error());
  if (policy) return policy;
  const auto meant = nearest(options.policy, policyNames());
  return failure(ErrorKind::Invalid, "--policy: \"" + options.policy + "\" is none of " +
                                         listOf(policyNames()) +
                                         (meant ? "; did you mean " + *meant + "?" : ""));
}

}  // namespace

std::vector<std::string> policyNames() { return flags::wordsOf(runPolicies()); }

std::string titleOf(const RunOptions& options) {
  std::string title = "run";
  for (const auto& file : options.files) title += " " + file;
  for (const auto& line : options.lines) title += " --job '" + line + "'";
  if (!options.command.empty()) title += " --";
  for (const auto& word : options.command) title += " " + word;
  return title;
}

Result<RunRequest> readRequest(const RunOptions& options, Cores machine) {
  const auto policy = readPolicy(options);
  if (!policy) return failure(policy.error());
  const auto shared = machine::sharedResources(options.sharing, machine);
  if (!shared) return failure(shared.error());
  if (!shared->gpus.empty() && !options.commands.maxCpu.empty())
    return failure(
        ErrorKind::Invalid,
        "--max-cpu can't be given together with --gpus, by which a command may use all of the CPU");
  if (shared->gpus.empty() && options.commands.onGpu)
    return failure(ErrorKind::Invalid, "--gpu counts only together with --gpus, such as --gpus all");
  if (!shared->sharedGpu && !options.commands.gpuMemory.empty())
    return failure(ErrorKind::Invalid, "--gpu-memory counts only together with --share-gpu");
  RunRequest request{.jobs = {}, .shared = *shared, .policy = *policy};
  std::string mistakes;
  std::set<JobKey> known;
  const auto manifests = manifestsOf(options, request.shared, mistakes);
  for (const auto& each : manifests) mistakes += addJobs(each, options, known, request);
  if (mistakes.empty() && request.jobs.empty())
    return failure(
        ErrorKind::Invalid,
        "there is nothing to run; name a manifest, or a command after --: slaq run -- python train.py");
  if (mistakes.empty()) return request;
  mistakes.pop_back();
  return failure(ErrorKind::Invalid, std::move(mistakes));
}

}  // namespace slaq::cli::run
