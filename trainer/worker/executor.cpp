#include "trainer/worker/executor.h"

#include <time.h>

#include <boost/asio/post.hpp>
#include <utility>

#include "trainer/registry/complete_problem.h"

namespace slaq::trainer::worker {
namespace {

double cpuSecondsOfThisThread() {
  timespec used{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

}  // namespace

Result<bool> Workshop::prepare(const problem::Problem& problem) {
  if (problem_ == problem && bench_->source) return true;
  const auto entry = registry::entryFor(problem);
  if (!entry) return failure(entry.error());
  bench_ = std::make_shared<Bench>(Bench{registry::makeSource(problem), entry->makeKernel(problem), {}});
  problem_ = problem;
  return false;
}

void Workshop::supply(data::Chunk chunk) {
  boost::asio::post(thread_, [bench = bench_, chunk = std::move(chunk)]() mutable {
    const std::int64_t index = chunk.index;
    bench->chunks[index] = {std::move(chunk), nullptr};
  });
}

void Workshop::drop(std::int64_t chunk) {
  boost::asio::post(thread_, [bench = bench_, chunk] { bench->chunks.erase(chunk); });
}

void Workshop::compute(Order order, Finished finished) {
  boost::asio::post(thread_, [bench = bench_, order = std::move(order), finished = std::move(finished)] {
    finished(make(*bench, order));
  });
}

Workshop::Product Workshop::make(Bench& bench, const Order& order) {
  const double before = cpuSecondsOfThisThread();
  auto found = bench.chunks.find(order.chunk);
  if (found == bench.chunks.end()) {
    if (!bench.source) return {};  // its driver sends such a worker away
    found = bench.chunks.emplace(order.chunk, Kept{bench.source->chunk(order.chunk), nullptr}).first;
  }
  Kept& kept = found->second;
  data::Vector partial = bench.kernel->partial(kept.rows, *order.state, kept.memory);
  return {std::move(partial), cpuSecondsOfThisThread() - before};
}

}  // namespace slaq::trainer::worker
