// The newest records of trainings that ended, by kind. A plain value; one thread owns it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "job/training_record.h"

namespace slaq::scheduler {

class TrainingRecords {
 public:
  // The number of kinds, and of records for each, that are kept. Together they fit into one object of
  // Kubernetes.
  static constexpr std::size_t kMostKinds = 100;
  static constexpr std::size_t kMostOfAKind = 5;

  // Takes in the records from before this process started.
  void restore(std::span<const KindRecord> kinds);
  // A training of this kind ended. A training that is known already by its uid counts once: after a
  // controller was stopped, or lost its lease, the next one sees the same end again. Beyond kMostKinds, the
  // kind whose last training ended longest ago is forgotten.
  void add(const std::string& kind, TrainingRecord record);

  // The number of trainings of this kind that ended.
  std::int64_t count(const std::string& kind) const;

  // The kinds that changed since setKept() was called. A kind that was forgotten since then comes without any
  // record.
  std::vector<KindRecord> changed() const;
  void setKept() { changed_.clear(); }

 private:
  void forgetOldest();

  std::map<std::string, KindRecord> kinds_;
  std::vector<std::string> byAge_;  // the kinds, in the order in which their last trainings ended
  std::set<std::string> changed_;
};

}  // namespace slaq::scheduler
