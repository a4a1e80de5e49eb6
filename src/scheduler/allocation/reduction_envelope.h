// What a job has still to gain, as far as its forecast reaches: the concave envelope of the normalized loss
// reduction over the CPU time that it takes. A loss falls when an iteration ends, not before, and may fall
// fastest further on: the envelope says what a core-second is worth on the way there (Smith's rule for the
// sum of losses over time: pieces of work in the order of gain per core-second).
#pragma once

#include "scheduler/allocation/concave_envelope.h"
#include "scheduler/allocation/demand.h"

namespace slaq::scheduler {

class ReductionEnvelope {
 public:
  // Reaches to `cpuSeconds` at least, and to the end of one iteration. REQUIRES: a demand with a forecast.
  ReductionEnvelope(const Demand& demand, double cpuSeconds);

  // The weighted normalized reduction that this CPU time is worth: concave, never falling, 0 for none.
  double at(double cpuSeconds) const;

 private:
  EnvelopePoint endOf(double iteration) const;
  void addEnds(double reach);

  forecast::Curve curve_;
  double scale_;    // weight over normalizer
  double done_;     // whole iterations
  double begun_;    // the part of the one under way that is done, 0..1
  double cost_;     // CPU seconds of an iteration
  double lossNow_;  // after those that are done
  bool isConvex_;   // the curve falls ever more slowly: the ends of iterations are the envelope's vertices
  ConcaveEnvelope envelope_;  // of other curves
};

}  // namespace slaq::scheduler
