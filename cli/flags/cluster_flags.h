// The flags by which a command finds its cluster and namespace, the same as kubectl's, or slaq serve or
// slaq run on this machine.
#pragma once

#include <optional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "kube/auth/credentials.h"

namespace CLI {
class App;
}

namespace slaq::cli::flags {

struct ClusterFlags {
  std::string kubeconfig;   // empty: $KUBECONFIG, ~/.kube/config, or the pod's own service account
  std::string context;      // empty: the current context
  std::string ns;           // empty: the context's namespace
  std::string server = {};  // the socket of slaq serve or slaq run, instead of a cluster
};

// A sentence for users without a cluster, to whose jobs a command finds no way.
inline constexpr const char* kNoneHere = "no slaq run or slaq serve of yours goes on on this machine";

// The default namespace for jobs of slaq serve.
inline constexpr const char* kServedNamespace = "default";

// `ns` describes the namespace in the help.
void addClusterFlags(CLI::App& command, ClusterFlags& flags,
                     const std::string& ns = "namespace of the jobs (the context's)");

// Adds --server, for commands whose TrainingJobs may be those of slaq serve. It excludes the cluster's flags
// that the command has already.
void addServerFlag(CLI::App& command, ClusterFlags& flags);

// Adds --prometheus; `purpose` describes its use in the help.
void addPrometheusFlag(CLI::App& command, std::string& prometheus, const std::string& purpose);
// Returns the value of --prometheus or $SLAQ_PROMETHEUS, or an empty text. The variable names a cluster's
// Prometheus, so it is ignored for the jobs of slaq serve.
std::string namedPrometheus(const std::string& prometheus, const ClusterFlags& flags);

// The address of the API server and the credentials for it. `ns` of the result is the namespace to use.
// REQUIRES: `clock` outlives all users of the access.
Result<kube::auth::Access> accessBy(const ClusterFlags& flags, const Clock& clock);

// Access to TrainingJobs, which may be those of a cluster or of slaq serve.
Result<kube::auth::Access> accessToJobsBy(const ClusterFlags& flags, const Clock& clock);
kube::auth::Access accessToServer(const std::string& socket, const std::string& ns);

// The socket of slaq serve that --server or $SLAQ_SERVER names; empty if a cluster is named instead.
std::optional<std::string> namedServer(const ClusterFlags& flags);
// Like namedServer(), but also meantSocket() if a server is there and no cluster is configured at all.
std::optional<std::string> meantServer(const ClusterFlags& flags);

// Exit codes after an error, which one line on stderr explains. kMisused is for mistakes in the command line
// or the kubeconfig, so that no cluster was asked; kFailed is for everything else.
inline constexpr int kFailed = 1;
inline constexpr int kMisused = 2;
int fail(const std::string& program, const Error& error, int code);

}  // namespace slaq::cli::flags
