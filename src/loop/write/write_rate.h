// How many statuses an epoch may write: more a second as long as the server answers in time, fewer once it
// does not.
#pragma once

#include <optional>

#include "base/units.h"

namespace slaq::loop {

inline constexpr double kLeastWritesPerSecond = 5;
inline constexpr double kMostWritesPerSecond = 1000;

// One thread owns it.
class WriteRate {
 public:
  // An epoch begins; some are early. The rate follows from what was wanted and taken in a period, the time
  // from one regular epoch to the next.
  void begin(Time now, Seconds epoch);

  // Whether that many more may be written; a negative number is what may be owed to later epochs.
  bool allows(double count);
  // What can wait is written at the lowest rate only.
  bool allowsWhatCanWait() const;
  // A write begins.
  void take();
  // A write is over. `took` is its part of the time that writing takes: of several at a time each has its
  // share.
  void add(Seconds took, bool answered);

 private:
  void adapt(Seconds epoch);

  double perSecond_ = kLeastWritesPerSecond;
  double allowed_ = 0;
  std::optional<Time> begun_;
  Seconds epoch_{1};
  // Of this period:
  std::optional<Time> period_;
  Seconds took_{0};
  int written_ = 0;
  bool wantsMore_ = false;
  bool isUnanswered_ = false;
};

}  // namespace slaq::loop
