// The data that commands for people read from a cluster: TrainingJobs, their events, the names of namespaces.
// Errors are sentences for people: which server refused what, and what to do about it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "cli/cluster/prometheus_history.h"
#include "kube/auth/credentials.h"
#include "kube/client/api.h"
#include "kube/objects/training_job.h"

namespace slaq::cli::cluster {

// An event of a job. The cluster keeps it for about an hour.
struct JobEvent {
  Time last;  // when it happened last
  int count = 1;
  bool warning = false;
  std::string reason;
  std::string message;

  bool operator==(const JobEvent&) const = default;
};

// The number of tries to reach a server, and the time for each of them.
struct Patience {
  int tries = 2;
  Seconds deadline{10};  // of each try
};

// The subresource of a job with its losses. Kubernetes has none of that name: only servers of one machine do.
inline constexpr const char* kLosses = "losses";

// One thread uses it. Only reads.
class TrainingCluster {
 public:
  // REQUIRES: the clock of the access outlives this.
  explicit TrainingCluster(const kube::auth::Access& access, Patience patience = {});

  const std::string& ns() const { return ns_; }  // the namespace where the command line names none
  // The API server, for services that are reached through it.
  http::HttpClient& http() { return *http_; }
  // False if the API server says that it does not know this version of an API, such as "ray.io/v1".
  bool serves(const std::string& apiVersion);

  // Sorted by key; of all namespaces where `ns` is empty. NotFound: the cluster does not know TrainingJobs.
  Result<std::vector<kube::objects::StoredJob>> jobs(const std::string& ns);
  // NotFound suggests jobs with similar names.
  Result<kube::objects::StoredJob> job(const JobKey& key);
  // The oldest first.
  Result<std::vector<JobEvent>> events(const kube::objects::StoredJob& job);
  Result<std::vector<std::string>> namespaces();
  // True for slaq serve and slaq run, which know the losses of their jobs.
  bool hasLosses() const;
  // Some hundred losses of a job. REQUIRES: hasLosses().
  Result<Curve> losses(const JobKey& job);

 private:
  using Each = std::function<void(const rapidjson::Value&)>;

  Result<void> list(const kube::client::Target& target, const kube::client::Selector& selector,
                    const Each& each);
  Error explained(Error error) const;
  Error missing(const JobKey& key);

  const std::string url_;
  const std::string ns_;
  const std::unique_ptr<http::HttpClient> http_;
  std::string outcome_;  // of the last request: the status, or "error"
  kube::client::Api api_;
};

// "there is no TrainingJob team-a/logrg; did you mean logreg?", or a list of the existing jobs instead.
std::string missingSentence(const JobKey& key, const std::vector<std::string>& names);

}  // namespace slaq::cli::cluster
