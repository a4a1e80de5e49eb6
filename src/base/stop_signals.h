// The signals that ask a program to end, taken as a return value instead of in a handler: they wake the one
// thread that waits, and whatever runs is finished in order.
#pragma once

#include <signal.h>

#include <initializer_list>

#include "base/units.h"

namespace slaq {

class StopSignals {
 public:
  // Blocks them in this thread and in all that it starts from now on. To be made before any thread.
  explicit StopSignals(std::initializer_list<int> signals);

  // Waits for so long; true as soon as one of the signals has come.
  bool within(Seconds pause) const;

 private:
  sigset_t signals_;
};

}  // namespace slaq
