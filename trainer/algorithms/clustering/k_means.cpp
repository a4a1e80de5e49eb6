#include "trainer/algorithms/clustering/k_means.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "trainer/algorithms/clustering/initial_centres.h"

namespace slaq::trainer::algorithms::clustering {
namespace {

using Centres = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr std::array kSettings{
    problem::Setting{.name = "clusters",
                     .help = "clusters to find",
                     .kind = problem::Setting::Kind::Whole,
                     .required = true,
                     .least = 1},
};

// The state is the centres, row by row. A partial result: for each centre the sum of the rows nearest to
// it, then the number of those rows for each centre, then the sum of the squared distances.
class KMeans final : public Algorithm {
 public:
  KMeans(const problem::Problem& problem, const data::Source& source)
      : rows_(static_cast<double>(problem.rows)),
        clusters_(problem.settings.whole("clusters")),
        features_(problem.features),
        state_(initialCentres(problem, source).reshaped<Eigen::RowMajor>().cast<double>()) {}

  const data::Vector& state() const override { return state_; }
  Eigen::Index partialSize() const override { return state_.size() + clusters_ + 1; }

  Outcome fold(const data::Vector& total) override {
    const data::Vector before = state_;
    for (Eigen::Index c = 0; c < clusters_; ++c) {
      const double count = total[state_.size() + c];
      if (count == 0) continue;  // nothing is near: the centre stays
      const Eigen::Index first = c * features_;
      state_.segment(first, features_) = total.segment(first, features_) / count;
    }
    return {total[total.size() - 1] / rows_, state_ == before};
  }

  void archive(io::Archive& fields) override { fields("centres", state_); }

 private:
  double rows_;
  Eigen::Index clusters_;
  Eigen::Index features_;
  data::Vector state_;
};

class KMeansKernel final : public Kernel {
 public:
  explicit KMeansKernel(const problem::Problem& problem)
      : clusters_(problem.settings.whole("clusters")), features_(problem.features) {}

  data::Vector partial(const data::Chunk& chunk, const data::Vector& state) const override {
    const data::Matrix centres = Eigen::Map<const Centres>(state.data(), clusters_, features_).cast<float>();
    const Eigen::RowVectorXf halfNorms = 0.5f * centres.rowwise().squaredNorm().transpose();
    data::Vector sums = data::Vector::Zero(state.size() + clusters_ + 1);
    data::forEachSlice(chunk.features.rows(), [&](Eigen::Index first, Eigen::Index count) {
      const auto rows = chunk.features.middleRows(first, count);
      // The nearest centre c has the largest x.c - c.c/2.
      data::Matrix closeness = rows * centres.transpose();
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
  void add(const Row& row, const Centre& centre, Eigen::Index nearest, data::Vector& sums) const {
    sums.segment(nearest * features_, features_) += row.transpose().template cast<double>();
    sums[clusters_ * features_ + nearest] += 1;
    sums[sums.size() - 1] += (row - centre).squaredNorm();
  }

  Eigen::Index clusters_;
  Eigen::Index features_;
};

}  // namespace

std::span<const problem::Setting> kMeansSettings() { return kSettings; }

double kMeansNumbers(const problem::Problem& problem) {
  return (problem.settings.number("clusters") + 1) * static_cast<double>(problem.features + 1);
}

Result<void> validateKMeans(const problem::Problem& problem) {
  if (problem.settings.whole("clusters") <= problem.rows) return {};
  return failure(ErrorKind::Invalid,
                 "--clusters must be at most the number of rows, " + std::to_string(problem.rows));
}

std::unique_ptr<Algorithm> makeKMeans(const problem::Problem& problem, const data::Source& source) {
  return std::make_unique<KMeans>(problem, source);
}

std::unique_ptr<Kernel> makeKMeansKernel(const problem::Problem& problem) {
  return std::make_unique<KMeansKernel>(problem);
}

}  // namespace slaq::trainer::algorithms::clustering
