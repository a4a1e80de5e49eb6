#include "kube/queues/growths.h"

#include <algorithm>

namespace slaq::kube::queues {
namespace {

// Kueue admits a growth for which there is quota within a second. Workers that come much later come into
// another situation than that of the decision.
constexpr Seconds kLongestGrowth{10};
constexpr Seconds kFirstPause{30};     // after a growth that was not admitted
constexpr Seconds kLongestPause{300};  // each pause is twice as long as the one before
// As above, after a growth that failed, for which the job was stopped.
constexpr Seconds kLongestPauseOfFailed{3600};

}  // namespace

void Growths::setInVain(Growth& growth, Time now, Seconds longestPause) {
  growth.pause = std::clamp(2 * growth.pause, kFirstPause, longestPause);
  growth.until = now + growth.pause;
}

void Growths::note(const std::string& uid, const Slices& slices, Time now) {
  Growth& growth = growths_[uid];
  const Workload& current = *slices.current;
  if (slices.growth) {
    if (growth.uid != slices.growth->uid)
      growth = {slices.growth->uid, now, growth.pause, std::nullopt, growth.failed};
    if (!growth.until && now - growth.since >= kLongestGrowth)
      setInVain(growth, now, std::max(kLongestPause, growth.pause));
  } else if (isFailedGrowth(current)) {
    if (growth.failed == current.uid) return;
    setInVain(growth, now, kLongestPauseOfFailed);
    growth.uid.clear();
    growth.failed = current.uid;
  } else if (growth.uid == current.uid && current.admitted) {
    growth = {};
  }
}

bool Growths::mayGrow(const std::string& uid, const Slices& slices, Time now) const {
  const auto found = growths_.find(uid);
  if (found == growths_.end() || !found->second.until) return true;
  return !slices.growth && now >= *found->second.until;
}

void Growths::retain(const std::map<std::string, std::string>& jobs) {
  std::erase_if(growths_, [&](const auto& each) { return !jobs.contains(each.first); });
}

}  // namespace slaq::kube::queues
