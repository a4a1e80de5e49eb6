#include "trainer/training/training.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

#include "trainer/calm.h"

namespace slaq::trainer {
namespace {

// Reports the outcomes that it was given, one for each round, and keeps the sums that it saw.
class Scripted final : public algorithms::Algorithm {
 public:
  Scripted(std::vector<algorithms::Outcome> outcomes, std::vector<double>& sums)
      : outcomes_(std::move(outcomes)), sums_(sums), state_(data::Vector::Zero(1)) {}

  const data::Vector& state() const override { return state_; }
  Eigen::Index partialSize() const override { return 1; }
  algorithms::Outcome fold(const data::Vector& total) override {
    sums_.push_back(total[0]);
    return outcomes_.at(sums_.size() - 1);
  }
  void archive(io::Archive&) override {}

 private:
  std::vector<algorithms::Outcome> outcomes_;
  std::vector<double>& sums_;
  data::Vector state_;
};

class TrainingTest : public testing::Test {
 protected:
  // Runs rounds of one chunk until the script or the training ends.
  training::Training run(std::vector<algorithms::Outcome> outcomes, training::StopRule stop) {
    const std::size_t rounds = outcomes.size();
    sums_.clear();
    training::Training training(std::make_unique<Scripted>(std::move(outcomes), sums_), 1, stop);
    for (std::size_t i = 0; i < rounds && training.ending() == training::Ending::None; ++i) {
      static_cast<void>(training.accept(0, data::Vector::Ones(1)));
    }
    return training;
  }

  static std::vector<algorithms::Outcome> losses(std::initializer_list<double> values) {
    std::vector<algorithms::Outcome> outcomes;
    for (const double value : values) outcomes.push_back({value, false});
    return outcomes;
  }

  std::vector<double> sums_;
};

TEST_F(TrainingTest, KnowsNothingBeforeTheFirstRound) { EXPECT_FALSE(run({}, {10, 0}).progress()); }

TEST_F(TrainingTest, CountsTheFirstLossAsThatBeforeAnyIteration) {
  EXPECT_EQ(run(losses({5}), {10, 0}).progress(), (training::Progress{0, 5}));
  EXPECT_EQ(run(losses({5, 4, 3}), {10, 0}).progress(), (training::Progress{2, 3}));
}

TEST_F(TrainingTest, DoesNotCountTrialSteps) {
  const training::Training training = run({{5, false}, {std::nullopt, false}, {4, false}}, {10, 0});
  EXPECT_EQ(training.progress(), (training::Progress{1, 4}));
  EXPECT_EQ(training.round(), 4);
}

TEST_F(TrainingTest, EndsAfterTheLastIteration) {
  EXPECT_EQ(run(losses({5, 4}), {2, 0}).ending(), training::Ending::None);
  EXPECT_EQ(run(losses({5, 4, 3}), {2, 0}).ending(), training::Ending::Exhausted);
}

TEST_F(TrainingTest, ConvergesOnlyAfterSeveralQuietIterations) {
  EXPECT_EQ(run(losses({5, 4, 4, 4, 4, 4}), {99, 0.01}).ending(), training::Ending::None);
  EXPECT_EQ(run(losses({5, 4, 4, 4, 3, 3, 3}), {99, 0.01}).ending(), training::Ending::None);
  EXPECT_EQ(run(losses({5, 4, 4, 4, 4, 4, 4}), {99, 0.01}).ending(), training::Ending::Converged);
}

TEST_F(TrainingTest, NeverConvergesByAToleranceOfZero) {
  EXPECT_EQ(run(losses({4, 4, 4, 4, 4, 4, 4, 4}), {99, 0}).ending(), training::Ending::None);
}

TEST_F(TrainingTest, ConvergesWhenTheAlgorithmHasSettled) {
  EXPECT_EQ(run({{5, false}, {std::nullopt, true}}, {99, 0}).ending(), training::Ending::Converged);
}

TEST_F(TrainingTest, EndsAtALossThatIsNotFinite) {
  EXPECT_EQ(run(losses({5, std::numeric_limits<double>::infinity()}), {99, 0}).ending(),
            training::Ending::Diverged);
  EXPECT_EQ(run(losses({std::numeric_limits<double>::quiet_NaN()}), {99, 0}).ending(),
            training::Ending::Diverged);
}

TEST_F(TrainingTest, SumsInTheOrderOfTheChunksWhateverTheOrderOfArrival) {
  std::mt19937 random(7);
  std::vector<std::int64_t> order(40);
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int64_t>(i);
  training::Training training(
      std::make_unique<Scripted>(std::vector<algorithms::Outcome>(20, algorithms::Outcome{1.0, false}),
                                 sums_),
      40, {99, 0});
  for (int round = 0; round < 20; ++round) {
    std::ranges::shuffle(order, random);
    for (const std::int64_t chunk : order) {
      const data::Vector partial = data::Vector::Constant(1, 1.0 / (3.0 + static_cast<double>(chunk)));
      static_cast<void>(training.accept(chunk, partial));
    }
  }
  ASSERT_EQ(sums_.size(), 20u);
  for (const double sum : sums_) EXPECT_EQ(sum, sums_.front());
}

}  // namespace
}  // namespace slaq::trainer
