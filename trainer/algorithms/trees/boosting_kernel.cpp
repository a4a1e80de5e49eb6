#include "trainer/algorithms/trees/boosting_kernel.h"

#include <algorithm>
#include <utility>

#include "trainer/algorithms/trees/binned_rows.h"

namespace slaq::trainer::algorithms::trees {
namespace {

constexpr std::int64_t kCountedRows = 30'000;  // of all: quantiles need no more

struct Remembered final : Memory {
  BinnedRows rows;
};

Remembered& rememberedIn(std::unique_ptr<Memory>& memory) {
  if (!memory) memory = std::make_unique<Remembered>();
  return static_cast<Remembered&>(*memory);  // a kernel's memory is given to no other
}

data::Vector flattened(const std::vector<Histogram>& histograms, double loss) {
  std::size_t bins = 0;
  for (const Histogram& histogram : histograms) bins += histogram.size();
  data::Vector numbers(static_cast<Eigen::Index>(bins) * kSumsNumbers + 1);
  double* next = numbers.data();
  for (const Histogram& histogram : histograms) {
    for (const Sums& sums : histogram) {
      next[0] = sums.gradient, next[1] = sums.curvature, next[2] = sums.count;
      next += kSumsNumbers;
    }
  }
  *next = loss;
  return numbers;
}

}  // namespace

data::Vector BoostingKernel::partial(const data::Chunk& chunk, const data::Vector& state) const {
  std::unique_ptr<Memory> none;
  return partial(chunk, state, none);
}

data::Vector BoostingKernel::partial(const data::Chunk& chunk, const data::Vector& state,
                                     std::unique_ptr<Memory>& memory) const {
  const BoostingRound asked = readRound(state);
  if (const auto* counting = std::get_if<CountingRound>(&asked)) return count(chunk, *counting);
  const auto& round = std::get<GrowingRound>(asked);
  BinnedRows& rows = rememberedIn(memory).rows;
  rows.follow(chunk.features, round, settings_.rules.bins);
  const Derivatives by = derivatives(settings_.loss, rows.predictions(), chunk.targets);
  const double loss = round.level == 0 ? lossSum(settings_.loss, rows.predictions(), chunk.targets) : 0;
  return flattened(rows.histograms(round, by, settings_.rules.bins), loss);
}

data::Vector BoostingKernel::count(const data::Chunk& chunk, const CountingRound& round) const {
  const Eigen::Index stride = std::max<std::int64_t>(1, settings_.rows / kCountedRows);
  const auto width = static_cast<Eigen::Index>(kCells);
  data::Vector counts = data::Vector::Zero(chunk.features.cols() * width + 1);
  for (Eigen::Index i = 0; i < chunk.features.rows(); i += stride) {
    for (Eigen::Index f = 0; f < chunk.features.cols(); ++f) {
      const std::size_t cell = cellOf(round.cells[static_cast<std::size_t>(f)], chunk.features(i, f));
      ++counts[f * width + static_cast<Eigen::Index>(cell)];
    }
  }
  for (const float target : chunk.targets) counts[counts.size() - 1] += meanable(settings_.loss, target);
  return counts;
}

}  // namespace slaq::trainer::algorithms::trees
