#include "cli/flags/cluster_flags.h"

#include <CLI/CLI.hpp>
#include <iostream>

#include "kube/auth/default_access.h"
#include "kube/auth/kubeconfig.h"

namespace slaq::cli::flags {

void addClusterFlags(CLI::App& command, ClusterFlags& flags, const std::string& ns) {
  command.add_option("--kubeconfig", flags.kubeconfig,
                     "file that says how to reach the cluster ($KUBECONFIG or ~/.kube/config)");
  command.add_option("--context", flags.context, "context of the kubeconfig (its current one)");
  command.add_option("-n,--namespace", flags.ns, ns);
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
