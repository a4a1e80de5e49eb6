#include "loop/write/concurrent_writes.h"

#include <algorithm>
#include <mutex>
#include <thread>
#include <vector>

namespace slaq::loop {

void sendConcurrently(const ConcurrentWrites& writes, std::size_t atOnce) {
  std::mutex mutex;
  std::size_t next = 0;
  const auto sendAll = [&] {
    std::unique_lock lock(mutex);
    while (next < writes.count) {
      const std::size_t write = next++;
      if (!writes.begin(write)) continue;
      lock.unlock();
      writes.send(write);
      lock.lock();
      writes.end(write);
    }
  };
  std::vector<std::jthread> others;
  for (std::size_t n = 1; n < std::min(atOnce, writes.count); ++n) others.emplace_back(sendAll);
  sendAll();
}

}  // namespace slaq::loop
