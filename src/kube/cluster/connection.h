// All parts of a connection to a cluster, assembled for a program.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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
  std::string docsUrl = {};      // where docs/ can be read; empty: messages name no runbook
  std::string reportImage = {};  // contains slaq-report; empty: jobs with spec.loss.from can't be started
  std::vector<TargetKind> targets = {};  // the kinds that spec.workers.targetRef may name
  bool queues = false;                   // jobs may be in queues of Kueue; REQUIRES: all namespaces
  bool priorityBoost = false;            // and Kueue is told what evictions of them would cost
  bool podGroups = false;                // a start is a gang where the cluster has PodGroups
  bool followNodes = false;              // the nodes' free capacity is used; REQUIRES: all namespaces
  // Called right before each write; false when this process does not hold the leader's lease.
  std::function<bool()> mayWrite = [] { return true; };
  // Waits for the given time before a request of the loop is tried again. It is also called before each write
  // of the loop, without a wait. True ends the request. Called on every thread that calls cluster() or api(),
  // including threads that write.
  std::function<bool(Seconds)> pause;
  // Counts requests; called on several threads.
  std::function<void(const client::ApiCall&)> observe = [](const client::ApiCall&) {};
  // Called on any thread when a new TrainingJob was seen or one has ended, so that an epoch should begin.
  std::function<void()> triggerEpoch = [] {};
  // Called on the reflectors' threads.
  watch::Interrupted watchInterrupted = [](const std::string&, bool) {};
  // Gets a sentence for the log about an event that could not be sent. Called on the events' thread.
  std::function<void(const std::string&)> logLostEvent = {};
};

// The plural name of each collection, and how long it has been silent.
using Silences = std::vector<std::pair<std::string, Seconds>>;

// A sentence that says why the known state of the cluster is too old to decide by, if it is.
std::optional<std::string> whyStale(const Silences& silences);

class Connection {
 public:
  // Nothing is read before start(). REQUIRES: `clock` outlives this; the functions of the options can be
  // called until this is gone.
  Connection(const auth::Access& access, const ConnectionOptions& options, const Clock& clock);

  // Lists every collection, and watches it from then on. REQUIRES: called once.
  void start();

  Cluster& cluster() { return cluster_; }
  // True once every collection was listed.
  bool synced() const { return store_.synced() && (!nodeCapacity_ || nodeCapacity_->synced()); }
  Silences silences();
  // Called from time to time while this process stands by (store.h).
  void noteOwners() { store_.noteOwners(clock_.now()); }
  // The caller calls this when this process begins to lead. It lists again every collection whose last list
  // was asked for before `then`, on the monotonic clock: another process may have made changes that the
  // watches have not brought yet.
  void listSince(Seconds then);
  // When the oldest of the collections' newest lists was asked for, on the monotonic clock. Long ago if a
  // collection has no list yet. For some seconds after listSince(), this includes the kinds of targets and of
  // Kueue that the cluster lists.
  Seconds listed();
  const Store& store() const { return store_; }
  // For objects other than the jobs', on the loop's thread. Writes only while this process leads.
  client::Api& api() { return api_; }
  // For an Election: writes without a lease, and without retries.
  client::Api& leaseApi() { return leaseApi_; }
  // For an AccessReviewer: also without a lease and without retries.
  client::Api& reviewApi() { return reviewApi_; }

 private:
  std::vector<watch::Reflector*> ownReflectors();  // of TrainingJobs, their Jobs and pods
  // The reflectors of what no decision can do without.
  std::vector<watch::Reflector*> reflectors();
  // The reflectors of targets and of Kueue's objects. A cluster may lack the definitions of these.
  std::vector<watch::Reflector*> optionalReflectors();
  // A sentence that says why the known TrainingJobs, Jobs and pods may not fit together, if so. Then it lists
  // them again. It also lists the pods again if their watch may have missed some; nothing waits for that. Any
  // thread may call it.
  std::optional<std::string> whyInconsistent();

  const Clock& clock_;
  const watch::Interrupted watchInterrupted_;
  std::unique_ptr<http::HttpClient> http_;
  client::Api api_;
  client::Api eventApi_;  // used on the events' thread
  client::Api watchApi_;
  client::Api leaseApi_;
  client::Api reviewApi_;
  static constexpr double kNotSeen = -std::numeric_limits<double>::infinity();
  // The time of the first foreign resize (foreign_resizes.h) in this term, in seconds on the monotonic clock.
  // An earlier leader's writes all came before this term, so one list after that time shows them all. Later
  // foreign resizes do not count: otherwise a tenant who edits a Job again and again could keep the
  // controller waiting for lists.
  std::atomic<double> resizedByOther_ = kNotSeen;
  // The watch of pods may have missed something since then (missed_pods.h), on the monotonic clock.
  std::atomic<double> podsMissed_ = kNotSeen;
  Store store_;
  ResourceQuotas quotas_;
  targets::Targets targets_;
  std::unique_ptr<queues::Queues> queues_;      // where jobs may be in queues
  std::unique_ptr<NodeCapacity> nodeCapacity_;  // where capacity follows the nodes
  events::EventRecorder events_;
  KubeCluster cluster_;
  watch::Reflector trainingJobs_;
  watch::Reflector childJobs_;
  watch::Reflector pods_;
  // Its events let a start or a growth in vain be given back sooner. Nothing waits for its list.
  watch::Reflector failedCreates_;
  // The first decision waits for these lists, but only for some seconds. Without the quotas a job may ask for
  // pods that the API server refuses. A job whose target or queue has not been listed is refused.
  watch::Reflector resourceQuotas_;
  std::deque<watch::Reflector> targetReflectors_;
  std::deque<watch::Reflector> queueReflectors_;
  Seconds optionalUntil_{0};  // until then, new lists of optional kinds are awaited
  std::optional<watch::Reflector> nodes_;
  std::optional<watch::Reflector> otherPods_;
};

}  // namespace slaq::kube::cluster
