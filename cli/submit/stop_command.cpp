#include "cli/submit/stop_command.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "cli/cluster/job_server.h"
#include "cli/flags/cluster_flags.h"
#include "cli/flags/job_name.h"
#include "cli/flags/server_socket.h"
#include "kube/auth/default_access.h"

namespace slaq::cli::submit {
namespace {

struct StopOptions {
  flags::ClusterFlags cluster;
  std::vector<std::string> jobs;
};

// Invalid if the command line names jobs of a cluster.
Result<std::string> serverOf(const flags::ClusterFlags& flags, const JobKey& job) {
  if (auto socket = flags::meantServer(flags)) return std::move(*socket);
  std::string socket = flags::meantSocket();
  if (!kube::auth::hasDefaultAccess()) return failure(ErrorKind::NotFound, flags::kNoneHere);
  const std::string ns = job.ns == flags::kServedNamespace ? "" : " -n " + job.ns;
  return failure(ErrorKind::Invalid,
                 "kubectl delete trainingjob " + job.name + ns +
                     " stops a training of a cluster; slaq stop is for this machine" +
                     (flags::isSocket(socket) ? ", which --server " + socket + " means" : ""));
}

int stopAll(const std::string& program, const StopOptions& options) {
  std::vector<JobKey> keys;
  for (const auto& text : options.jobs) {
    const auto key = flags::jobNamed(text, options.cluster.ns, flags::kServedNamespace);
    if (!key) return flags::fail(program, key.error(), flags::kMisused);
    keys.push_back(*key);
  }
  const auto socket = serverOf(options.cluster, keys.front());
  if (!socket) return flags::fail(program, socket.error(), flags::kMisused);
  cluster::JobServer server(*socket);
  int code = 0;
  for (const auto& key : keys) {
    const auto stopped = server.stop(key);
    if (stopped)
      std::cout << toString(key) << " is stopped\n";
    else
      code = flags::fail(program, stopped.error(), flags::kFailed);
  }
  return code;
}

}  // namespace

void addStopCommand(CLI::App& app, std::function<int()>& run) {
  auto options = std::make_shared<StopOptions>();
  CLI::App* command = app.add_subcommand("stop", "Stop trainings of slaq serve or slaq run");
  command->add_option("job", options->jobs, "JOB or NAMESPACE/JOB, once or more")->required();
  command->add_option("-n,--namespace", options->cluster.ns, "namespace of the jobs (default)");
  flags::addServerFlag(*command, options->cluster);
  command->callback([&app, options, &run] {
    run = [program = app.get_name(), options] { return stopAll(program, *options); };
  });
}

}  // namespace slaq::cli::submit
