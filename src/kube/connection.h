// All parts of a cluster connection, put together: what a program needs to have a Cluster.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/clock.h"
#include "kube/api.h"
#include "kube/cluster.h"
#include "kube/credentials.h"
#include "kube/event_recorder.h"
#include "kube/reflector.h"
#include "kube/store.h"

namespace slaq::kube {

struct ConnectionOptions {
  std::string ns;  // the one namespace to work in; empty: all
  // Asked right before each write: the leader's lease.
  std::function<bool()> mayWrite = [] { return true; };
  // Counts requests; called on several threads.
  std::function<void(const ApiCall&)> observe = [](const ApiCall&) {};
  // The store changed: the loop may be woken early. Called on the reflectors' threads.
  std::function<void()> changed = [] {};
  // A sentence for the log. Called on the reflectors' threads.
  std::function<void(const std::string&)> say = [](const std::string&) {};
};

// Follows the cluster from the start; `cluster()` is used by one thread, the loop's.
class Connection {
 public:
  // REQUIRES: `clock` outlives this; mayWrite and the others can be called until it is gone.
  Connection(Access access, ConnectionOptions options, const Clock& clock);

  Cluster& cluster() { return cluster_; }
  const Store& store() const { return store_; }
  // For an Election: neither guarded nor tried again.
  Api& leaseApi() { return leaseApi_; }

 private:
  std::unique_ptr<HttpClient> http_;
  Api api_;
  Api watchApi_;
  Api leaseApi_;
  Store store_;
  EventRecorder events_;
  KubeCluster cluster_;
  Reflector trainingJobs_;
  Reflector childJobs_;
};

}  // namespace slaq::kube
