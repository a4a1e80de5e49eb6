// What trainings that ended have shown that says something about others of their kind. Plain values, which
// are kept over restarts (ports/record_store.h).
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
  // How long an iteration took at a size, in units of which one has `unit` cores.
  struct SpeedAt {
    double size = 1;
    double seconds = 1;
    double weight = 1;  // by how many iterations

    bool operator==(const SpeedAt&) const = default;
  };

  double iterations = 0;  // that it did until it ended
  double unit = 1;        // cores
  std::vector<LossAt> losses = {};
  std::vector<SpeedAt> speeds = {};
  // What a change of its workers cost; empty where too few were seen.
  std::optional<Seconds> growPause = {};
  std::optional<Seconds> shrinkPause = {};
  std::optional<Seconds> lost = {};  // of the work that it did before
  std::string uid = {};              // of the TrainingJob; empty in older records

  bool operator==(const TrainingRecord&) const = default;
};

struct KindRecord {
  std::string kind;                         // never empty
  std::int64_t trainings = 0;               // how many ended
  std::vector<TrainingRecord> newest = {};  // of those, the newest last

  bool operator==(const KindRecord&) const = default;
};

}  // namespace slaq
