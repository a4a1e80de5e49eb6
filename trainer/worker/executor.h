// The worker's executor: it computes one chunk after the other on a thread of its own. The rows of a chunk
// are made when they are first needed, or supplied, and kept until they are dropped.
#pragma once

#include <boost/asio/thread_pool.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "base/result.h"
#include "trainer/algorithms/algorithm.h"
#include "trainer/data/source.h"
#include "trainer/problem/problem.h"

namespace slaq::trainer::worker {

class Executor {
 public:
  struct PartialResult {
    data::Vector partial;
    double cpuSeconds = 0;
  };
  using Finished = std::function<void(PartialResult)>;

  // Takes up a problem; whether rows that were made for the same problem are still there. An error if it
  // cannot be computed here.
  Result<bool> prepare(const problem::Problem& problem);
  // Gives the executor the rows of a chunk that it cannot make itself. To be called before the first task for
  // it.
  void supply(data::Chunk chunk);
  void drop(std::int64_t chunk);

  struct Task {
    std::int64_t chunk = 0;
    std::shared_ptr<const data::Vector> state;
  };

  // Computes the chunk's partial result and calls `finished` on the computing thread.
  // REQUIRES: prepare() succeeded.
  void compute(Task task, Finished finished);

 private:
  // A problem's rows outlive a change of the problem while they are computed with.
  struct Kept {
    data::Chunk rows;
    std::unique_ptr<algorithms::Memory> memory;
  };
  struct PreparedProblem {
    std::unique_ptr<data::Source> source;  // null if all rows are supplied
    std::unique_ptr<algorithms::Kernel> kernel;
    std::map<std::int64_t, Kept> chunks;  // the computing thread's
  };

  static PartialResult computePartial(PreparedProblem& prepared, const Task& task);

  std::optional<problem::Problem> problem_;
  std::shared_ptr<PreparedProblem> prepared_;
  boost::asio::thread_pool thread_{1};
};

}  // namespace slaq::trainer::worker
