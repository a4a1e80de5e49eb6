#include "cli/report/report_command.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "cli/cluster/training_cluster.h"
#include "cli/flags/cluster_flags.h"
#include "cli/flags/seconds_flag.h"
#include "cli/flags/words.h"
#include "cli/output/format.h"
#include "cli/report/comparison.h"
#include "cli/terminal/progress_bar.h"
#include "cli/terminal/terminal.h"

namespace slaq::cli::report {
namespace {

constexpr std::size_t kWidest = 110;
// It holds each job at its one size, if their sizes fit together.
constexpr const char* kPolicyOfThePast = "Fair";

struct ReportOptions {
  flags::ClusterFlags cluster;
  bool allNamespaces = false;
  std::string prometheus;
  double hours = 24;
  std::string policy = std::string(name(scheduler::Settings().policy));
  std::string format = output::kText;
};

Result<simulate::Outcome> simulated(const simulate::Workload& workload, const std::string& policy,
                                    const std::string& what) {
  scheduler::Settings settings;
  settings.policy = scheduler::findPolicy(policy);
  terminal::ProgressBar progress(workload.jobs.size(), what);
  return runSimulation(workload, {.settings = settings,
                                  .watch = [&](const auto& moment) { progress.show(moment.completed); }});
}

Result<Comparison> compare(PastJobs past, const std::string& policy) {
  auto was = simulated(past.asTheyWere, kPolicyOfThePast, "jobs as they were");
  if (!was) return failure(was.error());
  auto would = simulated(past.asTheyMay, policy, "jobs with slaq");
  if (!would) return failure(would.error());
  return Comparison{.past = std::move(past),
                    .begin = {},
                    .end = {},
                    .policy = policy,
                    .was = std::move(*was),
                    .would = std::move(*would)};
}

Result<Comparison> comparisonBy(const ReportOptions& options, const cluster::PrometheusAddress& address,
                                cluster::TrainingCluster& cluster, const std::string& ns, Time now) {
  const auto jobs = cluster.jobs(ns);
  if (!jobs) return failure(jobs.error());
  cluster::PrometheusHistory prometheus(address, cluster.http());
  const auto range = web::rangeOf(now, Seconds(3600 * options.hours), jobs->size());
  const auto history = web::historyOf(prometheus, ns, range, [] { return true; });
  if (!history) return failure(history.error());
  auto past = pastJobs(*history, *jobs, ns.empty());
  if (!past) return failure(past.error());
  auto comparison = compare(std::move(*past), options.policy);
  if (!comparison) return comparison;
  comparison->begin = range.begin;
  comparison->end = range.end;
  return comparison;
}

int runReport(const std::string& program, const ReportOptions& options) {
  const std::string named = flags::namedPrometheus(options.prometheus, options.cluster);
  if (named.empty()) {
    return flags::fail(program,
                       {ErrorKind::Invalid,
                        "--prometheus is missing: the Prometheus that scrapes the controller, "
                        "such as monitoring/prometheus-operated:9090"},
                       flags::kMisused);
  }
  const auto prometheus = cluster::prometheusFrom(named);
  if (!prometheus) return flags::fail(program, prometheus.error(), flags::kMisused);
  const SystemClock clock;
  const auto access = flags::accessBy(options.cluster, clock);
  if (!access) return flags::fail(program, access.error(), flags::kMisused);
  cluster::TrainingCluster cluster(*access);
  const std::string ns = options.allNamespaces ? "" : cluster.ns();
  const auto comparison = comparisonBy(options, *prometheus, cluster, ns, clock.now());
  if (!comparison) return flags::fail(program, comparison.error(), flags::kFailed);
  if (!output::isForPeople(options.format)) {
    std::cout << output::inFormat(comparisonJson(*comparison), options.format);
    return 0;
  }
  terminal::Frame frame = terminal::frameOf(stdout);
  frame.columns = std::min(frame.columns, kWidest);
  std::cout << comparisonText(*comparison, frame);
  return 0;
}

}  // namespace

void addReportCommand(CLI::App& app, std::function<int()>& run) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* command =
      app.add_subcommand("report", "Tell what slaq would have saved in the last hours, by their losses");
  flags::addClusterFlags(*command, options->cluster);
  command->add_flag("-A,--all-namespaces", options->allNamespaces, "the jobs of all namespaces")
      ->excludes(command->get_option("--namespace"));
  flags::addPrometheusFlag(*command, options->prometheus, "for what the jobs did");
  command->add_option("--hours", options->hours, "how far back to read Prometheus")
      ->capture_default_str()
      ->check(flags::numberBetween(0.1, 720, "hours"));
  command->add_option("--policy", options->policy, "the policy that would have had the jobs")
      ->capture_default_str()
      ->check(CLI::IsMember(flags::wordsOf(scheduler::clusterPolicies())));
  output::addOutputFlag(*command, options->format);
  command->callback([&app, options, &run] {
    run = [program = app.get_name(), options] { return runReport(program, *options); };
  });
}

}  // namespace slaq::cli::report
