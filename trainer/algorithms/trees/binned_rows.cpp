#include "trainer/algorithms/trees/binned_rows.h"

#include <algorithm>

namespace slaq::trainer::algorithms::trees {
namespace {

template <class Values, class Column>
void binColumn(const Values& values, const data::Floats& cuts, Column column) {
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    const auto after = std::upper_bound(cuts.begin(), cuts.end(), values[i]);
    column[i] = static_cast<Bin>(after - cuts.begin());
  }
}

}  // namespace

void BinnedRows::follow(const data::Matrix& features, const GrowingRound& round, std::int64_t bins) {
  const bool isLater =
      model_.size() > 0 && model_.size() <= round.model.size() && model_ == round.model.head(model_.size());
  if (!isLater) bin(features, round, bins);
  const Eigen::Index size = Tree::sizeOf(round.tree.depth);
  for (Eigen::Index next = model_.size(); next < round.model.size(); next += size) {
    const Tree tree = Tree::read(round.tree.depth, round.model.segment(next, size));
    for (Eigen::Index i = 0; i < bins_.rows(); ++i) predictions_[i] += tree.valueFor(bins_.row(i).data());
  }
  model_ = round.model;
}

void BinnedRows::bin(const data::Matrix& features, const GrowingRound& round, std::int64_t bins) {
  const Eigen::Index cuts = bins - 1;
  bins_.resize(features.rows(), features.cols());
  const data::Floats all = round.model.head(features.cols() * cuts).cast<float>();
  data::forEachSlice(features.rows(), [&](Eigen::Index first, Eigen::Index count) {
    for (Eigen::Index f = 0; f < features.cols(); ++f) {
      binColumn(features.col(f).segment(first, count), all.segment(f * cuts, cuts),
                bins_.col(f).segment(first, count));
    }
  });
  model_ = round.model.head(features.cols() * cuts + 1);
  predictions_.setConstant(features.rows(), static_cast<float>(model_[model_.size() - 1]));
}

std::vector<std::vector<Eigen::Index>> BinnedRows::rowsOfWanted(const GrowingRound& round) const {
  constexpr std::size_t kNone = SIZE_MAX;
  std::vector<std::size_t> slots(std::size_t{1} << round.level, kNone);
  for (std::size_t i = 0; i < round.wanted.size(); ++i) slots[round.wanted[i]] = i;
  std::vector<std::vector<Eigen::Index>> rows(round.wanted.size());
  for (Eigen::Index i = 0; i < bins_.rows(); ++i) {
    const std::size_t slot = slots[round.tree.placeOf(bins_.row(i).data(), round.level)];
    if (slot != kNone) rows[slot].push_back(i);
  }
  return rows;
}

// Node by node, for one histogram at a time to fill the cache.
std::vector<Histogram> BinnedRows::histograms(const GrowingRound& round, const Derivatives& derivatives,
                                              std::int64_t bins) const {
  const auto width = static_cast<std::size_t>(bins);
  std::vector<Histogram> histograms;
  for (const auto& rows : rowsOfWanted(round)) {
    Histogram histogram(static_cast<std::size_t>(bins_.cols()) * width);
    for (const Eigen::Index i : rows) {
      const Sums sums{derivatives.gradient[i], derivatives.curvature[i], 1};
      Sums* feature = histogram.data();
      for (const Bin bin : bins_.row(i)) {
        feature[bin] += sums;
        feature += width;
      }
    }
    histograms.push_back(std::move(histogram));
  }
  return histograms;
}

}  // namespace slaq::trainer::algorithms::trees
