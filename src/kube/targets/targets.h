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
#include "kube/targets/target.h"
#include "kube/watch/sink.h"

namespace slaq::kube::targets {

// Any thread may call it.
class Targets {
 public:
  // `kinds` are the names of the kinds that the administrator allows; `resource` is the unit of capacity.
  // REQUIRES: each kind is known (job/target_kind.h).
  Targets(const std::vector<std::string>& kinds, const std::string& resource);

  struct Watched {
    client::Resource resource;
    watch::ObjectSink* sink;
  };
  // Returns for each kind the objects to watch, and where a reflector stores them.
  std::vector<Watched> watched();

  // True once each kind was listed. True also after some seconds, since a kind that the cluster does not know
  // is never listed.
  bool listed(Time now);

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
          objects(
              nullptr, [](const Target&) { return true; }, std::move(changed)),
          sink(mutex, objects,
               [kind, resource](const auto& each) { return readTarget(each, kind, resource); }) {}

    const TargetKind& is;
    watch::Collection<Target> objects;
    watch::CollectionSink<Target> sink;
  };
  // The size that slaq last gave a target for a TrainingJob.
  struct Asked {
    std::string job = {};  // its uid
    std::int64_t generation = 0;
    Workers size;
    int undone = 0;  // how often somebody else then gave it another size
  };

  Kind* kindOf(const TargetRef& ref);
  void noteChange(const Target* before, const Target* after);
  void describe(JobView& view, const JobKey& owner);
  // The reason why the job's target cannot be sized; empty if it can. REQUIRES: the mutex is held.
  std::optional<std::string> whyRefused(const TrainingJob& job, const Kind* kind, const Target* target);

  const std::string resource_;
  std::mutex mutex_;
  std::optional<Time> begun_;  // when listed() was first asked
  std::deque<Kind> kinds_;
  std::map<std::string, Asked> asked_;  // by the target's uid
};

}  // namespace slaq::kube::targets
