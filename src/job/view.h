// The observation of a job in the cluster at one moment: the job as its owner wrote it and the state of the
// pods (or processes) that run it. Adapters fill it in; the pure code decides on it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "job/job.h"
#include "job/status.h"

namespace slaq {

// The CPU time that all workers of a job had used up to a moment.
struct CpuUse {
  Time time;
  Seconds used{0};

  bool operator==(const CpuUse&) const = default;
};

// The state of the cores of workers that scale by CPU.
struct CpuView {
  Cores asked;  // for each worker, as last requested from the cluster
  Cores held;   // by all pods together; each counts the largest of what is asked, allocated and actual
  bool settled = true;                    // every pod has the requested cores
  std::optional<std::string> obstacle;    // why a growth is delayed, for example by a full node
  std::optional<std::string> impossible;  // pods cannot be resized in place here, with the reason
  // The CPU time that all workers have used so far, where the cluster knows it.
  std::optional<Seconds> used = {};
  // The prefix of the pods' names, for asking Prometheus where the cluster does not know that CPU time.
  std::string pods = {};

  bool operator==(const CpuView&) const = default;
};

struct WorkersView {
  bool exists = false;                          // the workers' Job was created
  bool suspended = false;                       // it has spec.suspend: true
  std::optional<std::string> suspendedBy = {};  // who set it, if not slaq
  Workers desired;                              // its parallelism
  Workers active;                               // pods that exist and are not terminating, ready or not
  Workers ready;
  std::optional<Time> readyChanged;   // when `ready` last changed, where that is known
  Workers terminating;                // pods that are stopping and still hold their cores
  bool succeeded = false;             // the chief is worker 0 and ended with 0
  std::optional<std::string> failed;  // the workers can't go on, with the reason
  int failures = 0;                   // of worker 0 so far, where it is the chief
  // How it failed last, such as "exit code 1". Empty if the system or a user killed it.
  std::string lastFailure = {};
  // The reason why requested pods cannot start: none can be created, no node has enough capacity, or the
  // image cannot be pulled. A sentence.
  std::optional<std::string> obstacle;
  // How a pod failed that has no ready successor yet. A sentence.
  std::optional<std::string> fault;
  std::optional<CpuView> cpu;  // where the job scales by CPU, while it has pods
};

// True while the workers' Job keeps pods: it was neither suspended nor has it ended.
inline bool runs(const WorkersView& workers) {
  return workers.exists && !workers.suspended && !workers.succeeded && !workers.failed;
}

struct DriverView {
  bool exists = false;
  bool suspended = false;
  bool active = false;                       // its pod exists
  bool ready = false;                        // and is ready
  bool terminating = false;                  // its pod is stopping and still holds its cores
  bool succeeded = false;                    // it ended with 0: the training is over
  int failures = 0;                          // of its pods so far
  std::string lastFailure = {};              // as of the workers
  std::optional<std::string> failed;         // it can't go on, with the reason
  std::optional<std::string> obstacle = {};  // why its pod cannot start, a sentence
};

// How the chief's main container ended while another container of its pod goes on. Kubernetes counts such a
// pod as running.
struct ChiefEnd {
  bool succeeded = false;
  std::string message;  // a sentence that names both

  bool operator==(const ChiefEnd&) const = default;
};

// The part of the quota of a queue, such as one of Kueue's, that a job has asked for and got. The pods of a
// job in a queue may exist only within what was admitted.
struct QueueView {
  std::string quota = {};  // the name of the QueueQuotaView that its cores count in; empty: not known
  Workers asked = {};      // the workers that quota was last asked for; 0: the queue knows no request
  Workers admitted = {};   // the workers that may exist; 0: no pod may, the driver's neither
  std::optional<Workers> most = {};  // the workers that it makes sense to ask for now; empty: not known
  // The queue itself asks for the quota of each change, since the pods are those of an object that it
  // manages.
  bool seesChanges = false;
  bool left = false;       // the job left the queue and still has quota, which is to be given back
  bool hasStale = false;   // the queue has requests of the job that are of no use any more
  bool evicted = false;    // the job must stop, and then give its quota back
  bool podsReady = false;  // as the queue was last told
  // The queue was last told to add this to the priority. Empty: it is not to be told what evictions cost.
  std::optional<int> priorityBoost = {};
  std::string message = {};  // why nothing is admitted: a sentence that names the queue

