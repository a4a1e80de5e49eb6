#include "trainer/algorithms/trees/boosting.h"

#include <limits>
#include <span>
#include <utility>

namespace slaq::trainer::algorithms::trees {
namespace {

std::vector<Histogram> readHistograms(const data::Vector& total, std::size_t count, std::size_t bins) {
  std::vector<Histogram> histograms(count, Histogram(bins));
  const double* next = total.data();
  for (Histogram& histogram : histograms) {
    for (Sums& sums : histogram) {
      sums = {next[0], next[1], next[2]};
      next += kSumsNumbers;
    }
  }
  return histograms;
}

}  // namespace

Boosting::Boosting(const BoostingSettings& settings)
    : settings_(settings),
      cells_(static_cast<std::size_t>(settings.features), octaves()),
      growth_(settings.depth, settings.rules) {
  ask();
}

Eigen::Index Boosting::partialSize() const {
  if (countings_ < kCountings) return settings_.features * static_cast<Eigen::Index>(kCells) + 1;
  const auto nodes = static_cast<Eigen::Index>(growth_.wanted().size());
  return nodes * settings_.features * settings_.rules.bins * kSumsNumbers + 1;
}

Outcome Boosting::fold(const data::Vector& total) {
  Outcome outcome;
  if (countings_ < kCountings) {
    foldCounts(total);
  } else {
    outcome = foldLevel(total);
  }
  ask();
  return outcome;
}

// The rows by cell, feature after feature, then the sum of the targets.
void Boosting::foldCounts(const data::Vector& total) {
  const bool isLast = ++countings_ == kCountings;
  std::vector<std::vector<float>> found;
  for (std::size_t f = 0; f < cells_.size(); ++f) {
    const std::span counts(total.data() + f * kCells, kCells);
    if (isLast) {
      found.push_back(cuts(cells_[f], counts, settings_.rules.bins));
    } else {
      cells_[f] = refined(cells_[f], counts);
    }
  }
  if (isLast) beginModel(found, total[total.size() - 1] / static_cast<double>(settings_.rows));
}

void Boosting::beginModel(const std::vector<std::vector<float>>& cuts, double mean) {
  const Eigen::Index each = settings_.rules.bins - 1;
  model_.setConstant(settings_.features * each + 1, std::numeric_limits<double>::infinity());
  for (std::size_t f = 0; f < cuts.size(); ++f) {
    Eigen::Index next = static_cast<Eigen::Index>(f) * each;
    for (const float cut : cuts[f]) model_[next++] = cut;
  }
  model_[model_.size() - 1] = firstPrediction(settings_.loss, mean);
  cells_.clear();
}

// The histograms of the wanted nodes, then the sum of the losses. The first level of a tree shows the loss
// that the trees before it have led to.
Outcome Boosting::foldLevel(const data::Vector& total) {
  Outcome outcome;
  const bool isFirst = growth_.level() == 0;
  if (isFirst) outcome.loss = total[total.size() - 1] / static_cast<double>(settings_.rows);
  const auto bins = static_cast<std::size_t>(settings_.features * settings_.rules.bins);
  growth_.grow(readHistograms(total, growth_.wanted().size(), bins));
  outcome.settled = isFirst && (trees_ == settings_.trees || !growth_.tree().isSplit());
  if (growth_.isDone()) finishTree();
  return outcome;
}

void Boosting::finishTree() {
  const Eigen::Index before = model_.size();
  model_.conservativeResize(before + Tree::sizeOf(settings_.depth));
  growth_.tree().write(model_.tail(model_.size() - before));
  growth_ = Growth(settings_.depth, settings_.rules);
  ++trees_;
}

void Boosting::ask() {
  state_ = countings_ < kCountings
               ? written(CountingRound{cells_})
               : written(GrowingRound{model_, growth_.tree(), growth_.level(), growth_.wanted()});
}

void Boosting::archive(io::Archive& fields) {
  fields("countings", countings_);
  fields.list("cells", cells_, [](io::Archive& each, Cells& cells) { each("feature", cells); });
  fields("model", model_), fields("trees", trees_);
  growth_.archive(fields);
  ask();
}

}  // namespace slaq::trainer::algorithms::trees
