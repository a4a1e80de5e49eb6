#include "trainer/data/generators/mixture.h"

#include <array>

#include "trainer/data/random.h"

namespace slaq::trainer::data::generators {
namespace {

constexpr std::array kMixtureSettings{
    problem::Setting{.name = "clusters",
                     .help = "clusters to find, and to make the data of",
                     .kind = problem::Setting::Kind::Whole,
                     .required = true,
                     .least = 1},
    problem::Setting{.name = "noise", .help = "spread of a cluster; at 1 neighbours overlap", .usual = "1"},
};

class Mixture final : public Source {
 public:
  explicit Mixture(const problem::Problem& problem)
      : problem_(problem),
        noise_(static_cast<float>(problem.settings.number("noise"))),
        centres_(problem.settings.whole("clusters"), problem.features) {
    Random random(problem.seed, Purpose::Truth);
    for (float& value : centres_.reshaped<Eigen::RowMajor>()) value = random.bell();
  }

  Chunk chunk(std::int64_t index) const override {
    Random random(problem_.seed, Purpose::Data, index);
    const problem::RowRange range = problem::rowsOf(problem_, index);
    Chunk chunk{index, Matrix(range.count, problem_.features), Floats(range.count), {}};
    for (Eigen::Index i = 0; i < range.count; ++i) {
      const std::int64_t cluster = random.below(centres_.rows());
      chunk.targets[i] = static_cast<float>(cluster);
      chunk.features.row(i) = centres_.row(cluster);
      for (float& value : chunk.features.row(i)) value += noise_ * random.bell();
    }
    return chunk;
  }

 private:
  problem::Problem problem_;
  float noise_;
  Matrix centres_;
};

}  // namespace

std::span<const problem::Setting> mixtureSettings() { return kMixtureSettings; }

std::unique_ptr<Source> makeMixture(const problem::Problem& problem) {
  return std::make_unique<Mixture>(problem);
}

}  // namespace slaq::trainer::data::generators
