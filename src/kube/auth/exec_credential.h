// Credentials from a program that a kubeconfig names, by the protocol of client.authentication.k8s.io: how
// people reach the clusters of most providers.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

namespace slaq::kube::auth {

struct ExecPlugin {
  std::string apiVersion;            // "client.authentication.k8s.io/v1" or v1beta1
  std::vector<std::string> command;  // the program first, looked up in PATH
  std::vector<std::pair<std::string, std::string>> environment;  // besides this process' own
  std::string cluster;      // JSON that the program is told of the cluster; empty: nothing
  std::string installHint;  // what to say when there is no such program
};

struct ExecCredential {
  std::string token;                 // empty where it is a certificate
  std::string clientCertificatePem;  // both or none
  std::string clientKeyPem;
  std::optional<Time> expires;
};

// Runs the program, which may write to stderr, and waits for it. NotFound when there is none, Forbidden when
// it fails, Malformed when it gives no credential.
Result<ExecCredential> runPlugin(const ExecPlugin& plugin);

// The plugin's token, asked for anew when it has expired and after `refresh`. A token that cannot be had then
// leaves the last one in use. Any thread may call it.
class ExecToken {
 public:
  // REQUIRES: `clock` outlives this.
  ExecToken(ExecPlugin plugin, ExecCredential first, const Clock& clock);
  std::string text();
  void refresh();

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace slaq::kube::auth
