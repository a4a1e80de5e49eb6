#include "scheduler/runtime/training_records.h"

#include <algorithm>
#include <utility>

namespace slaq::scheduler {
namespace {

// The record of the same training; the end if there is none.
auto sameIn(std::vector<TrainingRecord>& records, const TrainingRecord& record) {
  if (record.uid.empty()) return records.end();
  return std::ranges::find(records, record.uid, &TrainingRecord::uid);
}

}  // namespace

// The restored records are older than those that were added meanwhile.
void TrainingRecords::restore(std::span<const KindRecord> kinds) {
  std::vector<std::pair<std::int64_t, std::string>> older;
  for (const KindRecord& each : kinds) {
    auto [entry, isNew] = kinds_.try_emplace(each.kind, each);
    if (isNew) {
      older.emplace_back(each.newest.empty() ? 0 : each.newest.back().ended, each.kind);
      continue;
    }
    KindRecord& known = entry->second;
    known.trainings += each.trainings;
    std::vector<TrainingRecord> restored = each.newest;
    for (const TrainingRecord& record : known.newest) {
      const auto same = sameIn(restored, record);
      if (same == restored.end()) continue;
      restored.erase(same);
      --known.trainings;
    }
    known.newest.insert(known.newest.begin(), restored.begin(), restored.end());
    while (known.newest.size() > kMostOfAKind) known.newest.erase(known.newest.begin());
  }
  std::ranges::stable_sort(older, {}, &std::pair<std::int64_t, std::string>::first);
  for (std::size_t i = older.size(); i-- > 0;) byAge_.insert(byAge_.begin(), older[i].second);
  while (kinds_.size() > kMostKinds) forgetOldest();
}

void TrainingRecords::add(const std::string& kind, TrainingRecord record) {
  KindRecord& known = kinds_[kind];
  known.kind = kind;
  const auto same = sameIn(known.newest, record);
  if (same != known.newest.end()) {
    *same = std::move(record);
    changed_.insert(kind);
    return;
  }
  ++known.trainings;
  known.newest.push_back(std::move(record));
  if (known.newest.size() > kMostOfAKind) known.newest.erase(known.newest.begin());
  std::erase(byAge_, kind);
  byAge_.push_back(kind);
  changed_.insert(kind);
  if (kinds_.size() > kMostKinds) forgetOldest();
}

void TrainingRecords::forgetOldest() {
  changed_.insert(byAge_.front());
  kinds_.erase(byAge_.front());
  byAge_.erase(byAge_.begin());
}

std::int64_t TrainingRecords::count(const std::string& kind) const {
  const auto known = kinds_.find(kind);
  return known == kinds_.end() ? 0 : known->second.trainings;
}

std::vector<KindRecord> TrainingRecords::changed() const {
  std::vector<KindRecord> changed;
  for (const auto& kind : changed_) {
    const auto known = kinds_.find(kind);
    changed.push_back(known == kinds_.end() ? KindRecord{.kind = kind} : known->second);
  }
  return changed;
}

}  // namespace slaq::scheduler