  bool operator==(const QueueView&) const = default;
};

// One observation of a trainer: the loss after `iteration` completed iterations, read at `time`.
struct LossSample {
  Time time;
  Iterations iteration;
  Loss loss;                         // may be NaN or infinite: the trainer's word is passed on
  std::optional<Loss> initial = {};  // before the first iteration, if the trainer exports it

  bool operator==(const LossSample&) const = default;
};

// The newest loss in the status of an object of the cluster; a sample, or else a problem.
struct ShownLoss {
  std::optional<LossSample> sample = {};
  std::optional<std::string> problem = {};  // why there is none, a sentence

  bool operator==(const ShownLoss&) const = default;
};

struct JobView {
  TrainingJob job;
  JobStatus status;  // as last written
  WorkersView workers;
  DriverView driver;  // stays empty for a job without a driver
  // Where the chief's metrics can be read directly ("10.1.2.3:9464"), if it can be known.
  std::optional<std::string> metricsEndpoint;
  std::optional<ChiefEnd> chiefEnd = {};
  // Where the cluster itself shows the job's loss, so that no source is asked for it unless this has none.
  std::optional<ShownLoss> shownLoss = {};
  // Where the capacity follows the nodes: the cores of a target's pods on these nodes, which the nodes'
  // capacity has in it. Also those that the object no longer counts, since they are stopping.
  std::optional<Cores> onNodes = {};
  // The job's need of the SharedMemory below. Empty where no memory is shared, or the need is not known yet.
  std::optional<Mebibytes> memoryNeed = {};
  std::optional<QueueView> queue = {};  // where the job is in a queue
  // The reason why the cluster rejects the last action for this job, if it does.
  std::optional<std::string> refusal;
};

// False while the job's queue keeps its pods from running.
inline bool isAdmitted(const JobView& view) {
  const auto& queue = view.queue;
  return !queue || queue->left || (queue->admitted > Workers(0) && !queue->evicted);
}

// The memory of a device that all jobs share. A job cannot give back its part while it runs.
struct SharedMemory {
  Mebibytes total;
  Mebibytes free;          // neither taken by a running job nor reserved for one
  bool measuring = false;  // the need of a running job is not known yet

  bool operator==(const SharedMemory&) const = default;
};

// A node that training jobs can use, in the unit of capacity.
struct NodeView {
  std::string name;
  Cores free;  // its allocatable cores less the requests of pods that are not slaq's

  bool operator==(const NodeView&) const = default;
};

// A ResourceQuota of Kubernetes, which bounds what the pods of its namespace request together.
struct QuotaView {
  std::string ns;
  std::string name;
  Cores hard;
  Cores used;  // by all pods of the namespace, those of training jobs included

  bool operator==(const QuotaView&) const = default;
};

// A quota that jobs of one or several queues share.
struct QueueQuotaView {
  std::string name;  // such as "the cohort research, flavor default"
  Cores cores;       // that training jobs may hold now, after what others hold and wait for
  Cores most;        // that they could hold if nobody else held any

  bool operator==(const QueueQuotaView&) const = default;
};

struct ClusterView {
  Time time;
  std::vector<JobView> jobs;    // sorted by key, each key once
  Cores leaving;                // held by pods whose job, or whose child Job, is gone already
  std::vector<NodeView> nodes;  // where the nodes give the capacity
  Cores waiting;                // requested by pods that are not slaq's and found no node for a while
  bool releasesAtOnce = false;  // the cores of a shrink are free for the next action
  std::optional<SharedMemory> memory = {};  // empty where jobs share no device
  std::vector<QuotaView> quotas = {};       // sorted by namespace, at most one for each
  std::vector<QueueQuotaView> queueQuotas = {};
};

}  // namespace slaq
