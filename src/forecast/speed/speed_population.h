// What can be expected of a job's speed before it has shown it: what jobs of its kind did, or else, of the
// shape and of the typical cost, what all jobs did. Without any of that a job is taken to be parallel:
// c*S/N. A plain value; one thread owns it.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "forecast/speed/measured_sizes.h"
#include "forecast/speed/recent_map.h"
#include "forecast/speed/speed_curve.h"

namespace slaq::forecast {

// By size. Shares its points, so that it outlives the population.
struct ExpectedSpeed {
  std::shared_ptr<const std::vector<SpeedPoint>> points = {};  // null: parallel, one iteration a second at 1
  double slowness = 1;                                         // iterations take so many times as long
  bool isTimed = false;  // else only the shape is known, and `slowness` says nothing
  // The standard deviation of the logarithm of how much longer than that an iteration takes; 0 of a known
  // kind.
  double spread = 0;
  // From which to which sizes were measured that say something about this job; none: from infinity to 0.
  double smallest = std::numeric_limits<double>::infinity();
  double largest = 0;

  SpeedCurve curve() const;
};

class SpeedPopulation {
 public:
  // `kind` is empty for a job that resembles no other. `unit`: the cores of size 1.
  ExpectedSpeed expected(const std::string& kind, double unit) const;

  // Takes in what a job measured so far. Each call counts alike: what is new takes the place of what is old.
  // Only the first call of a job, `isNew`, says how far jobs lie apart. REQUIRES: not empty.
  void update(const std::string& kind, std::span<const TimedSize> measured, double unit, bool isNew = true);

 private:
  struct Kind {
    MeasuredSizes sizes;
    std::shared_ptr<const std::vector<SpeedPoint>> points;
  };

  void updateShape(std::span<const TimedSize> measured);
  void updateCost(double coreSeconds, bool isNew);
  SpeedCurve shape() const;

  // By kind and unit: pods of other sizes are other workers.
  RecentMap<std::pair<std::string, double>, Kind, 500> kinds_;
  MeasuredSizes sizes_;  // of all jobs with several sizes; seconds in units of that at size 1
  std::shared_ptr<const std::vector<SpeedPoint>> shape_;
  double costs_ = 0;        // discounted sums: of the logarithms of core-seconds at size 1,
  double count_ = 0;        // and of their number
  double deviations_ = 0;   // discounted sums over jobs: of the squared differences from the mean then,
  double jobs_ = 0;         // and of their number
  double differences_ = 0;  // discounted sums: of the squared differences of jobs from the shape,
  double compared_ = 0;     // and of their number
  int waiting_ = 0;         // updates since the shape was estimated
};

}  // namespace slaq::forecast
