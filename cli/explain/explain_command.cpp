#include "cli/explain/explain_command.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "cli/cluster/prometheus_history.h"
#include "cli/explain/explanation.h"
#include "cli/explain/explanation_json.h"
#include "cli/flags/cluster_flags.h"
#include "cli/flags/job_name.h"
#include "cli/output/format.h"
#include "cli/terminal/terminal.h"
#include "cli/terminal/text.h"

namespace slaq::cli::explain {
namespace {

constexpr std::size_t kMostNames = 10;
constexpr std::size_t kWidest = 110;  // lines of text longer than this are hard to read

struct ExplainOptions {
  flags::ClusterFlags cluster;
  std::optional<std::string> job;
  std::string prometheus;
  std::string format = output::kText;
};

// The losses from Prometheus if one is named, else from the server of this machine. A cluster without a named
// Prometheus has none.
Result<cluster::Curve> readCurve(const cluster::PrometheusAddress* address, cluster::TrainingCluster& cluster,
                                 const JobStory& story) {
  if (!address) return cluster.hasLosses() ? cluster.losses(story.job.key) : cluster::Curve();
  const auto& status = story.job.status;
  const Time begin = status.started.value_or(story.job.job.created);
  const Time end = status.completed.value_or(story.now);
  return cluster::PrometheusHistory(*address, cluster.http()).losses(story.job.key, begin, end);
}

// Reads the other data about the job; each part may be missing.
JobStory storyOf(kube::objects::StoredJob job, cluster::TrainingCluster& cluster,
                 const cluster::PrometheusAddress* prometheus, Time now) {
  JobStory story{.job = std::move(job), .events = {}, .eventsTrouble = {}, .losses = {}, .now = now};
  auto events = cluster.events(story.job);
  if (events) {
    story.events = std::move(*events);
  } else {
    story.eventsTrouble = "the events can't be read: " + events.error().message;
  }
  auto curve = readCurve(prometheus, cluster, story);
  if (curve) {
    story.losses = std::move(*curve);
  } else {
    std::cerr << "no loss curve: " << curve.error().message << '\n';
  }
  return story;
}

// The job that the command line names, or else the only one that there is.
Result<JobKey> meantJob(const ExplainOptions& options, cluster::TrainingCluster& cluster) {
  if (options.job) return flags::jobNamed(*options.job, options.cluster.ns, cluster.ns());
  const std::string ns = options.cluster.ns.empty() ? cluster.ns() : options.cluster.ns;
  const auto jobs = cluster.jobs(ns);
  if (!jobs) return failure(jobs.error());
  if (jobs->size() == 1) return jobs->front().key;
  if (jobs->empty()) return failure(ErrorKind::NotFound, "there is no TrainingJob in the namespace " + ns);
  std::vector<std::string> names;
  for (const auto& job : *jobs) names.push_back(job.key.name);
  return failure(ErrorKind::Invalid, "name one of the " + std::to_string(names.size()) +
                                         " jobs: " + terminal::listOf(names, kMostNames));
}

int tell(const std::string& program, const ExplainOptions& options, cluster::TrainingCluster& cluster,
         const cluster::PrometheusAddress* prometheus) {
  const auto key = meantJob(options, cluster);
  if (!key) {
    const bool isMisused = key.error().kind == ErrorKind::Invalid;
    return flags::fail(program, key.error(), isMisused ? flags::kMisused : flags::kFailed);
  }
  auto job = cluster.job(*key);
  if (!job) return flags::fail(program, job.error(), flags::kFailed);
  const auto story = storyOf(std::move(*job), cluster, prometheus, SystemClock().now());
  if (!output::isForPeople(options.format)) {
    std::cout << output::inFormat(explanationJson(story), options.format);
    return 0;
  }
  terminal::Frame frame = terminal::frameOf(stdout);
  frame.columns = std::min(frame.columns, kWidest);
  std::cout << explanation(story, frame);
  return 0;
}

int runExplain(const std::string& program, const ExplainOptions& options) {
  const std::string named = flags::namedPrometheus(options.prometheus, options.cluster);
  Result<cluster::PrometheusAddress> prometheus = cluster::PrometheusAddress();
  if (!named.empty()) prometheus = cluster::prometheusFrom(named);
  if (!prometheus) return flags::fail(program, prometheus.error(), flags::kMisused);
  const SystemClock clock;
  const auto access = flags::accessToJobsBy(options.cluster, clock);
  if (!access) return flags::fail(program, access.error(), flags::kMisused);
  cluster::TrainingCluster cluster(*access);
  return tell(program, options, cluster, named.empty() ? nullptr : &*prometheus);
}

}  // namespace

void addExplainCommand(CLI::App& app, std::function<int()>& run) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* command = app.add_subcommand("explain", "Tell why a TrainingJob has what it has");
  command->add_option("job", options->job, "JOB or NAMESPACE/JOB (the only one that there is)");
  flags::addClusterFlags(*command, options->cluster);
  flags::addServerFlag(*command, options->cluster);
  flags::addPrometheusFlag(*command, options->prometheus, "for the loss curve");
  output::addOutputFlag(*command, options->format);
  command->callback([&app, options, &run] {
    run = [program = app.get_name(), options] { return runExplain(program, *options); };
  });
}

}  // namespace slaq::cli::explain
