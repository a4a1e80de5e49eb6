#include "trainer/algorithms/clustering/initial_centres.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "trainer/data/random.h"

namespace slaq::trainer::algorithms::clustering {
namespace {

// The numbers 0 to count - 1 in random order.
std::vector<std::int64_t> shuffled(std::int64_t count, data::Random& random) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  for (std::int64_t i = count - 1; i > 0; --i) {
    std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(random.below(i + 1))]);
  }
  return order;
}

}  // namespace

// The rows come out of as few chunks as give a fair sample, because making the rows of a chunk takes time.
data::Matrix initialCentres(const problem::Problem& problem, const data::Source& source) {
  constexpr std::int64_t kChunks = 8;
  data::Random random(problem.seed, data::Purpose::FirstState);
  data::Matrix centres(problem.settings.whole("clusters"), problem.features);
  const std::int64_t asked = std::min(kChunks, problem.chunks);
  const std::int64_t share = (centres.rows() + asked - 1) / asked;
  Eigen::Index found = 0;
  for (const std::int64_t index : shuffled(problem.chunks, random)) {
    if (found == centres.rows()) break;
    const data::Chunk chunk = source.chunk(index);
    auto order = shuffled(chunk.features.rows(), random);
    order.resize(std::min<std::size_t>(order.size(),
                                       static_cast<std::size_t>(std::min(share, centres.rows() - found))));
    for (const std::int64_t row : order) centres.row(found++) = chunk.features.row(row);
  }
  return centres;
}

}  // namespace slaq::trainer::algorithms::clustering
