#include "trainer/workshop.h"

#include <time.h>

#include <boost/asio/post.hpp>
#include <utility>

#include "trainer/algorithms/registry.h"

namespace slaq::trainer {
namespace {

double cpuSecondsOfThisThread() {
  timespec used{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

}  // namespace

Result<void> Workshop::prepare(const Problem& problem) {
  if (problem_ == problem) return {};
  const auto entry = entryFor(problem);
  if (!entry) return failure(entry.error());
  bench_ = std::make_shared<Bench>(Bench{makeSource(problem), entry->makeKernel(problem), {}});
  problem_ = problem;
  return {};
}

void Workshop::compute(Order order, Finished finished) {
  boost::asio::post(thread_, [bench = bench_, order = std::move(order), finished = std::move(finished)] {
    finished(make(*bench, order));
  });
}

Workshop::Product Workshop::make(Bench& bench, const Order& order) {
  const double before = cpuSecondsOfThisThread();
  std::erase_if(bench.chunks,
                [&](const auto& kept) { return kept.second.round + kKeptRounds < order.round; });
  auto found = bench.chunks.find(order.chunk);
  if (found == bench.chunks.end()) {
    found = bench.chunks.emplace(order.chunk, Kept{bench.source->chunk(order.chunk), nullptr, 0}).first;
  }
  found->second.round = order.round;
  Kept& kept = found->second;
  Vector partial = bench.kernel->partial(kept.rows, *order.state, kept.memory);
  return {std::move(partial), cpuSecondsOfThisThread() - before};
}

}  // namespace slaq::trainer
