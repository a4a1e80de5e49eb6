#include "trainer/algorithms/topics/inference.h"

#include <cmath>

#include "trainer/algorithms/topics/dirichlet.h"

namespace slaq::trainer::algorithms::topics {
namespace {

constexpr int kMostSteps = 100;
constexpr double kStill = 1e-3;   // mean change of gamma
constexpr double kTiny = 1e-300;  // never divide by a likelihood of 0

}  // namespace

double Inference::add(const BagOfWords& document, Eigen::Ref<WordTopics> statistics) {
  if (document.words.empty()) return 0;
  gather(document);
  infer();
  const data::Vector likelihoods = (words_ * mixture_).array() + kTiny;
  for (Eigen::Index i = 0; i < counts_.size(); ++i) {
    statistics.row(document.words[static_cast<std::size_t>(i)]) +=
        counts_[i] / likelihoods[i] * mixture_.transpose();
  }
  return counts_.dot(likelihoods.array().log().matrix()) + priorBound(prior_, topics_, logs_);
}

void Inference::gather(const BagOfWords& document) {
  const auto size = static_cast<Eigen::Index>(document.words.size());
  counts_ = Eigen::Map<const data::Floats>(document.counts.data(), size).cast<double>();
  words_.resize(size, weights_.cols());
  for (Eigen::Index i = 0; i < size; ++i) {
    words_.row(i) = weights_.row(document.words[static_cast<std::size_t>(i)]);
  }
}

void Inference::infer() {
  const auto size = static_cast<double>(weights_.cols());
  const double length = counts_.sum();
  const double logOfSum = digamma(size * prior_ + length);  // gamma always adds up to this
  topics_.setConstant(weights_.cols(), prior_ + length / size);
  expect(logOfSum);
  for (int step = 0; step < kMostSteps; ++step) {
    ratios_.noalias() = words_ * mixture_;
    ratios_ = counts_.array() / (ratios_.array() + kTiny);
    const data::Vector before = topics_;
    topics_.noalias() = words_.transpose() * ratios_;
    topics_ = prior_ + mixture_.array() * topics_.array();
    expect(logOfSum);
    if ((topics_ - before).cwiseAbs().mean() < kStill) break;
  }
}

void Inference::expect(double logOfSum) {
  logs_ = topics_.unaryExpr(&digamma).array() - logOfSum;
  mixture_ = logs_.array().exp();
}

}  // namespace slaq::trainer::algorithms::topics
