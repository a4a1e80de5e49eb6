#include "base/share_work.h"

#include <algorithm>
#include <atomic>
#include <future>
#include <system_error>
#include <thread>
#include <vector>

namespace slaq {
namespace {

// So many at a time are taken by whoever is free.
constexpr std::size_t kBlock = 64;

}  // namespace

std::size_t threadsFor(std::size_t count, std::size_t each) {
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  return std::clamp<std::size_t>(count / each, 1, cores);
}

void shareWork(std::size_t count, std::size_t threads,
               const std::function<void(std::size_t begin, std::size_t end)>& work) {
  std::atomic<std::size_t> taken = 0;
  const auto takePart = [&] {
    for (std::size_t i = taken.fetch_add(kBlock); i < count; i = taken.fetch_add(kBlock)) {
      work(i, std::min(i + kBlock, count));
    }
  };
  std::vector<std::future<void>> others;  // waited for at the end
  try {
    while (others.size() + 1 < threads) others.push_back(std::async(std::launch::async, takePart));
  } catch (const std::system_error&) {
  }
  takePart();
  for (auto& other : others) other.get();
}

}  // namespace slaq
