// The signals that ask a program to end, taken as a return value instead of in a handler: they wake a thread
// that waits, so that the program can finish in order.
#pragma once

#include <signal.h>

#include <initializer_list>

#include "base/units.h"

namespace slaq {

class StopSignals {
 public:
  // Blocks the signals in this thread and in all that it starts. A SIGHUP that is ignored stays so, as nohup
  // wants it. REQUIRES: no other thread runs yet.
  explicit StopSignals(std::initializer_list<int> signals);

  // Waits for at most the given time; true as soon as one of the signals has come. Any thread may
  // call it; of several that wait one is told.
  bool within(Seconds pause) const;

 private:
  sigset_t signals_;
};

}  // namespace slaq
