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
  // So much is kept: together no more than an object of Kubernetes may hold.
  static constexpr std::size_t kMostKinds = 100;
  static constexpr std::size_t kMostOfAKind = 5;

  // What was kept before this process came.
  void restore(std::span<const KindRecord> kinds);
  // A training of this kind ended. One that is known already by its uid counts once: where a controller was
  // stopped, or lost its lease, the next one sees the same end again. A kind too many takes the place of the
  // one of which none ended for longest.
  void add(const std::string& kind, TrainingRecord record);

  // How many of this kind ended.
  std::int64_t count(const std::string& kind) const;

  // The kinds that changed since setKept() was called; those that are forgotten now come without any record.
  std::vector<KindRecord> changed() const;
  void setKept() { changed_.clear(); }

 private:
  void forgetOldest();

  std::map<std::string, KindRecord> kinds_;
  std::vector<std::string> byAge_;  // the kinds; the one of which a training ended last comes last
  std::set<std::string> changed_;
};

}  // namespace slaq::scheduler
