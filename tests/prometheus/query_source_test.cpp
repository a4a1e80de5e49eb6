// Jobs with PromQL of their own: whose turn it is, and what one that fails does to the others.
#include "prometheus/query_source.h"

#include <gmock/gmock.h>

#include "prometheus/answers.h"
#include "prometheus/recording_client.h"
#include "support/scripted_server.h"

namespace slaq::prom {
namespace {

using test::answerOf;
using test::kNow;
using test::RecordingClient;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

LossRequest plain(const std::string& name) {
  return {.job = {"ns", name}, .uid = name, .since = kNow - Seconds(5)};
}

LossRequest own(const std::string& name) {
  auto job = plain(name);
  job.query = "loss_of_" + name;
  job.iterationQuery = "step_of_" + name;
  return job;
}

// Answers each job with one sample, and remembers which it was asked for.
class OtherSource final : public LossSource {
 public:
  explicit OtherSource(std::vector<std::string>& asked) : asked_(asked) {}
  Result<LossReport> collect(const std::vector<LossRequest>& jobs, Time now) override {
    LossReport report;
    for (const auto& job : jobs) {
      asked_.push_back(job.job.name);
      report[job.job].samples = {{now, Iterations(1), Loss(2)}};
    }
    return report;
  }

 private:
  std::vector<std::string>& asked_;
};

std::string goodAnswer() {
  return answerOf({{"m", {{"slaq_series", "loss"}}, {{999'999, "0.5"}}},
                   {"m", {{"slaq_series", "iteration"}}, {{999'999, "7"}}}});
}

class QuerySourceTest : public ::testing::Test {
 protected:
  QuerySource source(QueryOptions options = {}) {
    return {std::move(options), std::make_unique<OtherSource>(others_),
            std::make_unique<RecordingClient>(asked_, answer_)};
  }
  // The names of the jobs that Prometheus was asked about since the last call.
  std::vector<std::string> takeAsked() {
    std::vector<std::string> names;
    for (const auto& request : std::exchange(asked_, {})) {
      const auto at = request.body.find("loss_of_") + 8;
      names.push_back(request.body.substr(at, request.body.find('%', at) - at));
    }
    return names;
  }

  std::vector<std::string> others_;
  std::vector<http::HttpRequest> asked_;
  RecordingClient::Answer answer_ = [](const http::HttpRequest&) {
    return http::HttpResponse{200, goodAnswer(), {}};
  };
};

TEST_F(QuerySourceTest, AsksForEachJobOnceAndLeavesTheOthersToTheOther) {
  QueryOptions options;
  options.pathPrefix = "/prefix";
  options.headers = {{"X-Scope-OrgID", "team"}};
  auto queries = source(options);
  const auto report = queries.collect({own("a"), plain("b"), own("c")}, kNow).value();
  EXPECT_THAT(others_, ElementsAre("b"));
  ASSERT_THAT(asked_, SizeIs(2));
  EXPECT_EQ(asked_[0].path, "/prefix/api/v1/query_range");
  EXPECT_EQ(asked_[0].headers.at("X-Scope-OrgID"), "team");
  EXPECT_THAT(asked_[0].body, testing::EndsWith("&timeout=2s"));
  EXPECT_THAT(report.at({"ns", "a"}).samples,
              ElementsAre(LossSample{kNow - Seconds(1), Iterations(7), Loss(0.5)}));
  EXPECT_THAT(report.at({"ns", "b"}).samples, SizeIs(1));
  EXPECT_THAT(report.at({"ns", "c"}).samples, SizeIs(1));
}

TEST_F(QuerySourceTest, GivesEachJobItsTurn) {
  QueryOptions options;
  options.jobsOfOneEpoch = 2;
  auto queries = source(options);
  const std::vector<LossRequest> jobs = {own("a"), own("b"), own("c")};
  EXPECT_THAT(queries.collect(jobs, kNow).value(), SizeIs(2));
  EXPECT_THAT(takeAsked(), ElementsAre("a", "b"));
  ASSERT_TRUE(queries.collect(jobs, kNow));
  EXPECT_THAT(takeAsked(), ElementsAre("c", "a"));
  ASSERT_TRUE(queries.collect({own("b")}, kNow));
  EXPECT_THAT(takeAsked(), ElementsAre("b")) << "whoever is left";
}

TEST_F(QuerySourceTest, WaitsForNobodyAfterOneThatIsTooSlow) {
  answer_ = [](const http::HttpRequest& request) -> Result<http::HttpResponse> {
    if (request.body.find("loss_of_b") == std::string::npos) return http::HttpResponse{200, goodAnswer(), {}};
    return failure(ErrorKind::Transient, "no answer within 2 s");
  };
  auto queries = source();
  const std::vector<LossRequest> jobs = {own("a"), own("b"), own("c")};
  const auto report = queries.collect(jobs, kNow).value();
  EXPECT_THAT(takeAsked(), ElementsAre("a", "b"));
  EXPECT_THAT(report.at({"ns", "a"}).samples, SizeIs(1));
  EXPECT_EQ(report.at({"ns", "b"}).problem, "no answer within 2 s");
  EXPECT_FALSE(report.contains({"ns", "c"})) << "it has its turn next";
  ASSERT_TRUE(queries.collect(jobs, kNow));
  EXPECT_THAT(takeAsked(), ElementsAre("c", "a", "b"));
}

TEST_F(QuerySourceTest, TellsTheOneWhoWasAskedForOfSilence) {
  answer_ = [](const http::HttpRequest&) { return failure(ErrorKind::Transient, "connection refused"); };
  auto queries = source();
  const auto report = queries.collect({own("a"), own("b")}, kNow).value();
  EXPECT_EQ(report.at({"ns", "a"}).problem, "connection refused");
  EXPECT_FALSE(report.contains({"ns", "b"}));
  EXPECT_THAT(queries.collect({own("a"), plain("b")}, kNow).value().at({"ns", "b"}).samples, SizeIs(1));
  EXPECT_THAT(queries.collect({}, kNow).value(), IsEmpty());
}

TEST_F(QuerySourceTest, PassesPrometheusOwnWordsOn) {
  answer_ = [](const http::HttpRequest&) {
    return http::HttpResponse{
        400,
        R"({"status":"error","errorType":"bad_data","error":"invalid parameter \"query\": 2:3: parse error: no such function"})",
        {}};
  };
  auto queries = source();
  EXPECT_EQ(queries.collect({own("a")}, kNow)->at({"ns", "a"}).problem,
            "Prometheus refuses spec.loss.query, line 1, column 3: parse error: no such function");
}

TEST_F(QuerySourceTest, SaysWhatIsWrongWithAnAnswerOfAnotherKind) {
  const std::pair<Result<http::HttpResponse>, const char*> cases[] = {
      {http::HttpResponse{403, "no", {}}, "HTTP status 403"},
      {http::HttpResponse{400, "no", {}},
       "the answer to spec.loss.query can't be used (the answer is not one of Prometheus"},
      {failure(ErrorKind::Malformed, "the answer is longer than 1048576 bytes"),
       "the answer to spec.loss.query can't be used (the answer is longer than 1048576 bytes); aggregate it, "
       "such as "
       "max(...)"},
  };
  for (const auto& [answer, sentence] : cases) {
    answer_ = [&](const http::HttpRequest&) { return answer; };
    auto queries = source();
    EXPECT_THAT(queries.collect({own("a")}, kNow)->at({"ns", "a"}).problem.value_or(""), HasSubstr(sentence));
  }
}

TEST_F(QuerySourceTest, CutsOffAnAnswerThatIsTooLong) {
  test::ScriptedServer server(test::answering([](const test::ReceivedRequest&, test::Connection& connection) {
    connection.reply(200, goodAnswer() + std::string(3000, ' '));
  }));
  QueryOptions options;
  options.endpoint.url = server.url();
  options.mostBytes = 2000;
  QuerySource queries(options, std::make_unique<OtherSource>(others_));
  EXPECT_THAT(queries.collect({own("a")}, kNow)->at({"ns", "a"}).problem.value_or(""),
              HasSubstr("the answer is longer than 2000 bytes); aggregate it, such as max(...)"));
}

TEST_F(QuerySourceTest, RefusesQueriesWhereTheyAreNotAllowed) {
  QueryRefusal refusal("not allowed here", std::make_unique<OtherSource>(others_));
  const auto report = refusal.collect({own("a"), plain("b")}, kNow).value();
  EXPECT_EQ(report.at({"ns", "a"}).problem, "not allowed here");
  EXPECT_THAT(report.at({"ns", "b"}).samples, SizeIs(1));
  EXPECT_THAT(others_, ElementsAre("b"));
}

}  // namespace
}  // namespace slaq::prom
