#include "loop/learning.h"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "forecast/curves/hyperbola.h"
#include "forecast/predictors/ensemble_predictor.h"
#include "support/jobs.h"

namespace slaq::loop {
namespace {

using slaq::testing::viewOf;

// Jobs whose losses fall at a pace of their own; each epoch brings some iterations of each.
class Jobs {
 public:
  explicit Jobs(std::size_t jobs) {
    for (std::size_t i = 0; i < jobs; ++i) {
      views_.push_back(viewOf("job-" + std::to_string(i)));
      losses_.emplace_back();
      histories_.emplace_back();
    }
  }

  void learn(std::size_t threads) {
    ++epoch_;
    std::vector<JobObservation> observations;
    for (std::size_t i = 0; i < views_.size(); ++i) {
      losses_[i].samples.clear();
      const int each = 1 + static_cast<int>(i % 7);
      for (int k = each * (epoch_ - 1); k < each * epoch_; ++k) {
        const Time time(Seconds(10 * epoch_ + static_cast<double>(k) / 1000));
        losses_[i].samples.push_back({time, Iterations(k), Loss(lossOf(i, k))});
      }
      observations.push_back(observationOf(views_[i], losses_[i], histories_[i]));
    }
    updateAll(observations, predictor_, peers_, threads);
  }

  const std::vector<scheduler::JobHistory>& histories() const { return histories_; }
  const forecast::Population& population() const { return predictor_.population(); }

 private:
  static double lossOf(std::size_t job, int k) {
    return 0.5 + 1 / (1 + 0.001 * static_cast<double>(1 + job) * k) + 1e-3 * std::sin(k + 0.1 * job);
  }

