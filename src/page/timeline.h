// The part of a run that a page shows: each job's loss and cores in each epoch, and the decisions with their
// reasons. Bounded: a long run loses epochs that are close together. A plain value without a lock.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "job/job.h"
#include "job/status.h"
#include "page/moment.h"
#include "page/outlook.h"
#include "page/steps.h"

namespace slaq::page {

// Something that changed for a job, and why: "4 -> 8 workers: ...".
struct Change {
  Seconds time;  // since the run began
  std::string text;
};

struct JobTimeline {
  Time created;
  LossMode mode = LossMode::Minimize;
  Workers most;                         // the most that it may have
  JobStatus status;                     // as of the newest epoch
  std::string reason = {};              // for its state
  std::optional<Cores> coresEach = {};  // of each worker, where it scales by CPU
  bool isGone = false;                  // it has left the cluster
  Steps presence;                       // 1 while it is in the cluster, 0 afterwards
  Steps workers;                        // the ready ones
  Steps cores;                          // held by its pods, those of its driver and of ending pods included
  Steps iterations;                     // done so far
  Steps losses;                         // in the units of the metric
  std::vector<Change> changes = {};     // at most kMostChanges, the newest
  std::vector<Outlook> outlooks = {};   // at most kMostOutlooks, from its first forecast to the newest
};

class RunTimeline {
 public:
  static constexpr std::size_t kMostEpochs = 720;      // four pixels for each on a wide screen
  static constexpr std::size_t kMostPoints = 600'000;  // of all figures of all jobs: about 15 MB. Forecasts
                                                       // and changes add some 10 kB for each job
  static constexpr std::size_t kMostGone = 2'000;      // jobs that have left the cluster
  static constexpr std::size_t kMostChanges = 100;
  static constexpr std::size_t kMostOutlooks = 24;

  void add(const Moment& moment);

  // The time of the first epoch; empty before it.
  std::optional<Time> began() const { return began_; }
  // Counts the changes to earlier epochs: it grows when epochs are renumbered or a job is forgotten. A reader
  // that follows must then read everything again.
  std::uint64_t recounted() const { return recounted_; }
  // The time of each epoch since the run began. The figures of jobs and of the cluster refer to epochs by
  // their index here.
  const std::vector<Seconds>& epochs() const { return epochs_; }
  const Steps& capacity() const { return capacity_; }  // in cores
  const Steps& price() const { return price_; }        // normalized loss per core-second
  const std::map<JobKey, JobTimeline>& jobs() const { return jobs_; }

 private:
  JobTimeline& timelineOf(const Sighting& seen);
  void addJob(const Sighting& seen);
  void forgetGone(const Moment& moment);
  void makeRoom();
  void keepApart(Seconds apart);
  std::size_t points() const;

  std::optional<Time> began_;
  std::uint64_t recounted_ = 0;
  std::vector<Seconds> epochs_;
  Steps capacity_;
  Steps price_;
  std::map<JobKey, JobTimeline> jobs_;
};

}  // namespace slaq::page
