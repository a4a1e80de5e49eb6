// The expectation of a job's speed before the job has shown it. It comes from jobs of its kind or, without
// them, from the shape and the typical cost of all jobs. Without any jobs, a job counts as parallel: c*S/N. A
// plain value; one thread owns it.
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

// The expected speed by size. It shares its points, so that it may outlive the population.
struct ExpectedSpeed {
  std::shared_ptr<const std::vector<SpeedPoint>> points = {};  // null: parallel, one iteration a second at 1
  double slowness = 1;                                         // iterations take this many times as long
  bool isTimed = false;  // if not, only the shape is known, and `slowness` says nothing
  // The standard deviation of the logarithm of how much longer than expected an iteration takes. 0 for a
  // known kind.
  double spread = 0;
  // The smallest and largest measured sizes that say something about this job. Infinity and 0 if there are
  // none.
  double smallest = std::numeric_limits<double>::infinity();
  double largest = 0;

  SpeedCurve curve() const;
};

class SpeedPopulation {
 public:
  // `kind` is empty for a job that resembles no other. `unit` is the number of cores of size 1.
  ExpectedSpeed expected(const std::string& kind, double unit) const;

  // Takes in a job's measurements so far. Each call counts the same, and new measurements displace old ones.
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

  // The key is the kind and the unit, because pods of other sizes are other workers.
  RecentMap<std::pair<std::string, double>, Kind, 500> kinds_;
  MeasuredSizes sizes_;  // of all jobs with several sizes; seconds as multiples of those at size 1
  std::shared_ptr<const std::vector<SpeedPoint>> shape_;
  double costs_ = 0;        // discounted sum of the logarithms of core-seconds at size 1,
  double count_ = 0;        // and their discounted number
  double deviations_ = 0;   // discounted sum of the squared differences of jobs from the mean at the time,
  double jobs_ = 0;         // and their discounted number
  double differences_ = 0;  // discounted sum of the squared differences of jobs from the shape,
  double compared_ = 0;     // and their discounted number
};

}  // namespace slaq::forecast
