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

Result<bool> Executor::prepare(const problem::Problem& problem) {
  if (problem_ == problem && prepared_->source) return true;
  const auto entry = registry::entryFor(problem);
  if (!entry) return failure(entry.error());
  prepared_ = std::make_shared<PreparedProblem>(
      PreparedProblem{registry::makeSource(problem), entry->makeKernel(problem), {}});
  problem_ = problem;
  return false;
}

void Executor::supply(data::Chunk chunk) {
  boost::asio::post(thread_, [prepared = prepared_, chunk = std::move(chunk)]() mutable {
    const std::int64_t index = chunk.index;
    prepared->chunks[index] = {std::move(chunk), nullptr};
  });
}

void Executor::drop(std::int64_t chunk) {
  boost::asio::post(thread_, [prepared = prepared_, chunk] { prepared->chunks.erase(chunk); });
}

void Executor::compute(Task task, Finished finished) {
  boost::asio::post(thread_, [prepared = prepared_, task = std::move(task), finished = std::move(finished)] {
    finished(computePartial(*prepared, task));
  });
}

Executor::PartialResult Executor::computePartial(PreparedProblem& prepared, const Task& task) {
  const double before = cpuSecondsOfThisThread();
  auto found = prepared.chunks.find(task.chunk);
  if (found == prepared.chunks.end()) {
    if (!prepared.source) return {};  // its driver sends such a worker away
    found = prepared.chunks.emplace(task.chunk, Kept{prepared.source->chunk(task.chunk), nullptr}).first;
  }
  Kept& kept = found->second;
  data::Vector partial = prepared.kernel->partial(kept.rows, *task.state, kept.memory);
  return {std::move(partial), cpuSecondsOfThisThread() - before};
}

}  // namespace slaq::trainer::worker
