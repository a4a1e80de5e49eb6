// All parts of a cluster connection, put together: what a program needs to have a Cluster.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "kube/auth/credentials.h"
#include "kube/client/api.h"
#include "kube/cluster/cluster.h"
#include "kube/cluster/store.h"
#include "kube/events/event_recorder.h"
#include "kube/watch/reflector.h"

namespace slaq::kube::cluster {

struct ConnectionOptions {
  std::string ns;                // the one namespace to work in; empty: all
  std::string resource = "cpu";  // the unit of capacity
  bool followNodes = false;      // capacity is what the nodes have room for; REQUIRES: all namespaces
  // Asked right before each write: the leader's lease.
  std::function<bool()> mayWrite = [] { return true; };
  // Counts requests; called on several threads.
  std::function<void(const client::ApiCall&)> observe = [](const client::ApiCall&) {};
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
  Connection(auth::Access access, ConnectionOptions options, const Clock& clock);

  Cluster& cluster() { return cluster_; }
  // True once all that is followed was listed.
  bool synced() const { return store_.synced() && (!room_ || room_->synced()); }
  const Store& store() const { return store_; }
  // For an Election: neither guarded nor tried again.
  client::Api& leaseApi() { return leaseApi_; }

 private:
  std::unique_ptr<HttpClient> http_;
  client::Api api_;
  client::Api watchApi_;
  client::Api leaseApi_;
  Store store_;
  std::unique_ptr<Room> room_;  // where capacity follows the nodes
  events::EventRecorder events_;
  KubeCluster cluster_;
  watch::Reflector trainingJobs_;
  watch::Reflector childJobs_;
  watch::Reflector pods_;
  std::optional<watch::Reflector> nodes_;
  std::optional<watch::Reflector> otherPods_;
};

}  // namespace slaq::kube::cluster
