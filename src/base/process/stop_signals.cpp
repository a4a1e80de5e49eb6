#include "base/process/stop_signals.h"

#include <pthread.h>

#include <algorithm>
#include <cmath>
#include <ctime>

namespace slaq {

StopSignals::StopSignals(std::initializer_list<int> signals) {
  sigemptyset(&signals_);
  for (const int each : signals) sigaddset(&signals_, each);
  pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
}

bool StopSignals::within(Seconds pause) const {
  const double seconds = std::max(0.0, pause.count());
  const double whole = std::floor(seconds);
  const timespec timeout{static_cast<time_t>(whole), static_cast<long>((seconds - whole) * 1e9)};
  return sigtimedwait(&signals_, nullptr, &timeout) > 0;
}

}  // namespace slaq
