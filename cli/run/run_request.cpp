#include "cli/run/run_request.h"

#include <iostream>
#include <set>

#include "base/figures.h"
#include "base/nearest.h"
#include "cli/flags/words.h"
#include "cli/run/all_at_once.h"
#include "cli/run/manifest_files.h"
#include "local/cluster/check_local.h"
#include "manifest/manifest.h"
#include "scheduler/lifecycle/admission.h"

namespace slaq::cli::run {
namespace {

// The field that decides about a job's minimum.
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

// Adds the jobs of a manifest to the request; what is wrong with them, one line each.
std::string addJobs(const ManifestText& manifest, const RunOptions& options, std::set<JobKey>& known,
                    RunRequest& request) {
  auto jobs = manifest::readManifest(manifest.name, manifest.text, "cpu", local::cluster::checkLocal);
  if (!jobs) return jobs.error().message + "\n";
  std::string mistakes;
  for (auto& job : *jobs) {
    const auto mistake = mistakeIn(job, known, request.capacity);
    if (!mistake.empty()) mistakes.append(manifest.name).append(": ").append(mistake).append("\n");
    known.insert(job.key);
    const Seconds arrival(options.interarrival * static_cast<double>(request.jobs.size()));
    request.jobs.push_back({std::move(job), arrival});
  }
  return mistakes;
}

std::string listOf(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  }
  return text;
}

// The policies of a cluster, and AllAtOnce.
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
  if (policy && policy->name() == kComparedPolicy && options.compare) {
    return failure(ErrorKind::Invalid, "--compare: compares with Fair; give another --policy");
  }
  if (policy) return policy;
  const auto meant = nearest(options.policy, policyNames());
  return failure(ErrorKind::Invalid, "--policy: \"" + options.policy + "\" is none of " +
                                         listOf(policyNames()) +
                                         (meant ? "; did you mean " + *meant + "?" : ""));
}

}  // namespace

std::vector<std::string> policyNames() { return flags::wordsOf(runPolicies()); }

Result<RunRequest> readRequest(const RunOptions& options, Cores machine) {
  const auto policy = readPolicy(options);
  if (!policy) return failure(policy.error());
  RunRequest request{.jobs = {}, .capacity = machine, .policy = *policy};
  if (!options.cores.empty()) {
    const auto cores = parseCores(options.cores);
    if (!cores) return failure(ErrorKind::Invalid, "--cores: " + cores.error().message);
    request.capacity = *cores;
  }
  std::string mistakes;
  std::set<JobKey> known;
  for (const auto& path : options.files) {
    const auto manifests = manifestsAt(path, std::cin);
    if (!manifests) mistakes += manifests.error().message + "\n";
    if (!manifests) continue;
    for (const auto& each : *manifests) mistakes += addJobs(each, options, known, request);
  }
  if (mistakes.empty()) return request;
  mistakes.pop_back();
  return failure(ErrorKind::Invalid, std::move(mistakes));
}

}  // namespace slaq::cli::run
