// All parts of a cluster connection, put together: what a program needs to have a Cluster.
#pragma once

#include <functional>
#include <memory>
#include <optional>
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
  std::string ns;                // the one namespace to work in; empty: all
  std::string resource = "cpu";  // the unit of capacity
  bool followNodes = false;      // capacity is what the nodes have room for; REQUIRES: all namespaces
  // Asked right before each write: the leader's lease.
  std::function<bool()> mayWrite = [] { return true; };
  // Counts requests; called on several threads.
  std::function<void(const ApiCall&)> observe = [](const ApiCall&) {};
  // A TrainingJob came that was not known, or one has ended: there is something to decide. Called on whatever
  // thread learns of it.
  std::function<void()> news = [] {};
  // A sentence for the log. Called on the reflectors' threads.
  std::function<void(const std::string&)> say = [](const std::string&) {};
};

// Follows the cluster from the start; `cluster()` is used by one thread, the loop's.
class Connection {
 public:
  // REQUIRES: `clock` outlives this; mayWrite and the others can be called until it is gone.
  Connection(Access access, ConnectionOptions options, const Clock& clock);

  Cluster& cluster() { return cluster_; }
  // True once all that is followed was listed.
  bool synced() const { return store_.synced() && (!room_ || room_->synced()); }
  const Store& store() const { return store_; }
  // For an Election: neither guarded nor tried again.
  Api& leaseApi() { return leaseApi_; }

 private:
  std::unique_ptr<HttpClient> http_;
  Api api_;
  Api watchApi_;
  Api leaseApi_;
  Store store_;
  std::unique_ptr<Room> room_;  // where capacity follows the nodes
  EventRecorder events_;
  KubeCluster cluster_;
  Reflector trainingJobs_;
  Reflector childJobs_;
  Reflector pods_;
  std::optional<Reflector> nodes_;
  std::optional<Reflector> otherPods_;
};

}  // namespace slaq::kube
