#include "cli/top/top_command.h"

#include <CLI/CLI.hpp>
#include <csignal>
#include <iostream>
#include <memory>
#include <optional>

#include "base/process/stop_signals.h"
#include "cli/cluster/training_cluster.h"
#include "cli/flags/cluster_flags.h"
#include "cli/flags/seconds_flag.h"
#include "cli/output/format.h"
#include "cli/terminal/terminal.h"
#include "cli/top/job_json.h"
#include "cli/top/top_table.h"

namespace slaq::cli::top {
namespace {

struct TopOptions {
  flags::ClusterFlags cluster;
  bool allNamespaces = false;
  bool once = false;
  std::string sort = "cores";
  std::string format = output::kText;
  double interval = 2;
};

// Wider than any row.
constexpr std::size_t kWide = 10000;

class Top {
 public:
  Top(const TopOptions& options, cluster::TrainingCluster& cluster)
      : options_(options), cluster_(cluster), ns_(options.allNamespaces ? "" : cluster.ns()) {}

  Result<TopView> look() {
    const auto jobs = cluster_.jobs(ns_);
    if (!jobs) return failure(jobs.error());
    TopView view{.ns = ns_, .rows = {}, .trouble = {}};
    for (const auto& job : *jobs) view.rows.push_back(topRowOf(job));
    sortRows(view.rows, sortKeyFrom(options_.sort).value_or(SortKey::Cores));
    return view;
  }

  void print(const TopView& view) const {
    if (!output::isForPeople(options_.format)) {
      std::cout << output::inFormat(topJson(view.rows), options_.format);
      return;
    }
    terminal::Frame frame = terminal::frameOf(stdout);
    if (options_.format == output::kWide) frame.columns = kWide;
    std::cout << topTable(view, frame);
  }

  // Shows the jobs until a signal comes. A server that does not answer for a while does not end this.
  void follow(TopView view, const StopSignals& signals) {
    terminal::RedrawnText text(stdout);
    do {
      text.show(topTable(view, terminal::frameOf(stdout)));
      if (signals.within(Seconds(options_.interval))) return;
      auto next = look();
      if (next) {
        view = std::move(*next);
      } else {
        view.trouble = next.error().message;
      }
    } while (true);
  }

 private:
  const TopOptions& options_;
  cluster::TrainingCluster& cluster_;
  const std::string ns_;
};

// While the command follows, it reacts to signals only between two looks.
constexpr cluster::Patience kFollowing{.tries = 1, .deadline = Seconds(5)};

int runTop(const std::string& program, const TopOptions& options) {
  const SystemClock clock;
  const auto access = flags::accessToJobsBy(options.cluster, clock);
  if (!access) return flags::fail(program, access.error(), flags::kMisused);
  const bool following = !options.once && options.format == output::kText && terminal::isTerminal(stdout);
  std::optional<StopSignals> signals;  // before the client's threads start
  if (following) signals.emplace(std::initializer_list<int>{SIGINT, SIGTERM, SIGHUP});
  cluster::TrainingCluster cluster(*access, following ? kFollowing : cluster::Patience());
  Top top(options, cluster);
  const auto view = top.look();
  if (!view) return flags::fail(program, view.error(), flags::kFailed);
  if (following) {
    top.follow(*view, *signals);
  } else {
    top.print(*view);
  }
  return 0;
}

}  // namespace

void addTopCommand(CLI::App& app, std::function<int()>& run) {
  auto options = std::make_shared<TopOptions>();
  CLI::App* command = app.add_subcommand("top", "Show the TrainingJobs of a cluster and follow them");
  flags::addClusterFlags(*command, options->cluster);
  flags::addServerFlag(*command, options->cluster);
  command->add_flag("-A,--all-namespaces", options->allNamespaces, "the jobs of all namespaces")
      ->excludes(command->get_option("--namespace"));
  command
      ->add_option("--sort", options->sort, "what comes first: the most cores, gain, loss, age, or by name")
      ->capture_default_str()
      ->check(CLI::IsMember({"cores", "gain", "loss", "age", "name"}));
  command->add_flag("--once", options->once, "print the table once and end, as without a terminal");
  output::addOutputFlag(*command, options->format, {output::kWide});
  command->add_option("--interval", options->interval, "seconds between two looks")
      ->capture_default_str()
      ->check(flags::secondsBetween(0.5, 3600));
  command->callback([&app, options, &run] {
    run = [program = app.get_name(), options] { return runTop(program, *options); };
  });
}

}  // namespace slaq::cli::top
