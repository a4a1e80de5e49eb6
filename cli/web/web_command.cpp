#include "cli/web/web_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <iostream>
#include <memory>

#include "base/process/stop_signals.h"
#include "cli/cluster/training_cluster.h"
#include "cli/flags/cluster_flags.h"
#include "cli/flags/seconds_flag.h"
#include "cli/web/cluster_moment.h"
#include "cli/web/history.h"
#include "cli/web/web_page.h"

namespace slaq::cli::web {
namespace {

struct WebOptions {
  flags::ClusterFlags cluster;
  bool allNamespaces = false;
  std::string address = kDefaultAddress;
  double interval = 2;
  std::string prometheus;
  double hours = 6;
};

// The command reacts to signals only between two looks.
constexpr cluster::Patience kFollowing{.tries = 1, .deadline = Seconds(5)};

// Looks at the jobs again and again until a signal comes. A server that does not answer for a while does not
// end this.
void follow(cluster::TrainingCluster& cluster, const std::string& ns, const Clock& clock, Seconds interval,
            const StopSignals& signals, page::LiveDocument& document) {
  std::string trouble;
  while (!signals.within(interval)) {
    const auto jobs = cluster.jobs(ns);
    if (jobs) document.add(momentOf(*jobs, clock.now()));
    const std::string sentence = jobs ? "" : jobs.error().message + "; it is tried again";
    if (sentence != trouble && !sentence.empty()) std::cerr << sentence << '\n';
    trouble = sentence;
  }
}

// The number of jobs that have anything to show after that time.
std::size_t countSince(const std::vector<kube::objects::StoredJob>& jobs, Time begin) {
  return static_cast<std::size_t>(std::ranges::count_if(
      jobs, [begin](const auto& job) { return !job.status.completed || *job.status.completed >= begin; }));
}

// Adds the earlier history, as far as it can be read. Returns false if a signal came meanwhile.
bool addHistory(cluster::PrometheusHistory prometheus, const std::string& ns,
                const std::vector<kube::objects::StoredJob>& jobs, const cluster::Range& range,
                const StopSignals& signals, page::LiveDocument& document) {
  bool isStopped = false;
  const auto history = historyOf(prometheus, ns, range, [&] {
    isStopped = signals.within(Seconds(0));
    return !isStopped;
  });
  if (isStopped) return false;
  if (history) {
    tellHistory(*history, jobs, [&](const page::Moment& moment) { document.add(moment); });
  } else {
    std::cerr << "no history: " << history.error().message << '\n';
  }
  return true;
}

int runWeb(const std::string& program, const WebOptions& options) {
  const std::string named = flags::namedPrometheus(options.prometheus, options.cluster);
  Result<cluster::PrometheusAddress> prometheus = cluster::PrometheusAddress();
  if (!named.empty()) prometheus = cluster::prometheusFrom(named);
  if (!prometheus) return flags::fail(program, prometheus.error(), flags::kMisused);
  const SystemClock clock;
  const auto access = flags::accessToJobsBy(options.cluster, clock);
  if (!access) return flags::fail(program, access.error(), flags::kMisused);
  const StopSignals signals({SIGINT, SIGTERM, SIGHUP});  // before other threads start
  cluster::TrainingCluster cluster(*access, kFollowing);
  const std::string ns = options.allNamespaces ? "" : cluster.ns();
  const auto first = cluster.jobs(ns);
  if (!first) return flags::fail(program, first.error(), flags::kFailed);
  const Time now = clock.now();
  page::LiveDocument document(ns.empty() ? "all namespaces" : "namespace " + ns, "cpu");
  document.beginRun("");
  if (!named.empty()) {
    const Seconds wanted(3600 * options.hours);
    const auto range = rangeOf(now, wanted, countSince(*first, now - wanted));
    if (!addHistory({*prometheus, cluster.http()}, ns, *first, range, signals, document)) return 0;
  }
  document.add(momentOf(*first, now));
  const auto page = servePage(options.address, document);
  if (!page) return flags::fail(program, page.error(), flags::kMisused);
  std::cerr << "The page of the jobs is at " << page->url << " until Ctrl-C.\n";
  follow(cluster, ns, clock, Seconds(options.interval), signals, document);
  return 0;
}

}  // namespace

void addWebCommand(CLI::App& app, std::function<int()>& run) {
  auto options = std::make_shared<WebOptions>();
  CLI::App* command = app.add_subcommand("web", "Show the TrainingJobs of a cluster as a page for browsers");
  flags::addClusterFlags(*command, options->cluster);
  flags::addServerFlag(*command, options->cluster);
  command->add_flag("-A,--all-namespaces", options->allNamespaces, "the jobs of all namespaces")
      ->excludes(command->get_option("--namespace"));
  command
      ->add_option("--address", options->address,
                   "where browsers find the page, such as :8484 for those of other machines too")
      ->capture_default_str()
      ->check(webAddress());
  command->add_option("--interval", options->interval, "seconds between two looks at the jobs")
      ->capture_default_str()
      ->check(flags::secondsBetween(0.5, 3600));
  flags::addPrometheusFlag(*command, options->prometheus, "for what was before");
  command->add_option("--hours", options->hours, "how far back to read Prometheus")
      ->capture_default_str()
      ->check(flags::numberBetween(0.1, 720, "hours"));
  command->callback([&app, options, &run] {
    run = [program = app.get_name(), options] { return runWeb(program, *options); };
  });
}

}  // namespace slaq::cli::web
