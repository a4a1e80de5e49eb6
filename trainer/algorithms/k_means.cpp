#include "trainer/algorithms/k_means.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "trainer/data/random.h"

namespace slaq::trainer {
namespace {

using Centres = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr std::array kSettings{
    Setting{.name = "clusters",
            .help = "clusters to find",
            .kind = Setting::Kind::Whole,
            .required = true,
            .least = 1},
};

// The numbers 0 to count - 1 in random order.
std::vector<std::int64_t> shuffled(std::int64_t count, Random& random) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  for (std::int64_t i = count - 1; i > 0; --i) {
    std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(random.below(i + 1))]);
  }
  return order;
}

// Rows of the data, none twice, out of as few chunks as give a fair sample: making rows is not for nothing.
Matrix firstCentres(const Problem& problem, const Source& source) {
  constexpr std::int64_t kChunks = 8;
  Random random(problem.seed, Purpose::FirstState);
  Matrix centres(problem.settings.whole("clusters"), problem.features);
  const std::int64_t asked = std::min(kChunks, problem.chunks);
  const std::int64_t share = (centres.rows() + asked - 1) / asked;
  Eigen::Index found = 0;
  for (const std::int64_t index : shuffled(problem.chunks, random)) {
    if (found == centres.rows()) break;
    const Chunk chunk = source.chunk(index);
    auto order = shuffled(chunk.features.rows(), random);
    order.resize(std::min<std::size_t>(order.size(),
                                       static_cast<std::size_t>(std::min(share, centres.rows() - found))));
    for (const std::int64_t row : order) centres.row(found++) = chunk.features.row(row);
  }
  return centres;
}

// The state is the centres, row by row. A partial result: for each centre the sum of the rows nearest to
// it, then the number of those rows for each centre, then the sum of the squared distances.
class KMeans final : public Algorithm {
 public:
  KMeans(const Problem& problem, const Source& source)
      : rows_(static_cast<double>(problem.rows)),
        clusters_(problem.settings.whole("clusters")),
        features_(problem.features),
        state_(firstCentres(problem, source).reshaped<Eigen::RowMajor>().cast<double>()) {}

  const Vector& state() const override { return state_; }
  Eigen::Index partialSize() const override { return state_.size() + clusters_ + 1; }

  Outcome fold(const Vector& total) override {
    const Vector before = state_;
    for (Eigen::Index c = 0; c < clusters_; ++c) {
      const double count = total[state_.size() + c];
      if (count == 0) continue;  // nothing is near: the centre stays
      const Eigen::Index first = c * features_;
      state_.segment(first, features_) = total.segment(first, features_) / count;
    }
    return {total[total.size() - 1] / rows_, state_ == before};
  }

  void archive(Archive& fields) override { fields("centres", state_); }

 private:
  double rows_;
  Eigen::Index clusters_;
  Eigen::Index features_;
  Vector state_;
};

class KMeansKernel final : public Kernel {
 public:
  explicit KMeansKernel(const Problem& problem)
      : clusters_(problem.settings.whole("clusters")), features_(problem.features) {}

  Vector partial(const Chunk& chunk, const Vector& state) const override {
    const Matrix centres = Eigen::Map<const Centres>(state.data(), clusters_, features_).cast<float>();
    const Eigen::RowVectorXf halfNorms = 0.5f * centres.rowwise().squaredNorm().transpose();
    Vector sums = Vector::Zero(state.size() + clusters_ + 1);
    forEachSlice(chunk.features.rows(), [&](Eigen::Index first, Eigen::Index count) {
      const auto rows = chunk.features.middleRows(first, count);
      // The nearest centre c has the largest x.c - c.c/2.
      Matrix closeness = rows * centres.transpose();
      closeness.rowwise() -= halfNorms;
      for (Eigen::Index i = 0; i < count; ++i) {
        Eigen::Index nearest = 0;
        closeness.row(i).maxCoeff(&nearest);
        add(rows.row(i), centres.row(nearest), nearest, sums);
      }
    });
    return sums;
  }

 private:
  template <class Row, class Centre>
  void add(const Row& row, const Centre& centre, Eigen::Index nearest, Vector& sums) const {
    sums.segment(nearest * features_, features_) += row.transpose().template cast<double>();
    sums[clusters_ * features_ + nearest] += 1;
    sums[sums.size() - 1] += (row - centre).squaredNorm();
  }

  Eigen::Index clusters_;
  Eigen::Index features_;
};

}  // namespace

std::span<const Setting> kMeansSettings() { return kSettings; }

double kMeansNumbers(const Problem& problem) {
  return (problem.settings.number("clusters") + 1) * static_cast<double>(problem.features + 1);
}

Result<void> validateKMeans(const Problem& problem) {
  if (problem.settings.whole("clusters") <= problem.rows) return {};
  return failure(ErrorKind::Invalid,
                 "--clusters must be at most the number of rows, " + std::to_string(problem.rows));
}

std::unique_ptr<Algorithm> makeKMeans(const Problem& problem, const Source& source) {
  return std::make_unique<KMeans>(problem, source);
}

std::unique_ptr<Kernel> makeKMeansKernel(const Problem& problem) {
  return std::make_unique<KMeansKernel>(problem);
}

}  // namespace slaq::trainer
