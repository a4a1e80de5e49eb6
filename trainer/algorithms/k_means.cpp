#include "trainer/algorithms/k_means.h"

#include <limits>

#include "trainer/algorithms/features.h"
#include "trainer/algorithms/random.h"

namespace slaq::trainer {
namespace {

using Centres = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Where the data come from: clusters of equal weight, their centres as far apart as twice a cluster's
// standard deviation in each feature, so that with a noise of 1 neighbours overlap.
class Mixture {
 public:
  explicit Mixture(const Problem& problem)
      : noise_(static_cast<float>(problem.noise)), centres_(problem.clusters, problem.features) {
    Random random(problem.seed, Purpose::Truth);
    for (float& value : centres_.reshaped<Eigen::RowMajor>()) value = random.bell();
  }

  template <class Row>
  void draw(Random& random, Row row) const {
    row = centres_.row(random.below(centres_.rows()));
    for (float& value : row) value += noise_ * random.bell();
  }

 private:
  float noise_;
  Matrix centres_;
};

// The state is the centres, row by row. A partial result: for each centre the sum of the rows nearest to
// it, then the number of those rows for each centre, then the sum of the squared distances.
class KMeans final : public Algorithm {
 public:
  explicit KMeans(const Problem& problem) : problem_(problem), state_(problem.clusters * problem.features) {
    const Mixture mixture(problem);
    Random random(problem.seed, Purpose::FirstState);
    Matrix first(problem.clusters, problem.features);
    for (Eigen::Index i = 0; i < first.rows(); ++i) mixture.draw(random, first.row(i));
    state_ = first.reshaped<Eigen::RowMajor>().cast<double>();
  }

  const Vector& state() const override { return state_; }
  Eigen::Index partialSize() const override { return state_.size() + problem_.clusters + 1; }

  Outcome fold(const Vector& total) override {
    const Vector before = state_;
    for (Eigen::Index c = 0; c < problem_.clusters; ++c) {
      const double count = total[state_.size() + c];
      if (count == 0) continue;  // nothing is near: the centre stays
      const Eigen::Index first = c * problem_.features;
      state_.segment(first, problem_.features) = total.segment(first, problem_.features) / count;
    }
    return {total[total.size() - 1] / static_cast<double>(problem_.rows), state_ == before};
  }

 private:
  Problem problem_;
  Vector state_;
};

class KMeansKernel final : public Kernel {
 public:
  explicit KMeansKernel(const Problem& problem) : problem_(problem), mixture_(problem) {}

  Chunk generate(std::int64_t index) const override {
    Random random(problem_.seed, Purpose::Data, index);
    Chunk chunk{Matrix(rowsOf(problem_, index).count, problem_.features), Floats()};
    for (Eigen::Index i = 0; i < chunk.features.rows(); ++i) mixture_.draw(random, chunk.features.row(i));
    return chunk;
  }

  Vector partial(const Chunk& chunk, const Vector& state) const override {
    const Matrix centres =
        Eigen::Map<const Centres>(state.data(), problem_.clusters, problem_.features).cast<float>();
    const Eigen::RowVectorXf halfNorms = 0.5f * centres.rowwise().squaredNorm().transpose();
    Vector sums = Vector::Zero(state.size() + problem_.clusters + 1);
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
    sums.segment(nearest * problem_.features, problem_.features) += row.transpose().template cast<double>();
    sums[problem_.clusters * problem_.features + nearest] += 1;
    sums[sums.size() - 1] += (row - centre).squaredNorm();
  }

  Problem problem_;
  Mixture mixture_;
};

}  // namespace

std::unique_ptr<Algorithm> makeKMeans(const Problem& problem) { return std::make_unique<KMeans>(problem); }

std::unique_ptr<Kernel> makeKMeansKernel(const Problem& problem) {
  return std::make_unique<KMeansKernel>(problem);
}

}  // namespace slaq::trainer
