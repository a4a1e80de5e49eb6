#include "base/share_work.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <latch>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace slaq {
namespace {

// The number of items that a free thread takes at a time.
constexpr std::size_t kBlock = 64;

std::size_t coresHere() { return std::max(1u, std::thread::hardware_concurrency()); }

// Threads that wait for work, one for each core but the calling thread's. Waking a thread takes half of the
// time of starting and ending one.
class Helpers {
 public:
  Helpers() {
    try {
      while (threads_.size() + 1 < coresHere()) {
        threads_.emplace_back([this](const std::stop_token& stop) { run(stop); });
      }
    } catch (const std::system_error&) {
    }
  }

  std::size_t size() const { return threads_.size(); }

  void post(std::function<void()> task) {
    {
      const std::lock_guard lock(mutex_);
      tasks_.push_back(std::move(task));
    }
    wake_.notify_one();
  }

 private:
  void run(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (wake_.wait(lock, stop, [&] { return !tasks_.empty(); })) {
      const auto task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::deque<std::function<void()>> tasks_;
  std::vector<std::jthread> threads_;  // the last member: they use the others until they end
};

Helpers& helpers() {
  static Helpers all;
  return all;
}

}  // namespace

std::size_t threadsFor(std::size_t count, std::size_t each) {
  return std::clamp<std::size_t>(count / each, 1, coresHere());
}

void shareWork(std::size_t count, std::size_t threads,
               const std::function<void(std::size_t begin, std::size_t end)>& work) {
  std::atomic<std::size_t> taken = 0;
  const auto takePart = [&] {
    for (std::size_t i = taken.fetch_add(kBlock); i < count; i = taken.fetch_add(kBlock)) {
      work(i, std::min(i + kBlock, count));
    }
  };
  const std::size_t others = threads > 1 ? std::min(threads - 1, helpers().size()) : 0;
  std::latch left(static_cast<std::ptrdiff_t>(others));
  for (std::size_t i = 0; i < others; ++i) {
    helpers().post([&] {
      takePart();
      left.count_down();
    });
  }
  takePart();
  left.wait();
}

}  // namespace slaq
