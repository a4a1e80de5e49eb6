#include "prometheus/matching.h"

#include <gmock/gmock.h>

#include <cmath>
#include <stdexcept>

#include "prometheus/answers.h"

namespace slaq::prom {
namespace {

using test::answerOf;
using test::Points;
using test::sample;
using test::WrittenSeries;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Origin = SeriesMatching::Origin;

const LossRequest kJob{{"team-a", "logreg"},    "uid-1", kDefaultLossMetric,
                       kDefaultIterationMetric, Time{},  std::nullopt};

WrittenSeries series(const std::string& metric, const std::string& pod, const Points& points,
                     const std::string& job = "logreg", const std::string& uid = "uid-1") {
  return {metric,
          {{"namespace", "team-a"}, {"pod", pod}, {"slaq_io_job", job}, {"slaq_io_job_uid", uid}},
          points};
}
WrittenSeries loss(const std::string& pod, const Points& points) {
  return series(kDefaultLossMetric, pod, points);
}
WrittenSeries steps(const std::string& pod, const Points& points) {
  return series(kDefaultIterationMetric, pod, points);
}

JobLoss match(const std::vector<WrittenSeries>& all, LossRequest request = kJob,
              Origin origin = Origin::Raw) {
  SeriesMatching matching({&request}, {});
  const auto matrix = readMatrix(answerOf(all));
  if (!matrix) throw std::runtime_error(matrix.error().message);
  matching.add(*matrix, origin);
  return matching.lossOf(request);
}

TEST(Matching, JoinsTheTwoMetricsOnEqualTimestamps) {
  const JobLoss found = match({loss("p", {{1, "0.5"}, {2, "0.4"}, {3.001, "0.3"}, {5, "0.1"}}),
                               steps("p", {{0, "1"}, {1, "10"}, {3, "30"}, {5, "50"}, {6, "60"}})});
  EXPECT_THAT(found.samples, ElementsAre(sample(1, 10, 0.5), sample(5, 50, 0.1)));
  EXPECT_FALSE(found.problem);
}

TEST(Matching, KeepsTheInitialLossWhicheverAnswerHasIt) {
  for (const bool isLast : {false, true}) {
    const std::vector<WrittenSeries> without = {loss("p", {{1, "0.5"}}), steps("p", {{1, "10"}})};
    auto with = without;
    with.push_back(series(kInitialLossMetric, "p", {{1, "0.9"}}));
    const auto first = readMatrix(answerOf(isLast ? without : with));
    const auto second = readMatrix(answerOf(isLast ? with : without));
    SeriesMatching matching({&kJob}, {});
    matching.add(*first, Origin::Raw);
    matching.add(*second, Origin::Raw);
    const auto found = matching.lossOf(kJob);
    ASSERT_EQ(found.samples.size(), 1u);
    EXPECT_EQ(found.samples[0].initial, Loss(0.9));
  }
}

TEST(Matching, NeverMixesTwoPods) {
  const JobLoss found = match({loss("p", {{1, "0.5"}}), steps("q", {{1, "10"}})});
  EXPECT_THAT(found.samples, IsEmpty());
  EXPECT_THAT(*found.problem, HasSubstr("never from one scrape"));
}

TEST(Matching, PassesOnNaN) {
  const JobLoss found = match({loss("p", {{1, "NaN"}}), steps("p", {{1, "10"}})});
  ASSERT_EQ(found.samples.size(), 1u);
  EXPECT_TRUE(std::isnan(found.samples[0].loss.value()));
}

TEST(Matching, DropsWhatWasSeen) {
  LossRequest request = kJob;
  request.since = Time(Seconds(2));
  const JobLoss found =
      match({loss("p", {{1, "5"}, {2, "4"}, {3, "3"}}), steps("p", {{1, "1"}, {2, "2"}, {3, "3"}})}, request);
  EXPECT_THAT(found.samples, ElementsAre(sample(2, 2, 4), sample(3, 3, 3)));
  request.since = Time(Seconds(4));
  EXPECT_FALSE(match({loss("p", {{1, "5"}}), steps("p", {{1, "1"}})}, request).problem)
      << "no news is not a problem";
}

TEST(Matching, OnePodFollowsAnother) {
  const JobLoss found =
      match({loss("new", {{10, "0.2"}, {11, "0.1"}}), steps("new", {{10, "20"}, {11, "21"}}),
             loss("old", {{1, "0.9"}, {2, "0.8"}}), steps("old", {{1, "1"}, {2, "2"}})});
  EXPECT_THAT(found.samples,
              ElementsAre(sample(1, 1, 0.9), sample(2, 2, 0.8), sample(10, 20, 0.2), sample(11, 21, 0.1)));
}

TEST(Matching, WhereTwoPodsOverlapTheOneThatLivedLongerIsBelieved) {
  const JobLoss found =
      match({loss("old", {{1, "0.9"}, {3, "0.8"}, {5, "0.7"}}), steps("old", {{1, "1"}, {3, "2"}, {5, "3"}}),
             loss("new", {{4, "0.5"}, {6, "0.4"}}), steps("new", {{4, "1"}, {6, "2"}})});
  EXPECT_THAT(found.samples,
              ElementsAre(sample(1, 1, 0.9), sample(3, 2, 0.8), sample(4, 1, 0.5), sample(6, 2, 0.4)));
}

TEST(Matching, OtherJobsSeriesAreNotOurs) {
  EXPECT_THAT(*match({series(kDefaultLossMetric, "p", {{1, "1"}}, "other")}).problem,
              HasSubstr("no series slaq_training_loss with namespace=\"team-a\" and slaq_io_job=\"logreg\""));
  EXPECT_THAT(*match({}).problem, HasSubstr("no series slaq_training_loss"));
}

TEST(Matching, AnEarlierJobOfTheSameNameIsNotOurs) {
  const JobLoss found = match({series(kDefaultLossMetric, "p", {{1, "1"}}, "logreg", "uid-0"),
                               series(kDefaultIterationMetric, "p", {{1, "1"}}, "logreg", "uid-0")});
  EXPECT_THAT(found.samples, IsEmpty());
  EXPECT_THAT(*found.problem, HasSubstr("earlier job"));
}

TEST(Matching, AMissingUidLabelIsNoObjection) {
  const std::vector<std::pair<std::string, std::string>> labels = {{"namespace", "team-a"},
                                                                   {"slaq_io_job", "logreg"}};
  const JobLoss found =
      match({{kDefaultLossMetric, labels, {{1, "1"}}}, {kDefaultIterationMetric, labels, {{1, "2"}}}});
  EXPECT_THAT(found.samples, ElementsAre(sample(1, 2, 1)));
}

TEST(Matching, SaysWhichMetricIsMissing) {
  EXPECT_THAT(*match({loss("p", {{1, "1"}})}).problem, HasSubstr("but no slaq_training_iterations_total"));
  EXPECT_THAT(*match({steps("p", {{1, "1"}})}).problem, HasSubstr("but no slaq_training_loss"));
}

TEST(Matching, LabelsAreConfigurable) {
  LossRequest request = kJob;
  SeriesMatching matching({&request}, {"kubernetes_namespace", "trainingjob", "trainingjob_uid"});
  const std::vector<std::pair<std::string, std::string>> labels = {{"kubernetes_namespace", "team-a"},
                                                                   {"trainingjob", "logreg"}};
  const auto matrix = readMatrix(
      answerOf({{kDefaultLossMetric, labels, {{1, "1"}}}, {kDefaultIterationMetric, labels, {{1, "2"}}}}));
  matching.add(*matrix, Origin::Raw);
  EXPECT_THAT(matching.lossOf(request).samples, ElementsAre(sample(1, 2, 1)));
}

TEST(Matching, HistoryShowsASampleOnce) {
  const Points losses = {{1, "0.5"}, {2, "0.5"}, {3, "0.5"}, {4, "0.4"}, {5, "NaN"}, {6, "NaN"}};
  const Points counts = {{1, "10"}, {2, "10"}, {3, "20"}, {4, "30"}, {5, "40"}, {6, "40"}};
  EXPECT_EQ(match({loss("p", losses), steps("p", counts)}, kJob, Origin::History).samples.size(), 4u);
  EXPECT_EQ(match({loss("p", losses), steps("p", counts)}, kJob, Origin::Raw).samples.size(), 6u);
}

TEST(Matching, HistoryAndRawSamplesOfOnePodAreOneSeries) {
  LossRequest request = kJob;
  SeriesMatching matching({&request}, {});
  const auto raw =
      readMatrix(answerOf({loss("p", {{10, "0.2"}, {11, "0.1"}}), steps("p", {{10, "20"}, {11, "21"}})}));
  const auto history =
      readMatrix(answerOf({loss("p", {{1, "0.9"}, {10, "0.2"}}), steps("p", {{1, "1"}, {10, "20"}})}));
  matching.add(*raw, Origin::Raw);
  matching.add(*history, Origin::History);
  EXPECT_THAT(matching.lossOf(request).samples,
              ElementsAre(sample(1, 1, 0.9), sample(10, 20, 0.2), sample(11, 21, 0.1)));
}

}  // namespace
}  // namespace slaq::prom
