// The numbers of iterations after which trainings of each kind ended. They give the expected length of a job
// that does not say itself when it ends. A plain value; one thread owns it.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>

#include "forecast/speed/recent_map.h"

namespace slaq::scheduler {

class TrainingLengths {
 public:
  // The median of this kind's jobs that did more than `done` iterations; empty if there are none.
  std::optional<double> expected(const std::string& kind, double done) const;
  // A job of this kind succeeded after this number of iterations. `kind` is empty for a job that resembles no
  // other.
  void update(const std::string& kind, double iterations);

 private:
  static constexpr std::size_t kKept = 15;  // of each kind, the newest

  forecast::RecentMap<std::string, std::deque<double>, 500> kinds_;
};

}  // namespace slaq::scheduler
