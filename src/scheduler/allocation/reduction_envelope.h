// What a job has still to gain, as far as its forecast reaches: the concave envelope of the normalized loss
// reduction over iterations. A loss falls when an iteration ends, not before, and may fall fastest further
// on: the envelope says what a part of an iteration is worth on the way there (Smith's rule for the sum of
// losses over time: pieces of work in the order of gain per effort).
#pragma once

#include "scheduler/allocation/concave_envelope.h"
#include "scheduler/allocation/demand.h"

namespace slaq::scheduler {

class ReductionEnvelope {
 public:
  // Where the end counts, all that remains is worth the weight and each iteration the same part of it.
  // Reaches `iterations` ahead at least, and to the end of one. REQUIRES: a demand with a forecast.
  ReductionEnvelope(const Demand& demand, double iterations);

  // The weighted normalized reduction that so many iterations more are worth, whole or not: concave, never
  // falling, 0 for none.
  double at(double iterations) const;

 private:
  double lossAt(double iteration) const { return std::min(ceiling_, curve_.at(iteration)); }
  EnvelopePoint endAfter(double ends) const;
  void addEnds(double reach);

  forecast::Curve curve_;
  double ceiling_;  // of the losses that count
  double scale_;    // weight over normalizer
  double done_;     // whole iterations
  double begun_;    // the part of the one under way that is done, 0..1
  double lossNow_;  // after those that are done
  bool isConvex_;   // the curve falls ever more slowly: the ends of iterations are the envelope's vertices
  ConcaveEnvelope envelope_;  // of other curves
};

}  // namespace slaq::scheduler
