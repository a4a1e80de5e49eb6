#include "cli/logs/served_logs.h"

#include "cli/cluster/job_server.h"
#include "cli/flags/job_name.h"
#include "cli/flags/server_socket.h"

namespace slaq::cli::logs {
namespace {

constexpr Seconds kPatienceUnasked{2};  // for a server that the user did not name

Result<ServedLogs> logsOf(const cluster::JobOnServer& job) {
  if (!job.logs.empty()) return ServedLogs{job.logs, job.key};
  return failure(ErrorKind::NotFound,
                 "the output of " + toString(job.key) + " is not kept; slaq run --logs DIRECTORY keeps it");
}

Result<cluster::JobOnServer> onlyJob(cluster::JobServer& server, const std::string& ns) {
  auto jobs = server.jobs(ns);
  if (!jobs) return failure(jobs.error());
  if (jobs->size() == 1) return std::move(jobs->front());
  if (jobs->empty()) return failure(ErrorKind::NotFound, "slaq serve has no job");
  std::string names;
  for (const auto& job : *jobs) names += (names.empty() ? "" : ", ") + toString(job.key);
  return failure(ErrorKind::Invalid, "name one of the jobs of slaq serve: " + names);
}

}  // namespace

Result<std::optional<ServedLogs>> servedLogs(const flags::ClusterFlags& flags, const std::string& job) {
  const auto named = flags::namedServer(flags);
  const std::string socket = named.value_or(flags::meantSocket());
  const bool isAsked = named || (!job.empty() && flags::isSocket(socket));
  if (!isAsked) return std::nullopt;
  cluster::JobServer server(socket, named ? Seconds(10) : kPatienceUnasked);
  auto found = [&]() -> Result<cluster::JobOnServer> {
    if (job.empty()) return onlyJob(server, flags.ns);
    const auto key = flags::jobNamed(job, flags.ns, flags::kServedNamespace);
    if (!key) return failure(key.error());
    return server.job(*key);
  }();
  if (!found && !named) return std::nullopt;
  if (!found) return failure(found.error());
  auto logs = logsOf(*found);
  if (!logs) return failure(logs.error());
  return std::optional(std::move(*logs));
}

}  // namespace slaq::cli::logs
