// A cluster in virtual time, for the production loop: jobs arrive and train as a workload says, and nothing
// else happens. It implements the loop's cluster, its loss source and its clock.
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
    std::vector<LossSample> samples = {};  // read since the last collection
    std::optional<Seconds> freed = {};     // when its end freed its cores; empty again once that was observed
    bool endSeen = false;                  // its end was observed
    bool endShown = false;                 // its success was observed too, where its end does not linger
  };

  // The workload outlives the cluster. With `timed` the monotonic clock is the real one, so that the loop's
  // own work can be measured.
  VirtualCluster(const Workload& workload, bool timed);

  // Lets virtual time pass up to exactly `time`. REQUIRES: `time` is not before elapsed().
  void passUntil(Seconds time);
  Seconds elapsed() const { return elapsed_; }

  // Sorted by key. A job is active if it has arrived and is not over.
  const std::vector<Entry>& jobs() const { return jobs_; }
  bool isActive(const Entry& job) const;
  // The next job's arrival; empty if all have arrived.
  std::optional<Seconds> nextArrival() const;
  // The next time at which workers that were told to stop are gone; empty if there are none. It may be past
  // if it was not observed yet.
  std::optional<Seconds> nextRelease() const;
  // The next time at which a job's end shows, among the ends that were not observed yet; empty if none shows
  // before `until` with the present workers. It may be past.
  std::optional<Seconds> nextEnd(Seconds until) const;
  // The job's known future: its true curve and its true speeds.
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
  // The time at which a job's end shows. REQUIRES: the job is over.
  Seconds shownEnd(const Entry& job) const;
  // The same of a job that still trains; empty if its end does not show until then.
  std::optional<Seconds> shownEndWithin(const Entry& job, Seconds until) const;
  // Samples the loss that the trainer would export at this instant, to which the job was trained. Before its
  // first loss there is no sample.
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
