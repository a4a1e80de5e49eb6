// How the loss of one job fell over virtual time, in the paper's measure (section 6.2): normalized by the
// range of its trace, from arrival on.
#pragma once

#include <array>
#include <optional>

#include "base/units.h"
#include "simulate/input/trace.h"

namespace slaq::simulate {

// The loss reductions, in percent, whose times are measured.
inline constexpr std::array<int, 7> kReductions = {25, 50, 75, 80, 90, 95, 99};

// The loss as (loss - lowest) / (first - lowest).
double normalizedLoss(double loss, double first, double lowest);

// True if the last losses of the trace are lower than the first ones by more than their noise explains. If
// not, there is no reduction to measure parts of.
bool falls(const Trace& trace);

class Progression {
 public:
  Progression(Seconds arrival, const Trace& trace);

  // Adds the loss after an iteration that was finished at `time`. REQUIRES: times do not go back.
  void reach(Seconds time, double loss);
  void complete(Seconds time);

  // If false, the normalized loss and its integral are 0, and only the completion is known.
  bool falls() const { return falls_; }
  double normalized() const { return normalized_; }
  // The integral of the normalized loss over the time from arrival to the last call, in seconds.
  double integral() const { return integral_; }
  // The times from arrival to each of kReductions, and to the end.
  const std::array<std::optional<Seconds>, kReductions.size()>& reductions() const { return reductions_; }
  std::optional<Seconds> completion() const { return completion_; }

 private:
  void note(Seconds time);

  Seconds arrival_;
  Seconds since_;
  bool falls_;
  double first_;
  double lowest_;
  double normalized_;
  double integral_ = 0;
  std::array<std::optional<Seconds>, kReductions.size()> reductions_;
  std::optional<Seconds> completion_;
};

}  // namespace slaq::simulate
