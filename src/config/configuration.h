// The settings of the controller, as an administrator gives them. Each optional field has its default here.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/units.h"
#include "job/target_kind.h"
#include "scheduler/state/settings.h"

namespace slaq::config {

enum class LogLevel { Debug, Info, Warn, Error };

std::string_view name(LogLevel level);

// The labels of Prometheus's targets that name the job of a sample.
struct TargetLabels {
  std::string ns = "namespace";
  std::string job = "slaq_io_job";
  std::string uid = "slaq_io_job_uid";

  bool operator==(const TargetLabels&) const = default;
};

// The loss comes from a Prometheus server's HTTP API.
struct PrometheusLoss {
  std::string serverAddress;  // "https://prometheus.monitoring:9090", without a slash at its end
  std::string bearerTokenFile;
  std::string usernameFile;  // for Basic authentication, both or none; excludes a token
  std::string passwordFile;
  std::string caFile;
  std::string clientCertificateFile;  // for mutual TLS, both or none
  std::string clientKeyFile;
  std::map<std::string, std::string> headers;  // such as X-Scope-OrgID
  Seconds scrapeInterval{1};                   // how often Prometheus reads the trainers
  TargetLabels labels;
  bool queriesAllowed = false;  // jobs may give PromQL of their own, which can read every series

  bool operator==(const PrometheusLoss&) const = default;
};

// The loss is read from the chiefs' pods directly.
struct PodsLoss {
  Seconds interval{1};

  bool operator==(const PodsLoss&) const = default;
};

using LossSettings = std::variant<PrometheusLoss, PodsLoss>;

struct LeaderElection {
  bool enabled = true;
  std::string ns;  // of the Lease; empty: the controller's own
  std::string name = "slaq-controller";
  Seconds lease{15};  // silence after which another controller may take over; whole seconds

  bool operator==(const LeaderElection&) const = default;
};

struct Telemetry {
  std::string address = ":8080";       // of /metrics; without a host all addresses, of IPv4 and IPv6
  std::string probeAddress = ":8081";  // of /healthz and /readyz
  std::string certificateFile;         // with both, metrics are served over HTTPS
  std::string keyFile;
  bool authorize = false;  // the API server decides who may read metrics

  bool operator==(const Telemetry&) const = default;
};

struct Configuration {
  scheduler::Settings scheduling;  // its capacity has no default
  std::string ns;                  // the only namespace that is served; empty: all
  LossSettings loss;
  LeaderElection leaderElection;
  Telemetry telemetry;
  LogLevel logLevel = LogLevel::Info;
  std::string docsUrl =
      "https://slaq.io/docs";  // where docs/ can be read, without a slash at its end; or empty
  // An image with slaq-report, for jobs whose programs write their loss instead of exporting it; or empty.
  std::string reportImage = {};
  bool queues = false;         // TrainingJobs may be in queues of Kueue
  bool priorityBoost = false;  // and Kueue is told what evictions of them would cost
  // The kinds of objects that spec.workers.targetRef may name, sorted by name.
  std::vector<TargetKind> targets = {};

  bool operator==(const Configuration&) const = default;
};

}  // namespace slaq::config
