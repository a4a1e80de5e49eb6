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
  bench_ = std::make_shared<Bench>(Bench{entry->makeKernel(problem), {}});
  problem_ = problem;
  return {};
}

void Workshop::compute(std::int64_t chunk, std::shared_ptr<const Vector> state, Finished finished) {
  boost::asio::post(thread_, [bench = bench_, chunk, state = std::move(state), finished = std::move(finished)] {
    finished(make(*bench, chunk, *state));
  });
}

Workshop::Product Workshop::make(Bench& bench, std::int64_t chunk, const Vector& state) {
  const double before = cpuSecondsOfThisThread();
  auto found = bench.chunks.find(chunk);
  if (found == bench.chunks.end()) {
    found = bench.chunks.emplace(chunk, bench.kernel->generate(chunk)).first;
  }
  Vector partial = bench.kernel->partial(found->second, state);
  return {std::move(partial), cpuSecondsOfThisThread() - before};
}

}  // namespace slaq::trainer
