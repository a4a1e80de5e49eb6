#include "trainer/algorithms/topics/topic_training.h"

#include <utility>

namespace slaq::trainer::algorithms::topics {
namespace {

BagOfWords bagOf(const data::Documents& documents, Eigen::Index document) {
  const auto at = static_cast<std::size_t>(document);
  const auto first = static_cast<std::size_t>(documents.begins[at]);
  const auto count = static_cast<std::size_t>(documents.begins[at + 1]) - first;
  return {std::span(documents.words).subspan(first, count),
          std::span(documents.counts).subspan(first, count)};
}

}  // namespace

TopicTraining::TopicTraining(TopicModel model, std::int64_t documents, Forgetting forgetting)
    : model_(std::move(model)), documents_(static_cast<double>(documents)), forgetting_(forgetting) {
  broadcast();
}

// A batch stands for all documents, so it counts as many times as it is smaller.
Outcome TopicTraining::fold(const data::Vector& total) {
  const Eigen::Index size = model_.weights().size();
  const double scale = documents_ / total[size + 2];
  const double bound = scale * total[size] + model_.bound();
  const double occurrences = scale * total[size + 1];
  const Eigen::Map<const WordTopics> statistics(total.data(), model_.weights().rows(),
                                                model_.weights().cols());
  model_.update(statistics, scale, forgetting_.share(iteration_));
  ++iteration_;
  broadcast();
  return {-bound / occurrences, false};
}

void TopicTraining::archive(io::Archive& fields) {
  data::Vector parameters = model_.parameters().reshaped<Eigen::RowMajor>();
  const Eigen::Index size = parameters.size();
  fields("iteration", iteration_), fields("parameters", parameters);
  if (parameters.size() == size) model_.setParameters(parameters);
  broadcast();
}

void TopicTraining::broadcast() {
  state_.resize(model_.weights().size() + 1);
  state_ << iteration_, model_.weights().reshaped<Eigen::RowMajor>();
}

data::Vector TopicKernel::partial(const data::Chunk& chunk, const data::Vector& state) const {
  const Eigen::Index size = state.size() - 1;
  Inference inference({state.data() + 1, size / topics_, topics_}, prior_);
  data::Vector sums = data::Vector::Zero(size + 3);
  Eigen::Map<WordTopics> statistics(sums.data(), size / topics_, topics_);
  const auto picked = batches_.pick(chunk.documents.count(), static_cast<std::int64_t>(state[0]));
  for (const Eigen::Index document : picked) {
    const BagOfWords bag = bagOf(chunk.documents, document);
    sums[size] += inference.add(bag, statistics);
    for (const float count : bag.counts) sums[size + 1] += count;
  }
  sums[size + 2] = static_cast<double>(picked.size());
  return sums;
}

}  // namespace slaq::trainer::algorithms::topics
