// Facts about ended trainings that help to forecast others of their kind. Plain values, which are kept over
// restarts (ports/record_store.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"

namespace slaq {

struct TrainingRecord {
  struct LossAt {
    double iteration = 0;
    double loss = 0;

    bool operator==(const LossAt&) const = default;
  };
  // The time of an iteration at a size, in units of which each has `unit` cores.
  struct SpeedAt {
    double size = 1;
    double seconds = 1;
    double weight = 1;  // the number of iterations that it was measured on

    bool operator==(const SpeedAt&) const = default;
  };

  double iterations = 0;  // done until it ended
  double unit = 1;        // cores
  std::vector<LossAt> losses = {};
  std::vector<SpeedAt> speeds = {};
  // The cost of a change of its workers; empty where too few changes were seen.
  std::optional<Seconds> growPause = {};
  std::optional<Seconds> shrinkPause = {};
  std::optional<Seconds> lost = {};  // seconds of earlier work that is done again
  std::string uid = {};              // of the TrainingJob; empty in older records
  std::int64_t ended = 0;            // seconds since 1970; 0 in older records

  bool operator==(const TrainingRecord&) const = default;
};

struct KindRecord {
  std::string kind;                         // never empty
  std::int64_t trainings = 0;               // that ended
  std::vector<TrainingRecord> newest = {};  // the last of these trainings, the newest at the end

  bool operator==(const KindRecord&) const = default;
};

}  // namespace slaq