  forecast::EnsemblePredictor predictor_{forecast::defaultConstants()};
  scheduler::Peers peers_;
  std::vector<JobView> views_;
  std::vector<JobLoss> losses_;
  std::vector<scheduler::JobHistory> histories_;
  int epoch_ = 0;
};

// To the last bit.
void expectTheSame(const Jobs& one, const Jobs& other) {
  for (std::size_t i = 0; i < one.histories().size(); ++i) {
    const auto& model = one.histories()[i].losses.model;
    const auto& others = other.histories()[i].losses.model;
    ASSERT_TRUE(model && others) << i;
    for (const double k : {1.0, 30.0, 1000.0}) {
      ASSERT_EQ(model->curve.at(k), others->curve.at(k)) << i;
      ASSERT_EQ(model->curveToDecideBy().at(k), others->curveToDecideBy().at(k)) << i;
    }
    ASSERT_EQ(model->backTestError, others->backTestError) << i;
  }
  for (const double k : {1.0, 10.0, 100.0}) EXPECT_EQ(one.population().level(k), other.population().level(k));
}

TEST(Learning, IsTheSameWithAnyNumberOfThreads) {
  constexpr std::size_t kJobs = 1000;
  Jobs alone(kJobs), two(kJobs), many(kJobs);
  for (int epoch = 0; epoch < 12; ++epoch) {
    alone.learn(1);
    two.learn(2);
    many.learn(7);
    expectTheSame(alone, two);
    expectTheSame(alone, many);
  }
  EXPECT_NE(alone.population().level(10),
            forecast::Population(forecast::defaultConstants().firstCurve).level(10));  // it was taught
}

TEST(Learning, TakesInAllSamplesAndWhatTheSourceSaysOfTheJob) {
  forecast::EnsemblePredictor predictor(forecast::defaultConstants());
  scheduler::Peers peers;
  const JobView view = viewOf("a");
  scheduler::JobHistory history;
  const JobLoss loss{{{Time(Seconds(1)), Iterations(1), Loss(3)}, {Time(Seconds(2)), Iterations(2), Loss(2)}},
                     "no target is scraped"};
  const JobObservation observation = observationOf(view, loss, history);
  updateAll({&observation, 1}, predictor, peers, 1);
  EXPECT_EQ(history.losses.series.size(), 2u);
  EXPECT_EQ(history.losses.problem, "no target is scraped");
  EXPECT_TRUE(history.losses.caughtUp);
}

TEST(Learning, KnowsNothingOfAJobThatWaitsForItsTurn) {
  forecast::EnsemblePredictor predictor(forecast::defaultConstants());
  scheduler::Peers peers;
  const JobView view = viewOf("a");
  scheduler::JobHistory history;
  const JobLoss loss{.waits = true};
  const JobObservation observation = observationOf(view, loss, history);
  updateAll({&observation, 1}, predictor, peers, 1);
  EXPECT_FALSE(history.losses.problem);
  EXPECT_FALSE(history.losses.caughtUp);
}

// After an outage it may be some epochs until it is its turn: until then nothing is wrong with it.
TEST(Learning, KeepsWhatItKnowsOfAJobThatWaitsForItsTurnAgain) {
  forecast::EnsemblePredictor predictor(forecast::defaultConstants());
  scheduler::Peers peers;
  const JobView view = viewOf("a");
  scheduler::JobHistory history;
  const JobLoss read{{{Time(Seconds(1)), Iterations(1), Loss(3)}}, std::nullopt};
  const JobLoss later{.waits = true};
  for (const auto* loss : {&read, &later}) {
    const JobObservation observation = observationOf(view, *loss, history);
    updateAll({&observation, 1}, predictor, peers, 1);
    EXPECT_EQ(history.losses.caughtUp, loss == &read);
  }
  EXPECT_EQ(history.losses.series.size(), 1u);
  EXPECT_FALSE(history.losses.problem);
}

TEST(Learning, SaysWhyAJobCouldNotBeReadUntilItIsAskedForAgain) {
  forecast::EnsemblePredictor predictor(forecast::defaultConstants());
  scheduler::Peers peers;
  const JobView view = viewOf("a");
  scheduler::JobHistory history;
  const JobLoss failed{{}, "its history can't be read: too slow", true};
  const JobLoss waiting{.waits = true};
  for (const auto* loss : {&failed, &waiting}) {
    const JobObservation observation = observationOf(view, *loss, history);
    updateAll({&observation, 1}, predictor, peers, 1);
    EXPECT_FALSE(history.losses.caughtUp);
    EXPECT_EQ(history.losses.problem, loss->problem);
  }
}

// A way to forecast that only this test knows: half of the last loss is left to lose.
class Halving : public forecast::Predictor {
 public:
  std::optional<forecast::ConvergenceModel> forecast(std::string_view uid, const forecast::LossSeries& series,
                                                     const forecast::LossHints&,
                                                     forecast::ForecastMemory& memory) const override {
    if (series.empty()) return std::nullopt;
    if (!memory.has_value()) memory = 0;
    ++*std::any_cast<int>(&memory);
    EXPECT_EQ(uid, "its uid");
    const Loss last = series.last();
    return forecast::ConvergenceModel{
        forecast::lineFrom(series.lastIteration().value(), last.value(), last.value() / 20)};
  }
  void update(const forecast::JobRecord& job) override {
    records.push_back(job.series.lastIteration().value());
  }

  std::vector<double> records;
};

TEST(Learning, ForecastsByAnyPredictor) {
  Halving predictor;
  scheduler::Peers peers;
  const JobView view = viewOf("a");
  scheduler::JobHistory history{.uid = "its uid"};
  for (int k = 0; k <= 40; ++k) {
    const JobLoss loss{{{Time(Seconds(k + 1)), Iterations(k), Loss(8 - 1e-6 * k)}}, {}};
    const JobObservation observation = observationOf(view, loss, history);
    updateAll({&observation, 1}, predictor, peers, 1);
  }
  EXPECT_NEAR(history.losses.model->curve.at(50), 4, 1e-4);
  EXPECT_EQ(std::any_cast<int>(history.losses.memory), 41);
  EXPECT_EQ(predictor.records, (std::vector<double>{16, 32}));
}

TEST(Learning, IsDoneByOneThreadForFewJobsAndByNoMoreThanTheMachineHas) {
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  EXPECT_EQ(threadsFor(0), 1u);
  EXPECT_EQ(threadsFor(300), 1u);
  EXPECT_EQ(threadsFor(1'000'000), cores);
}

}  // namespace
}  // namespace slaq::loop
