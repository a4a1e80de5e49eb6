// What is asked for a job's own PromQL, and what is made of the answer.
#include "prometheus/user_query.h"

#include <gmock/gmock.h>

#include <cmath>

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

LossRequest jobAsking(const std::string& query = "max(loss)", const std::string& iterations = "max(step)") {
  LossRequest request{.job = {"ns", "a"}, .uid = "u", .since = Time(Seconds(1000))};
  request.query = query;
  request.iterationQuery = iterations;
  return request;
}

WrittenSeries series(const std::string& mark, const Points& points, const std::string& pod = "p") {
  return {"m", {{"pod", pod}, {"slaq_series", mark}}, points};
}

JobLoss read(const std::vector<WrittenSeries>& all) {
  return readUserQuery(readMatrix(answerOf(all)).value(), jobAsking());
}

TEST(UserQuery, AsksForBothAtOnceAtMultiplesOfTheStep) {
  const Query query = userQuery(jobAsking("a # b", "c"), Time(Seconds(1010.7)), Seconds(0.5));
  EXPECT_EQ(query.path, "/api/v1/query_range");
  EXPECT_THAT(query.form, HasSubstr("query=label_replace%28%0Aa%20%23%20b%0A%2C%22slaq_series%22"))
      << "a comment ends with its line";
  EXPECT_THAT(query.form, testing::EndsWith("&start=1000.000&end=1010.500&step=0.500"));
}

TEST(UserQuery, AsksForFewStepsHoweverLongAgoTheJobBegan) {
  const Query query = userQuery(jobAsking(), Time(Seconds(1000 + 86400)), Seconds(1));
  EXPECT_THAT(query.form, HasSubstr("&step=434.171"));
  EXPECT_THAT(userQuery(jobAsking(), Time(Seconds(999)), Seconds(1)).form,
              HasSubstr("&start=999.000&end=999.000"));
}

TEST(UserQuery, JoinsLossAndIterationByTheirSteps) {
  const auto loss = read({series("loss", {{1001, "0.9"}, {1002, "0.8"}, {1004, "NaN"}}),
                          series("iteration", {{1000, "1"}, {1001, "2"}, {1003, "3"}, {1004, "4"}})});
  EXPECT_FALSE(loss.problem);
  ASSERT_EQ(loss.samples.size(), 2u);
  EXPECT_EQ(loss.samples[0], sample(1001, 2, 0.9));
  EXPECT_EQ(loss.samples[1].iteration, Iterations(4));
  EXPECT_TRUE(std::isnan(loss.samples[1].loss.value())) << "the trainer's word is passed on";
}

TEST(UserQuery, LeavesOutWhatIsOlderThanTheJob) {
  EXPECT_THAT(
      read({series("loss", {{999, "5"}, {1000, "4"}}), series("iteration", {{999, "1"}, {1000, "2"}})})
          .samples,
      ElementsAre(sample(1000, 2, 4)));
}

TEST(UserQuery, KeepsTheFirstAndTheLastOfAValueThatStandsStill) {
  const Points still = {{1001, "5"}, {1002, "5"}, {1003, "5"}, {1004, "5"}, {1005, "6"}};
  EXPECT_THAT(read({series("loss", still), series("iteration", still)}).samples,
              ElementsAre(sample(1001, 5, 5), sample(1004, 5, 5), sample(1005, 6, 6)));
}

TEST(UserQuery, LetsOneSeriesFollowAnother) {
  const Points early = {{1001, "5"}}, late = {{1002, "4"}};
  EXPECT_THAT(read({series("loss", early, "p1"), series("iteration", early, "p1"), series("loss", late, "p2"),
                    series("iteration", late, "p2")})
                  .samples,
              ElementsAre(sample(1001, 5, 5), sample(1002, 4, 4)));
}

TEST(UserQuery, SaysWhatToChange) {
  const Points points = {{1001, "5"}};
  const std::pair<std::vector<WrittenSeries>, const char*> cases[] = {
      {{}, "spec.loss.query gives no series"},
      {{series("loss", points)}, "spec.loss.iterationQuery gives no series"},
      {{series("loss", points, "a"), series("loss", points, "b"), series("loss", points, "c"),
        series("iteration", points)},
       "spec.loss.query gives 3 series; aggregate them, such as max(...)"},
      {{series("loss", points), series("iteration", points, "a"), series("iteration", points, "b")},
       "spec.loss.iterationQuery gives 2 series; aggregate them, such as max(...)"},
      {{series("loss", points), series("iteration", {{1002, "1"}})},
       "spec.loss.query and spec.loss.iterationQuery never have a value at the same time"},
  };
  for (const auto& [all, problem] : cases) {
    const auto loss = read(all);
    EXPECT_EQ(loss.problem, problem);
    EXPECT_THAT(loss.samples, IsEmpty());
  }
}

TEST(Refusal, TellsThePlaceInTheUsersQuery) {
  const std::string begin = R"(Prometheus refuses the query: invalid parameter "query": )";
  const LossRequest two = jobAsking("max(\nloss)", "step\n+\n1");
  const std::pair<std::string, std::string> cases[] = {
      {"2:4: parse error: x", "Prometheus refuses spec.loss.query, line 1, column 4: parse error: x"},
      {"3:1: parse error: x", "Prometheus refuses spec.loss.query, line 2, column 1: parse error: x"},
      {"4:1: parse error: x", "Prometheus refuses spec.loss.query, at its end: parse error: x"},
      {"5:1: parse error: x",
       "Prometheus refuses spec.loss.iterationQuery, line 1, column 1: parse error: x"},
      {"7:2: parse error: x",
       "Prometheus refuses spec.loss.iterationQuery, line 3, column 2: parse error: x"},
      {"8:2: parse error: x", "Prometheus refuses spec.loss.iterationQuery, at its end: parse error: x"},
      {"too many samples",
       "Prometheus refuses spec.loss.query or spec.loss.iterationQuery: too many samples"},
      {"1: 2", "Prometheus refuses spec.loss.query or spec.loss.iterationQuery: 1: 2"},
      {"", "Prometheus refuses spec.loss.query or spec.loss.iterationQuery: "},
      {"1:3: x", "Prometheus refuses spec.loss.query: x"},
      {"-2:7: x", "Prometheus refuses spec.loss.query or spec.loss.iterationQuery: -2:7: x"},
      {"0:7: x", "Prometheus refuses spec.loss.query or spec.loss.iterationQuery: 0:7: x"},
      {"2:-7: x", "Prometheus refuses spec.loss.query or spec.loss.iterationQuery: 2:-7: x"},
      {"2147483647:7: x", "Prometheus refuses spec.loss.query or spec.loss.iterationQuery: 2147483647:7: x"},
  };
  for (const auto& [said, sentence] : cases) EXPECT_EQ(explainRefusal(begin + said, two), sentence);
}

}  // namespace
}  // namespace slaq::prom
