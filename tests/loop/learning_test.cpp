#include "loop/learning.h"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "support/jobs.h"

namespace slaq {
namespace {

using slaq::testing::viewOf;

// Jobs whose losses fall at a pace of their own; each epoch brings some iterations of each.
class Class {
 public:
  explicit Class(std::size_t jobs) {
    for (std::size_t i = 0; i < jobs; ++i) {
      views_.push_back(viewOf("job-" + std::to_string(i)));
      losses_.emplace_back();
      histories_.emplace_back();
    }
  }

  void learn(std::size_t threads) {
    ++epoch_;
    std::vector<Lesson> lessons;
    for (std::size_t i = 0; i < views_.size(); ++i) {
      losses_[i].samples.clear();
      const int each = 1 + static_cast<int>(i % 7);
      for (int k = each * (epoch_ - 1); k < each * epoch_; ++k) {
        const Time time(Seconds(10 * epoch_ + static_cast<double>(k) / 1000));
        losses_[i].samples.push_back({time, Iterations(k), Loss(lossOf(i, k))});
      }
      lessons.push_back(lessonFor(views_[i], losses_[i], histories_[i]));
    }
    learnAll(lessons, predictor_, threads);
  }

  const std::vector<JobHistory>& histories() const { return histories_; }
  const Population& population() const { return predictor_.population; }

 private:
  static double lossOf(std::size_t job, int k) {
    return 0.5 + 1 / (1 + 0.001 * static_cast<double>(1 + job) * k) + 1e-3 * std::sin(k + 0.1 * job);
  }

  Predictor predictor_{PredictorName::Ensemble};
  std::vector<JobView> views_;
  std::vector<JobLoss> losses_;
  std::vector<JobHistory> histories_;
  int epoch_ = 0;
};

// To the last bit.
void expectTheSame(const Class& one, const Class& other) {
  for (std::size_t i = 0; i < one.histories().size(); ++i) {
    const auto& model = one.histories()[i].model;
    const auto& others = other.histories()[i].model;
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
  Class alone(kJobs), two(kJobs), many(kJobs);
  for (int epoch = 0; epoch < 12; ++epoch) {
    alone.learn(1);
    two.learn(2);
    many.learn(7);
    expectTheSame(alone, two);
    expectTheSame(alone, many);
  }
  EXPECT_NE(alone.population().level(10), Population().level(10));  // it was taught
}

TEST(Learning, TakesInAllSamplesAndWhatTheSourceSaysOfTheJob) {
  Predictor predictor;
  const JobView view = viewOf("a");
  JobHistory history;
  const JobLoss loss{{{Time(Seconds(1)), Iterations(1), Loss(3)}, {Time(Seconds(2)), Iterations(2), Loss(2)}},
                     "no target is scraped"};
  const Lesson lesson = lessonFor(view, loss, history);
  learnAll({&lesson, 1}, predictor, 1);
  EXPECT_EQ(history.series.size(), 2u);
  EXPECT_EQ(history.problem, "no target is scraped");
  EXPECT_TRUE(history.caughtUp);
}

TEST(Learning, IsDoneByOneThreadForFewJobsAndByNoMoreThanTheMachineHas) {
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  EXPECT_EQ(threadsFor(0), 1u);
  EXPECT_EQ(threadsFor(300), 1u);
  EXPECT_EQ(threadsFor(1'000'000), cores);
}

}  // namespace
}  // namespace slaq
