// The flags by which a command finds its cluster and namespace, the same as kubectl's, or slaq serve on this
// machine.
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
  std::string context;      // empty: the current one
  std::string ns;           // empty: the context's
  std::string server = {};  // the socket of slaq serve, instead of a cluster
};

// The namespace of jobs of slaq serve where none is named.
inline constexpr const char* kServedNamespace = "default";

// `ns` says what the namespace is one of.
void addClusterFlags(CLI::App& command, ClusterFlags& flags,
                     const std::string& ns = "namespace of the jobs (the context's)");

// Adds --server, for commands whose TrainingJobs may be those of slaq serve. Those of a cluster's flags that
// the command has already can't be given with it.
void addServerFlag(CLI::App& command, ClusterFlags& flags);

// Adds --prometheus; `purpose` says what for.
void addPrometheusFlag(CLI::App& command, std::string& prometheus, const std::string& purpose);
// Returns what --prometheus or $SLAQ_PROMETHEUS names, or an empty text. The variable names a cluster's
// Prometheus. It is ignored for the jobs of slaq serve.
std::string namedPrometheus(const std::string& prometheus, const ClusterFlags& flags);

// Where the API server is and who we are to it. `ns` of the result is the namespace that is meant.
// REQUIRES: `clock` outlives whatever uses the access.
Result<kube::auth::Access> accessBy(const ClusterFlags& flags, const Clock& clock);

// The same for TrainingJobs, which slaq serve has as well.
Result<kube::auth::Access> accessToJobsBy(const ClusterFlags& flags, const Clock& clock);
kube::auth::Access accessToServer(const std::string& socket, const std::string& ns);

// The socket of slaq serve that --server or $SLAQ_SERVER names; nothing where a cluster is named instead.
std::optional<std::string> namedServer(const ClusterFlags& flags);
// The same, or that of defaultSocket() where there is a server and no cluster is configured at all.
std::optional<std::string> meantServer(const ClusterFlags& flags);

// Says on stderr what is wrong, in one line. 2 for what is wrong with the command line or the kubeconfig, so
// that no cluster was asked; 1 for everything else.
inline constexpr int kFailed = 1;
inline constexpr int kMisused = 2;
int fail(const std::string& program, const Error& error, int code);

}  // namespace slaq::cli::flags
