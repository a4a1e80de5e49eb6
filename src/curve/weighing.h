// How the experts of the ensemble (curve/expert.h) are weighed: by how far off their earlier expectations
// were. For many jobs in one call, as they are asked.
#pragma once

#include <span>

#include "curve/expert.h"

namespace slaq {

// Sums of each expert's errors by the mean of all.
struct Errors {
  Numbers sums{};
  float judged = 0;  // the number of what was summed

  // What was summed so far counts less from now on.
  void fade();
};

// What was expected of the loss so many iterations later, and how much it changed indeed, in units of the
// range. It counts so many times.
struct Hearing {
  Errors* errors = nullptr;  // to be added to
  const Opinions* opinions = nullptr;
  float ahead = 0;
  float truth = 0;
  float times = 1;
};
void judge(std::span<const Hearing> hearings);

// The experts' weighted means, in units.
struct Means {
  float lift = 0;
  float near = 0;  // of the changes within so many iterations
  float far = 0;
};

struct Weighed {
  const Opinions* opinions = nullptr;
  const Errors* errors = nullptr;
  float height = 0;  // of the newest loss above the known floor, in units; 0 without one
  float near = 0;    // iterations
  float far = 0;
  Means means = {};  // the answer
};

// By weights that are the experts' errors to the minus fourth. As far as those that know the floor were
// right, the means are of the logarithms of what is above it, since a loss that falls by orders of magnitude
// is not forecast by its slowest expert. REQUIRES: kTogether jobs at most.
void weigh(std::span<Weighed> jobs);

}  // namespace slaq
