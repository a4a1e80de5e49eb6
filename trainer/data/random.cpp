#include "trainer/data/random.h"

#include <numbers>

namespace slaq::trainer::data {
namespace {

std::mt19937_64 seeded(std::uint64_t seed, Purpose purpose, std::int64_t index) {
  std::seed_seq sequence{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32),
                         static_cast<std::uint32_t>(purpose), static_cast<std::uint32_t>(index)};
  return std::mt19937_64(sequence);
}

}  // namespace

Random::Random(std::uint64_t seed, Purpose purpose, std::int64_t index)
    : engine_(seeded(seed, purpose, index)) {}

double Random::uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

std::int64_t Random::below(std::int64_t bound) {
  return static_cast<std::int64_t>(uniform() * static_cast<double>(bound));
}

float Random::bell() {
  const std::uint64_t bits = engine_();
  const auto lane = [bits](int shift) { return static_cast<std::int32_t>((bits >> shift) & 0xffff); };
  const std::int32_t sum = lane(0) + lane(16) + lane(32) + lane(48) - 2 * 0xffff;
  constexpr float kScale = std::numbers::sqrt3_v<float> / 0x1p16f;  // a lane's variance is 2^32 / 12
  return static_cast<float>(sum) * kScale;
}

Eigen::VectorXd Random::bells(Eigen::Index count) {
  Eigen::VectorXd numbers(count);
  for (double& number : numbers) number = bell();
  return numbers;
}

}  // namespace slaq::trainer::data
