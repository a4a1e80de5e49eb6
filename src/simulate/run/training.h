// One job in virtual time: its iterations go as fast as its workers allow, and stand still while its workers
// change. Exact to the instant; knows no epochs.
#pragma once

#include <cstddef>
#include <functional>

#include "base/units.h"
#include "simulate/input/workload.h"

namespace slaq::simulate {

class Training {
 public:
  // The job outlives it.
  explicit Training(const SimulatedJob& job) : job_(&job) {}

  // From now on it is meant to have this number of workers. The first ones are ready at once and work when
  // the start is over; a change of them has its pause. REQUIRES: it has come as far as `now`.
  void resize(Seconds now, Workers workers);

  // Lets time pass from where it was to `until`. `finished` is told when each iteration is done.
  void advance(Seconds until, const std::function<void(Seconds)>& finished);

  std::size_t iteration() const { return iteration_; }  // the last that is finished
  double position() const;                              // with the part of the one under way
  bool over() const { return iteration_ + 1 >= job_->trace->losses.size(); }
  double loss() const { return job_->trace->losses[iteration_]; }

  Workers workers() const { return desired_; }
  Workers working() const { return working_; }
  Workers ready() const;                   // for the cluster
  Workers leaving() const;                 // told to go and still holding their cores
  std::optional<Seconds> release() const;  // when they are gone, if there are any
  bool started() const { return desired_ > Workers(0); }
  bool begun() const { return begun_; }  // its start is over: its first loss is known
  std::int64_t resizes() const { return resizes_; }
  double coreSeconds() const { return coreSeconds_; }  // of its workers while iterations moved

 private:
  Seconds iterationSeconds() const;  // with the workers that work; REQUIRES: there are any
  void noteBegin();
  void warmUp(Seconds until);
  void makeCheckpoint();
  void fallBack();
  // When the next checkpoint is due; never without.
  Seconds nextCheckpoint() const;
  void work(Seconds until, const std::function<void(Seconds)>& finished);

  const SimulatedJob* job_;
  Seconds now_{0};
  std::size_t iteration_ = 0;
  double done_ = 0;  // share of the iteration under way
  Workers desired_;
  Workers working_;  // of them, those that can work; the rest at `workingAt_`
  Workers ready_;    // and those that the cluster calls so; the rest at `readyAt_`
  Workers leaving_;
  Seconds workingAt_{0};
  Seconds readyAt_{0};
  Seconds goneAt_{0};
  bool begun_ = false;
  double warmUp_ = 0;      // core-seconds to go before the first iteration
  Seconds stillUntil_{0};  // no iteration moves before
  double checkpoint_ = 0;  // the position of the last one
  Seconds checkpointAt_{0};
  std::int64_t resizes_ = 0;
  double coreSeconds_ = 0;
};

}  // namespace slaq::simulate
