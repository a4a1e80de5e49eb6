// A cluster in virtual time, for the production loop: jobs arrive and train as a workload says, and nothing
// else ever happens. It is the loop's cluster, its loss source and its clock.
#pragma once

#include <optional>
#include <vector>

#include "base/clock.h"
#include "ports/cluster.h"
#include "ports/loss_source.h"
#include "scheduler/state/known_future.h"
#include "simulate/run/progression.h"
#include "simulate/run/training.h"

namespace slaq::simulate {

class VirtualCluster final : public Cluster, public LossSource, public Clock {
 public:
  struct Entry {
    const SimulatedJob* spec;
    JobView view;
    Training training;
    Progression progression;
    std::vector<LossSample> samples = {};  // read since they were last collected
    std::optional<Seconds> freed = {};     // when it gave its cores back at its end, until that was observed
    bool endSeen = false;                  // its end was observed
    bool endShown = false;                 // and its success, where its end does not linger
  };

  // The workload outlives it. With `timed` the monotonic clock is the real one, so that the loop's own work
  // can be measured.
  VirtualCluster(const Workload& workload, bool timed);

  // Lets virtual time pass, to the instant exactly. REQUIRES: `time` is not before elapsed().
  void passUntil(Seconds time);
  Seconds elapsed() const { return elapsed_; }

  // Sorted by key. Arrived and not over: active.
  const std::vector<Entry>& jobs() const { return jobs_; }
  bool isActive(const Entry& job) const;
  // When the next job comes; empty if all have.
  std::optional<Seconds> nextArrival() const;
  // When a job's workers are gone next, of those that were told to go; empty without any. It may be past, if
  // that was not observed yet.
  std::optional<Seconds> nextRelease() const;
  // When the next end of a job shows that was not observed yet, if one does until then, its workers staying
  // as they are. It may be past.
  std::optional<Seconds> nextEnd(Seconds until) const;
  // What is known of the job's future: its true curve and its true speeds.
  std::optional<scheduler::KnownFuture> futureOf(const JobKey& key) const;

  Time now() const override;
  Seconds monotonic() const override;
  Result<ClusterView> observe() override;
  Result<void> apply(const Action& action) override;
  Result<void> writeStatus(const JobKey& job, const std::string& uid, const JobStatus& status) override;
  void record(const JobKey&, const Event&) override {}
  Result<LossReport> collect(const std::vector<LossRequest>& jobs, Time now) override;

 private:
  void train(Entry& job, Seconds until);
  bool isSeen(const Entry& job) const;
  // When the end of one that is over shows, or will. REQUIRES: it is over.
  Seconds shownEnd(const Entry& job) const;
  // When that of one which trains on will, if it is over by then.
  std::optional<Seconds> shownEndWithin(const Entry& job, Seconds until) const;
  // What its trainer would export at the instant to which it was trained; nothing before it has a loss.
  void scrape(Entry& job, Seconds then) const;
  Entry* find(const JobKey& key);
  const Entry* find(const JobKey& key) const;

  Seconds scrape_;
  Seconds epoch_;
  std::optional<Seconds> linger_;
  bool endReleases_;
  bool timed_;
  bool releasesAtOnce_ = true;
  Seconds elapsed_{0};
  std::vector<Entry> jobs_;
};

}  // namespace slaq::simulate
