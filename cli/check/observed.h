// What `slaq check` has read of a cluster. Each part is a value, or says why it could not be read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "config/configuration.h"
#include "kube/objects/training_job.h"

namespace slaq::cli::check {

// A clock somewhere else, and between which moments of ours it was read.
struct ClockReading {
  Time before;
  Time after;
  Time clock;
  Seconds precision{0};  // the true time there is from `clock` to so much later
};

struct Server {
  std::string url;
  std::string version;  // "v1.35.4"
  std::optional<ClockReading> clock;
  bool resizesPods = false;  // has pods/resize
};

// The controller's Deployment and what it runs with.
struct Installation {
  std::string ns;
  std::string name;
  std::string release;  // Helm's
  std::string version;
  std::string image;
  std::string configMap;  // with its configuration
  std::string serviceAccount;
  int wanted = 0;  // replicas
  int ready = 0;
  int updated = 0;     // of what the Deployment says now
  bool stuck = false;  // the new ones do not come up
};

struct LeaderLease {
  std::string holder;  // empty: nobody's
  Time renewed;        // by the holder's clock
  Seconds duration{0};
};

// A verb on a resource. An empty `ns` is all namespaces.
struct Right {
  std::string ns;
  std::string group;
  std::string resource;     // "pods/resize"
  std::string object = {};  // the one that it is about, if it is one
  std::string verb;

  bool operator==(const Right&) const = default;
};

struct ReviewedRights {
  std::vector<Right> missing;
  std::optional<Error> unasked = {};  // why one of them could not be asked about
};

struct PrometheusState {
  std::string address;
  ClockReading clock;
  Result<double> controllers;  // of this installation that it scrapes
  Result<double> trainings;    // whose targets have the labels that the configuration names
};

struct Observed {
  std::string version;     // of this program
  bool inCluster = false;  // this is a pod
  Time now;                // of this machine
  Result<Server> server = failure(ErrorKind::NotFound, "");
  // Fields of TrainingJobs that this version knows and the cluster does not. NotFound: it knows no
  // TrainingJobs.
  Result<std::vector<std::string>> missingFields = failure(ErrorKind::NotFound, "");
  Result<Installation> installation = failure(ErrorKind::NotFound, "");
  // Below: nothing without what they are read by.
  std::optional<Result<std::string>> configurationText = {};
  std::optional<Result<config::Configuration>> configuration = {};
  std::optional<Result<LeaderLease>> lease = {};  // where the election is enabled
  std::optional<ReviewedRights> rights = {};
  std::optional<Result<PrometheusState>> prometheus = {};  // NotFound: it can't be asked from here
  std::optional<Result<std::vector<kube::objects::StoredJob>>> jobs = {};
};

}  // namespace slaq::cli::check
