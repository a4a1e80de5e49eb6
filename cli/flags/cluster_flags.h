// The flags by which a command finds its cluster and namespace, the same as kubectl's.
#pragma once

#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "kube/auth/credentials.h"

namespace CLI {
class App;
}

namespace slaq::cli::flags {

struct ClusterFlags {
  std::string kubeconfig;  // empty: $KUBECONFIG, ~/.kube/config, or the pod's own service account
  std::string context;     // empty: the current one
  std::string ns;          // empty: the context's
};

// `ns` says what the namespace is one of.
void addClusterFlags(CLI::App& command, ClusterFlags& flags,
                     const std::string& ns = "namespace of the jobs (the context's)");

// Where the API server is and who we are to it. `ns` of the result is the namespace that is meant.
// REQUIRES: `clock` outlives whatever uses the access.
Result<kube::auth::Access> accessBy(const ClusterFlags& flags, const Clock& clock);

// Says on stderr what is wrong, in one line. 2 for what is wrong with the command line or the kubeconfig, so
// that no cluster was asked; 1 for everything else.
inline constexpr int kFailed = 1;
inline constexpr int kMisused = 2;
int fail(const std::string& program, const Error& error, int code);

}  // namespace slaq::cli::flags
