// Credentials from a program that a kubeconfig names, by the protocol of client.authentication.k8s.io. Most
// cloud providers' clusters are reached in this way.
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
  std::vector<std::pair<std::string, std::string>> environment;  // in addition to this process's own
  std::string cluster;      // JSON about the cluster that is passed to the program; may be empty
  std::string installHint;  // for the error message when there is no such program
};

struct ExecCredential {
  std::string token;                 // empty if the credential is a certificate
  std::string clientCertificatePem;  // both or none
  std::string clientKeyPem;
  std::optional<Time> expires;
};

// Reads the output of a program. Malformed if it is no credential; that error names `program`.
Result<ExecCredential> readCredential(const std::string& output, const std::string& program);

// Runs the program, which may write to stderr, and waits for it. NotFound if there is no such program,
// Forbidden if it fails, Malformed if it gives no credential.
Result<ExecCredential> runPlugin(const ExecPlugin& plugin);

// The plugin's token. The plugin runs again when the token has expired and after `refresh`; if that fails,
// the last token stays in use. Any thread may call it.
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
