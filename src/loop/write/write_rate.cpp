#include "loop/write/write_rate.h"

#include <algorithm>

namespace slaq::loop {
namespace {

// Additive steps would need minutes until thousands of jobs are told in time.
constexpr double kFaster = 1.5;
constexpr double kSlower = 0.5;

// The rest of an epoch is for decisions and their actions.
constexpr double kMostOfAnEpoch = 0.25;

}  // namespace

// As many as a period allows, less what earlier epochs of it wrote.
void WriteRate::begin(Time now, Seconds epoch) {
  if (!period_ || now - *period_ >= epoch) {
    adapt(epoch);
    period_ = now;
    took_ = Seconds(0);
    written_ = 0;
    wantsMore_ = isUnanswered_ = false;
  }
  const double most = perSecond_ * epoch.count();
  const double more = perSecond_ * (now - begun_.value_or(now - epoch)).count();
  allowed_ = std::min(allowed_ + more, std::max(1.0, most));
  begun_ = now;
  epoch_ = epoch;
}

void WriteRate::adapt(Seconds epoch) {
  if (isUnanswered_ || took_ > 2 * kMostOfAnEpoch * epoch) {
    perSecond_ = std::max(kLeastWritesPerSecond, kSlower * perSecond_);
  } else if (wantsMore_ && took_ < kMostOfAnEpoch / kFaster * epoch) {
    perSecond_ = std::min(kMostWritesPerSecond, kFaster * perSecond_);
  }
}

bool WriteRate::allows(double count) {
  if (allowed_ >= count) return true;
  wantsMore_ = true;
  return false;
}

bool WriteRate::allowsWhatCanWait() const {
  return allowed_ >= 1 && written_ < kLeastWritesPerSecond * epoch_.count();
}

void WriteRate::take() {
  allowed_ -= 1;
  ++written_;
}

void WriteRate::add(Seconds took, bool answered) {
  took_ += took;
  if (!answered) isUnanswered_ = true;
}

}  // namespace slaq::loop
