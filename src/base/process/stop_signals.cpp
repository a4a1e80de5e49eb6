#include "base/process/stop_signals.h"

#include <pthread.h>

#include <algorithm>
#include <cmath>
#include <ctime>

namespace slaq {

StopSignals::StopSignals(std::initializer_list<int> signals) {
  sigemptyset(&signals_);
  for (const int each : signals) {
    // nohup ignores SIGHUP, and a blocked signal would come all the same. A shell ignores SIGINT for what it
    // runs in the background; whoever sends that one means it.
    struct sigaction before {};
    const bool isIgnored = ::sigaction(each, nullptr, &before) == 0 && before.sa_handler == SIG_IGN;
    if (each != SIGHUP || !isIgnored) sigaddset(&signals_, each);
  }
  pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
}

bool StopSignals::within(Seconds pause) const {
  const double seconds = std::max(0.0, pause.count());
  const double whole = std::floor(seconds);
  const timespec timeout{static_cast<time_t>(whole), static_cast<long>((seconds - whole) * 1e9)};
  return sigtimedwait(&signals_, nullptr, &timeout) > 0;
}

}  // namespace slaq
