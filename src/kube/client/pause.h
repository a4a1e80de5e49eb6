// A sleep that ends when the thread is asked to stop.
#pragma once

#include <condition_variable>
#include <mutex>
#include <stop_token>

#include "base/units.h"

namespace slaq::kube::client {

inline void pauseFor(Seconds duration, std::stop_token stop) {
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  never.wait_for(lock, stop, duration, [] { return false; });
}

}  // namespace slaq::kube::client
