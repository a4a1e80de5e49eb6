// The reduction that a job has still to gain, as far as its forecast reaches: the concave envelope of the
// normalized loss reduction over iterations. A loss falls only when an iteration ends, and may fall fastest
// further on. The envelope gives the value of a part of an iteration on the way there. This is Smith's rule
// for the sum of losses over time: pieces of work in the order of gain per effort.
#pragma once

#include "scheduler/allocation/concave_envelope.h"
#include "scheduler/allocation/demand.h"

namespace slaq::scheduler {

class ReductionEnvelope {
 public:
  // Where the end of the training counts, all remaining iterations together are worth the weight over the
  // normalizer, and each iteration an equal part. The envelope reaches `iterations` ahead at least, and to
  // the end of one. REQUIRES: a demand with a forecast.
  ReductionEnvelope(const Demand& demand, double iterations);

  // The weighted normalized reduction by the next `iterations`, whole or not: concave, not falling, 0 for 0.
  double at(double iterations) const;

 private:
  double lossAt(double iteration) const { return std::min(ceiling_, curve_.at(iteration)); }
  EnvelopePoint endAfter(double ends) const;
  void addEnds(double reach);

  forecast::Curve curve_;
  double ceiling_;  // the largest loss that counts
  double scale_;    // weight over normalizer
  double done_;     // whole iterations done
  double begun_;    // the done part of the iteration under way, 0..1
  double lossNow_;  // after the iterations that are done
  bool isConvex_;   // the curve falls ever more slowly: the ends of iterations are the envelope's vertices
  ConcaveEnvelope envelope_;  // for other curves
};

}  // namespace slaq::scheduler
