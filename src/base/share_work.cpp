#include "base/share_work.h"

#include <algorithm>
#include <atomic>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <latch>
#include <thread>

namespace slaq {
namespace {

// So many at a time are taken by whoever is free.
constexpr std::size_t kBlock = 64;

std::size_t coresHere() { return std::max(1u, std::thread::hardware_concurrency()); }

// Threads that wait for work: to wake one takes half the time that it takes to start and end one.
boost::asio::thread_pool& helpers() {
  static boost::asio::thread_pool pool(coresHere());
  return pool;
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
  const std::size_t others = std::max<std::size_t>(threads, 1) - 1;
  std::latch left(static_cast<std::ptrdiff_t>(others));
  for (std::size_t i = 0; i < others; ++i) {
    boost::asio::post(helpers(), [&] {
      takePart();
      left.count_down();
    });
  }
  takePart();
  left.wait();
}

}  // namespace slaq
