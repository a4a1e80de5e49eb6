// The objects that TrainingJobs name by spec.workers.targetRef. slaq changes their size, and nothing else: it
// never creates, suspends or deletes them.
#pragma once

#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "job/view.h"
#include "kube/client/api.h"
#include "kube/targets/shown_loss.h"
#include "kube/targets/target.h"
#include "kube/watch/sink.h"

namespace slaq::kube::targets {

// Any thread may call it.
class Targets {
 public:
  // `kinds` are those that the administrator allows; `resource` is the unit of capacity. With `followNodes`
  // the capacity is what other programs leave of the nodes, and each target's pods have to say by their label
  // that they are its TrainingJob's.
  Targets(const std::vector<TargetKind>& kinds, const std::string& resource, bool followNodes = false);

  struct Watched {
    client::Resource resource;
    client::Selector selector;
    watch::ObjectSink* sink;
  };
  // Returns the objects to watch, and where a reflector stores them. REQUIRES: this outlives the result.
  std::vector<Watched> watched();

  // True once each kind was listed. A kind that the cluster does not know is never listed.
  bool synced();

  // Fills in the workers and the pod template of each job with a targetRef. A job whose target slaq cannot
  // size is refused, with the reason.
  void describe(ClusterView& view);

  // Gives the job's target this number of workers. Conflict: the target is gone or was changed meanwhile.
  Result<void> scale(client::Api& api, const TrainingJob& job, Workers to);

 private:
  struct Kind {
    Kind(const TargetKind& kind, const std::string& resource, std::mutex& mutex,
         std::function<void(const Target*, const Target*)> changed)
        : is(kind),
          objects([](const Target& each) -> const std::string& { return each.name; },
                  [](const Target&) { return true; }, std::move(changed)),
          jobs([](const TargetJob& each) -> const std::string& { return each.target; }),
          makers([](const TargetMaker& each) -> const std::string& { return each.uid; }),
          sink(mutex, objects, [this, resource](const auto& each) { return readTarget(each, is, resource); }),
          jobSink(mutex, jobs, [this](const auto& each) { return readTargetJob(each, is); }),
          makerSink(mutex, makers, [this](const auto& each) { return readTargetMaker(each, is); }) {}

    bool synced() const {
      return objects.synced() && (is.jobLabel.empty() || jobs.synced()) &&
             (is.makers.empty() || makers.synced());
    }
    // The plural of the objects that the cluster has not listed. REQUIRES: not synced().
    std::string unlisted() const { return objects.synced() && !is.makers.empty() ? is.makers : is.plural; }
    // The object that TrainingJobs of this namespace name so; nullptr if there is none. If its maker tried
    // again, there are two for a moment; then it is not the one that is being deleted.
    const Target* find(const std::string& ns, const std::string& name) const;
    // The object of this name that made `target`. If `target` is nullptr, the object that is to make one.
    // Returns nullptr if there is none. One that is being deleted does not count, since another one may
    // follow under its name.
    const TargetMaker* makerOf(const std::string& ns, const std::string& name, const Target* target) const;

    bool hasMaker(const std::string& uid) const { return !makers.by(uid).empty(); }

    const TargetKind is;
    watch::Collection<Target> objects;
    watch::Collection<TargetJob> jobs;      // stays empty where the object itself counts its pods
    watch::Collection<TargetMaker> makers;  // likewise where users make the objects themselves
    watch::CollectionSink<Target> sink;
    watch::CollectionSink<TargetJob> jobSink;
    watch::CollectionSink<TargetMaker> makerSink;
  };
  // The size that slaq last gave a group of a target for a TrainingJob.
  struct Asked {
    std::string job = {};    // its uid
    std::string group = {};  // its name
    std::int64_t generation = 0;
    Workers size;
    int undone = 0;  // how often it got another size, by somebody else or by an admission webhook
  };

  Kind* kindOf(const TargetRef& ref);
  void noteChange(const Target* before, const Target* after);
  void describe(JobView& view, const JobKey& owner);
  // REQUIRES, of the following: the mutex is held.
  void describe(JobView& view, const Kind& kind, const Target& target, const WorkerGroup& group);
  PodCounts podsOf(const Kind& kind, const Target& target, const WorkerGroup& group);
  Cores othersOf(const Kind& kind, const Target& target, const WorkerGroup& group);
  // The reason why the job's target cannot be sized; empty if it can.
  std::optional<std::string> whyRefused(const TrainingJob& job, const Kind* kind, const Target* target,
                                        const WorkerGroup* group);
  // Forgets what was read of makers that are gone.
  void forgetMakers();
  static std::string whyNoTarget(const TrainingJob& job, const Kind& kind);
  std::string allowedKinds() const;
  // Notes that slaq asks for this size; what was noted before.
  std::optional<Asked> noteAsked(const std::string& uid, const TrainingJob& job, Workers to);

  const std::string resource_;
  const bool followNodes_;
  std::mutex mutex_;
  std::deque<Kind> kinds_;
  std::map<std::string, Asked> asked_;                  // by the target's uid
  std::map<std::string, ShownLossReader> shownLosses_;  // by the maker's uid
};

}  // namespace slaq::kube::targets
