#include "trainer/algorithms/minibatch.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "trainer/data/random.h"

namespace slaq::trainer::algorithms {
namespace {

// Multiples of a stride that has no divisor in common with their number visit all rows.
class Order {
 public:
  Order(std::uint64_t seed, std::int64_t epoch, std::int64_t rows) : rows_(rows) {
    data::Random random(seed, data::Purpose::Batch, epoch);
    start_ = random.below(rows);
    do {
      stride_ = 1 + random.below(rows);
    } while (std::gcd(stride_, rows) != 1);
  }

  std::int64_t operator[](std::int64_t position) const { return (start_ + position * stride_) % rows_; }

 private:
  std::int64_t rows_;
  std::int64_t start_ = 0;
  std::int64_t stride_ = 1;
};

}  // namespace

std::vector<Eigen::Index> Batches::pick(Eigen::Index rows, std::int64_t iteration) const {
  const auto size = std::clamp<std::int64_t>(std::llround(share * static_cast<double>(rows)), 1, rows);
  std::vector<Eigen::Index> picked;
  if (size == rows) {
    picked.resize(static_cast<std::size_t>(rows));
    std::iota(picked.begin(), picked.end(), 0);
    return picked;
  }
  std::int64_t position = iteration * size;
  while (static_cast<std::int64_t>(picked.size()) < size) {
    const Order order(seed, position / rows, rows);
    do {
      picked.push_back(order[position % rows]);
    } while (++position % rows != 0 && static_cast<std::int64_t>(picked.size()) < size);
  }
  return picked;
}

}  // namespace slaq::trainer::algorithms
