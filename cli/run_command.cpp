#include "cli/run_command.h"

#include <iostream>
#include <memory>
#include <set>
#include <thread>

#include "base/nearest.h"
#include "base/stop_signals.h"
#include "base/text_file.h"
#include "cli/experiment.h"
#include "cli/screen.h"
#include "cli/summary.h"
#include "local/check_local.h"
#include "manifest/manifest.h"
#include "schedule/admission.h"

namespace slaq {
namespace {

constexpr int kUsage = 2;
constexpr int kInterrupted = 130;
// A process starts sooner than a pod, but its data must be made first.
constexpr ResizePrice kPrice{.grow = Seconds(3), .shrink = Seconds(0), .horizon = Seconds(30)};

Result<std::vector<TrainingJob>> readFile(const std::string& file) {
  const auto text = readTextFile(file);
  if (!text) return failure(text.error());
  return readManifest(file, *text, checkLocal);
}

// The field that decides about a job's minimum.
std::string whatToLower(const JobSpec& spec) {
  if (spec.workers.pinned > Workers(0)) return "replicas";
  if (spec.scheduling == Scheduling::Reserved) return "maxReplicas";
  return spec.workers.scaling == Scaling::CPU ? "minReplicas or cpu.min" : "minReplicas";
}

std::string mistakeIn(const TrainingJob& job, const std::set<JobKey>& known, Cores capacity) {
  if (known.contains(job.key))
    return "the job " + toString(job.key) + " is there twice; give it another name";
  if (minimumOf(job.spec) <= capacity) return "";
  return "the job " + toString(job.key) + " needs " + toString(minimumOf(job.spec)) +
         " cores at least, and there are " + toString(capacity) + "; give more with --cores, or lower " +
         whatToLower(job.spec);
}

std::string quotedList(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  }
  return text;
}

Result<PolicyName> readPolicy(const RunOptions& options) {
  const auto policy = policyFrom(options.policy);
  if (policy == PolicyName::Fair && options.compare) {
    return failure(ErrorKind::Invalid, "--compare: compares with Fair; give another --policy");
  }
  if (policy) return *policy;
  const auto meant = nearest(options.policy, policyNames());
  return failure(ErrorKind::Invalid, "--policy: \"" + options.policy + "\" is none of " +
                                         quotedList(policyNames()) +
                                         (meant ? "; did you mean " + *meant + "?" : ""));
}

std::filesystem::path ownDirectory() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
}

int fail(const Error& error) {
  std::cerr << error.message << '\n';
  return error.kind == ErrorKind::Invalid || error.kind == ErrorKind::Malformed ? kUsage : 1;
}

int exitCodeOf(const RunResult& run) {
  if (run.interrupted) return kInterrupted;
  return std::ranges::all_of(run.jobs, [](const auto& job) { return job.state == JobState::Complete; }) ? 0
                                                                                                        : 1;
}

Experiment experimentFor(const RunOptions& options, const RunRequest& request, PolicyName policy) {
  Experiment experiment{.jobs = request.jobs, .settings = {}, .local = {}};
  experiment.settings = {
      .policy = policy, .epoch = Seconds(options.epoch), .capacity = request.capacity, .price = kPrice};
  experiment.local.programs = ownDirectory();
  if (!options.logs.empty()) {
    experiment.local.logs = options.compare ? std::filesystem::path(options.logs) / name(policy)
                                            : std::filesystem::path(options.logs);
  }
  return experiment;
}

Result<RunResult> runUnder(PolicyName policy, const RunOptions& options, const RunRequest& request,
                           const StopSignals& signals) {
  const SystemClock clock;
  auto hold = chooseCpuHold();
  std::cerr << "Running under " << name(policy) << " on " << toString(request.capacity)
            << " cores; CPU limits are held by " << hold->means() << ".\n";
  const auto display = makeDisplay(stdout, options.plain);
  const Surroundings surroundings{.clock = clock,
                                  .wait = [&](Seconds pause) { return signals.within(pause); },
                                  .show = [&](const Scene& scene) { display->show(scene); }};
  return runExperiment(experimentFor(options, request, policy), std::move(hold), surroundings);
}

int runAndSummarize(const RunOptions& options) {
  const auto request =
      readRequest(options, Cores(1000) * Workers(static_cast<int>(std::thread::hardware_concurrency())));
  if (!request) return fail(request.error());
  const StopSignals signals({SIGINT, SIGTERM, SIGHUP});
  const auto first = runUnder(request->policy, options, *request, signals);
  if (!first) return fail(first.error());
  std::cerr << failuresOf(*first);
  if (!options.compare || first->interrupted) {
    std::cout << '\n' << summaryOf(*first);
    return exitCodeOf(*first);
  }
  const auto second = runUnder(PolicyName::Fair, options, *request, signals);
  if (!second) return fail(second.error());
  std::cerr << failuresOf(*second);
  std::cout << '\n' << comparisonOf(*first, *second);
  return std::max(exitCodeOf(*first), exitCodeOf(*second));
}

}  // namespace

std::vector<std::string> policyNames() {
  std::vector<std::string> names;
  for (const auto each : {PolicyName::TotalQuality, PolicyName::MinQuality, PolicyName::Fair}) {
    names.emplace_back(name(each));
  }
  return names;
}

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
  for (const auto& file : options.files) {
    auto jobs = readFile(file);
    if (!jobs) mistakes += jobs.error().message + "\n";
    if (!jobs) continue;
    for (auto& job : *jobs) {
      const auto mistake = mistakeIn(job, known, request.capacity);
      if (!mistake.empty()) mistakes.append(file).append(": ").append(mistake).append("\n");
      known.insert(job.key);
      const Seconds arrival(options.interarrival * static_cast<double>(request.jobs.size()));
      request.jobs.push_back({std::move(job), arrival});
    }
  }
  if (mistakes.empty()) return request;
  mistakes.pop_back();
  return failure(ErrorKind::Invalid, std::move(mistakes));
}

void addRunCommand(CLI::App& app, std::function<int()>& run) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "Run TrainingJobs on this machine");
  command->add_option("files", options->files, "manifests of TrainingJobs")->required();
  command->add_option("--cores", options->cores,
                      "cores that the jobs share, such as 2 or 1500m (this machine's)");
  command->add_option("--policy", options->policy, "TotalQuality, MinQuality or Fair")->capture_default_str();
  command->add_flag("--compare", options->compare, "run the same jobs again under Fair and compare");
  command->add_option("--interarrival", options->interarrival, "seconds between the jobs' arrivals")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 86400.0));
  command->add_option("--epoch", options->epoch, "seconds between decisions")
      ->capture_default_str()
      ->check(CLI::Range(0.1, 3600.0));
  command->add_option("--logs", options->logs, "directory to keep the processes' output in");
  command->add_flag("--plain", options->plain, "lines instead of a table, also on a terminal");
  command->callback([options, &run] { run = [options] { return runAndSummarize(*options); }; });
}

}  // namespace slaq
