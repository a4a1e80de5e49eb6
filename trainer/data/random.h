// Random numbers that depend on a seed, a purpose and an index alone and are made by integer arithmetic, so
// that every machine draws the same.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <random>

namespace slaq::trainer::data {

// Streams of different purposes or indexes are independent.
enum class Purpose : std::uint32_t { Truth, Data, FirstState, Batch };

class Random {
 public:
  Random(std::uint64_t seed, Purpose purpose, std::int64_t index = 0);

  double uniform();  // in [0, 1)
  std::int64_t below(std::int64_t bound);
  // Bell-shaped, mean 0, variance 1: the sum of four uniform numbers, far cheaper than an exact normal
  // and as good for making data.
  float bell();
  Eigen::VectorXd bells(Eigen::Index count);

 private:
  std::mt19937_64 engine_;
};

}  // namespace slaq::trainer::data
