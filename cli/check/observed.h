// The state of a cluster as `slaq check` has read it. Each part is a value, or says why it could not be read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "config/configuration.h"
#include "kube/objects/training_job.h"

namespace slaq::cli::check {

// The time of a clock on another machine, read between two times of this machine's clock.
struct ClockReading {
  Time before;
  Time after;
  Time clock;
  Seconds precision{0};  // the true time there is between `clock` and `clock` + `precision`
};

struct Server {
  std::string url;
  std::string version;  // "v1.35.4"
  std::optional<ClockReading> clock;
  bool resizesPods = false;  // it has pods/resize
};

// The controller's Deployment and what it runs with.
struct Installation {
  std::string ns;
  std::string name;
  std::string release;  // Helm's
  std::string version;
  std::string image;
  std::string configMap;  // contains its configuration
  std::string serviceAccount;
  int wanted = 0;  // replicas
  int ready = 0;
  int updated = 0;     // pods of the present specification
  bool stuck = false;  // the new pods do not become ready
};

struct LeaderLease {
  std::string holder;  // empty: no process holds it
  Time renewed;        // by the holder's clock
  Seconds duration{0};
};

// A verb on a resource. An empty `ns` is all namespaces.
struct Right {
  std::string ns;
  std::string group;
  std::string resource;     // such as "pods/resize"
  std::string object = {};  // the name of the only object, if the right is limited to one
  std::string verb;

  bool operator==(const Right&) const = default;
};

struct ReviewedRights {
  std::vector<Right> missing;
  std::optional<Error> unasked = {};  // why a right could not be checked
};

struct PrometheusState {
  std::string address;
  ClockReading clock;
  Result<double> controllers;  // controllers of this installation that it scrapes
  Result<double> trainings;    // scraped trainings whose targets have the configured labels
};

// By this entry in integrations.externalFrameworks Kueue knows that another controller manages TrainingJobs.
inline constexpr const char* kExternalFramework = "TrainingJob.v1alpha1.slaq.io";
inline constexpr const char* kKueueConfiguration =
    "controller_manager_config.yaml";  // its key in the ConfigMap

// Kueue, as far as it concerns the Jobs of TrainingJobs.
struct Kueue {
  std::string ns;
  std::string deployment;
  std::string configMap;  // contains its configuration
  std::string serviceAccount;
  bool managesJobs = true;                      // it has the integration batch/job
  bool managesAll = false;                      // Jobs that name no queue too
  bool knowsTrainingJobs = false;               // kExternalFramework is configured
  bool hasElasticJobs = true;                   // its feature gate for them is not turned off
  bool hasPriorityBoost = false;                // its feature gate for it is turned on
  bool hasGatesArgument = false;                // its feature gates are an argument of its program
  std::vector<std::string> defaultQueues = {};  // namespaces with a LocalQueue named default
  Result<bool> mayReadTrainingJobs = false;
};

// A HorizontalPodAutoscaler that sizes what slaq should size.
struct Autoscaler {
  JobKey key;
  JobKey job;
  std::string object =
      {};  // that the job names by targetRef, such as "Deployment train"; empty: the job itself
};

struct Observed {
  std::string version;     // of this program
  bool inCluster = false;  // it runs in a pod
  Time now;                // of this machine
  Result<Server> server = failure(ErrorKind::NotFound, "");
  // Fields of TrainingJobs that this version knows and the cluster does not. NotFound: the cluster knows no
  // TrainingJobs.
  Result<std::vector<std::string>> missingFields = failure(ErrorKind::NotFound, "");
  Result<Installation> installation = failure(ErrorKind::NotFound, "");
  // The parts below are empty if something that they depend on could not be read.
  std::optional<Result<std::string>> configurationText = {};
  std::optional<Result<config::Configuration>> configuration = {};
  std::optional<Result<LeaderLease>> lease = {};  // where the election is enabled
  std::optional<ReviewedRights> rights = {};
  std::optional<Result<PrometheusState>> prometheus = {};  // NotFound: it can't be asked from here
  std::optional<Result<std::vector<kube::objects::StoredJob>>> jobs = {};
  std::optional<Result<Kueue>> kueue = {};  // where Kueue is installed
  std::optional<Result<std::vector<Autoscaler>>> autoscalers = {};
  std::optional<Result<void>> resize = {};  // of a running Indexed Job; only tried
};

}  // namespace slaq::cli::check
