// One job in virtual time: its iterations go as fast as its workers allow, and stand still while its workers
// change. Times are exact; it does not depend on epochs.
#pragma once

#include <cstddef>
#include <functional>

#include "base/units.h"
#include "simulate/input/workload.h"

namespace slaq::simulate {

class Training {
 public:
  // The job outlives the training.
  explicit Training(const SimulatedJob& job) : job_(&job) {}

  // Sets the number of workers from now on. The first workers are ready at once and work when the start is
  // over; a later change has its pause. REQUIRES: the training has advanced to `now`.
  void resize(Seconds now, Workers workers);

  // Advances the training to `until`. Calls `finished` with the time of each iteration's end.
  void advance(Seconds until, const std::function<void(Seconds)>& finished);

  std::size_t iteration() const { return iteration_; }  // the last finished one
  double position() const;                              // with the finished part of the current iteration
  bool over() const { return iteration_ + 1 >= job_->trace->losses.size(); }
  double loss() const { return job_->trace->losses[iteration_]; }

  Workers workers() const { return desired_; }
  Workers working() const { return working_; }
  Workers ready() const;                   // as the cluster reports them
  Workers leaving() const;                 // told to stop and still holding their cores
  std::optional<Seconds> release() const;  // when the leaving workers are gone, if there are any
  bool started() const { return desired_ > Workers(0); }
  bool begun() const { return begun_; }  // the start is over and the first loss is known
  std::int64_t resizes() const { return resizes_; }
  double coreSeconds() const { return coreSeconds_; }  // used by its workers while iterations moved

 private:
  Seconds iterationSeconds() const;  // with the working workers; REQUIRES: there are any
  void noteBegin();
  void warmUp(Seconds until);
  void makeCheckpoint();
  void fallBack();
  // The time of the next checkpoint; Seconds::max() for a job without checkpoints.
  Seconds nextCheckpoint() const;
  void work(Seconds until, const std::function<void(Seconds)>& finished);

  const SimulatedJob* job_;
  Seconds now_{0};
  std::size_t iteration_ = 0;
  double done_ = 0;  // finished share of the current iteration
  Workers desired_;
  Workers working_;  // the desired workers that can work; the rest can from `workingAt_` on
  Workers ready_;    // the desired workers that the cluster calls ready; the rest are from `readyAt_` on
  Workers leaving_;
  Seconds workingAt_{0};
  Seconds readyAt_{0};
  Seconds goneAt_{0};
  bool begun_ = false;
  double warmUp_ = 0;      // core-seconds left before the first iteration
  Seconds stillUntil_{0};  // no iteration moves before it
  double checkpoint_ = 0;  // the position of the last checkpoint
  Seconds checkpointAt_{0};
  std::int64_t resizes_ = 0;
  double coreSeconds_ = 0;
};

}  // namespace slaq::simulate
