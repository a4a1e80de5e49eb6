#include "cli/flags/cluster_flags.h"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "cli/flags/server_socket.h"
#include "kube/auth/default_access.h"
#include "kube/auth/kubeconfig.h"

namespace slaq::cli::flags {
namespace {

bool namesCluster(const ClusterFlags& flags) { return !flags.kubeconfig.empty() || !flags.context.empty(); }

}  // namespace

void addClusterFlags(CLI::App& command, ClusterFlags& flags, const std::string& ns) {
  command.add_option("--kubeconfig", flags.kubeconfig,
                     "file that says how to reach the cluster ($KUBECONFIG or ~/.kube/config)");
  command.add_option("--context", flags.context, "context of the kubeconfig (its current one)");
  command.add_option("-n,--namespace", flags.ns, ns);
}

void addServerFlag(CLI::App& command, ClusterFlags& flags) {
  auto* server = command.add_option("--server", flags.server,
                                    "socket of slaq serve or slaq run on this machine, instead of a cluster "
                                    "($SLAQ_SERVER)");
  for (const char* each : {"--kubeconfig", "--context"}) {
    if (auto* option = command.get_option_no_throw(each)) server->excludes(option);
  }
}

void addPrometheusFlag(CLI::App& command, std::string& prometheus, const std::string& purpose) {
  command.add_option("--prometheus", prometheus,
                     purpose + ": a URL, or NAMESPACE/SERVICE:PORT in the cluster ($SLAQ_PROMETHEUS)");
}

std::string namedPrometheus(const std::string& prometheus, const ClusterFlags& flags) {
  const char* variable = meantServer(flags) ? nullptr : std::getenv("SLAQ_PROMETHEUS");
  return prometheus.empty() && variable != nullptr ? variable : prometheus;
}

std::optional<std::string> namedServer(const ClusterFlags& flags) {
  const char* variable = namesCluster(flags) ? nullptr : std::getenv("SLAQ_SERVER");
  std::string named = flags.server.empty() && variable != nullptr ? variable : flags.server;
  if (named.empty()) return std::nullopt;
  std::error_code ignored;
  const auto path = std::filesystem::absolute(named, ignored);
  return ignored ? named : path.string();
}

std::optional<std::string> meantServer(const ClusterFlags& flags) {
  if (auto named = namedServer(flags)) return named;
  const bool isCluster = namesCluster(flags) || kube::auth::hasDefaultAccess();
  std::string socket = meantSocket();
  return isCluster || !isSocket(socket) ? std::nullopt : std::optional(std::move(socket));
}

kube::auth::Access accessToServer(const std::string& socket, const std::string& ns) {
  kube::auth::Access access;
  access.endpoint.url = "unix:" + socket;
  access.ns = ns.empty() ? kServedNamespace : ns;
  return access;
}

Result<kube::auth::Access> accessToJobsBy(const ClusterFlags& flags, const Clock& clock) {
  const auto socket = meantServer(flags);
  if (socket && !namedServer(flags)) {
    const char* which = *socket == defaultSocket() ? "a" : "another";
    for (const auto& other : otherRunSockets(*socket))
      std::cerr << "hint: " << which << " slaq run goes on too; --server " << other << " names it\n";
  }
  if (socket) return accessToServer(*socket, flags.ns);
  auto access = accessBy(flags, clock);
  if (access || namesCluster(flags) || kube::auth::hasDefaultAccess()) return access;
  return failure(access.error().kind, std::string(kNoneHere) + ", and " + access.error().message);
}

Result<kube::auth::Access> accessBy(const ClusterFlags& flags, const Clock& clock) {
  auto access = flags.kubeconfig.empty()
                    ? kube::auth::defaultAccess(clock, flags.context)
                    : kube::auth::kubeconfigAccess(flags.kubeconfig, flags.context, clock);
  if (access && !flags.ns.empty()) access->ns = flags.ns;
  return access;
}

int fail(const std::string& program, const Error& error, int code) {
  std::cerr << program << ": " << error.message << '\n';
  return code;
}

}  // namespace slaq::cli::flags
