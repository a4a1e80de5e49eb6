// slaq explain against an API server, from the command line to the exit code.
#include "cli/explain/explain_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "cli/api_server.h"
#include "cli/command_line.h"

namespace slaq::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class ExplainCommand : public ::testing::Test {
 protected:
  ExplainCommand() {
    server.add("team-a", "logreg", jobJson("team-a", "logreg"));
    server.add("team-b", "kmeans", jobJson("team-b", "kmeans"));
    server.list("/api/v1/namespaces/team-a/events",
                {json("{'type': 'Normal', 'reason': 'Scaled', 'message': '4 -> 5 workers', 'count': 3, "
                      "'lastTimestamp': '2026-01-31T12:01:00Z'}"),
                 json("{'type': 'Warning', 'reason': 'MetricsUnavailable', 'message': 'no series', "
                      "'lastTimestamp': '2026-01-31T12:00:30Z'}")});
    server.list("/api/v1/namespaces/team-b/events", {});
  }

  Said explain(std::vector<std::string> words) {
    words.insert(words.begin(), "explain");
    words.insert(words.end(), {"--kubeconfig", server.kubeconfig()});
    return say(words);
  }

  ApiServer server;
};

TEST_F(ExplainCommand, TellsOfAJobWithItsEvents) {
  const auto said = explain({"logreg"});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.out, AllOf(HasSubstr("team-a/logreg  Running for "), HasSubstr("4 -> 5: it gains most"),
                              HasSubstr("Scaled: 4 -> 5 workers (3 times)"),
                              HasSubstr("Warning MetricsUnavailable: no series")));
  EXPECT_LT(said.out.find("MetricsUnavailable"), said.out.find("Scaled"));
  EXPECT_EQ(said.err, "");
}

TEST_F(ExplainCommand, AsksForTheEventsOfThisJobOnly) {
  explain({"logreg"});
  EXPECT_EQ(server.requests().back(),
            "/api/v1/namespaces/team-a/events?limit=500&fieldSelector=involvedObject.kind%3DTrainingJob%2C"
            "involvedObject.name%3Dlogreg%2CinvolvedObject.uid%3Duid-logreg");
}

TEST_F(ExplainCommand, FindsAJobByItsNamespaceToo) {
  EXPECT_THAT(explain({"team-b/kmeans"}).out, HasSubstr("team-b/kmeans  Running"));
  EXPECT_THAT(explain({"kmeans", "-n", "team-b"}).out, HasSubstr("team-b/kmeans  Running"));
  EXPECT_THAT(explain({"kmeans", "--context", "there"}).out, HasSubstr("team-b/kmeans  Running"));
}

TEST_F(ExplainCommand, NamesTheJobThatWasMeant) {
  const auto said = explain({"logrge"});
  EXPECT_EQ(said.code, 1);
  EXPECT_EQ(said.out, "");
  EXPECT_EQ(said.err, "slaq: there is no TrainingJob team-a/logrge; did you mean logreg?\n");
  EXPECT_EQ(explain({"zzzzzzzz"}).err, "slaq: there is no TrainingJob team-a/zzzzzzzz; there is logreg\n");
}

TEST_F(ExplainCommand, WithoutANameTellsOfTheOnlyJobOrNamesAll) {
  EXPECT_THAT(explain({}).out, HasSubstr("team-a/logreg  Running"));
  server.add("team-a", "mlp", jobJson("team-a", "mlp"));
  const auto said = explain({});
  EXPECT_EQ(said.code, 2);
  EXPECT_EQ(said.err, "slaq: name one of the 2 jobs: logreg, mlp\n");
}

TEST_F(ExplainCommand, SaysWhenTheClusterKnowsNoTrainingJobs) {
  const auto said = explain({"logreg", "-n", "team-c"});
  EXPECT_EQ(said.code, 1);
  EXPECT_THAT(said.err, HasSubstr("does not know TrainingJobs; install slaq on it first"));
}

TEST_F(ExplainCommand, TellsOfTheJobWhereEventsAreForbidden) {
  server.answer("/api/v1/namespaces/team-a/events", 403, json("{'message': 'events is forbidden'}"));
  const auto said = explain({"logreg"});
  EXPECT_EQ(said.code, 0);
  EXPECT_THAT(said.out, HasSubstr("the events can't be read: events is forbidden"));
}

TEST_F(ExplainCommand, RefusesTwoNamespacesAndNone) {
  EXPECT_EQ(
      explain({"team-a/logreg", "-n", "team-b"}).err,
      "slaq: \"team-a/logreg\" is not in the namespace team-b that --namespace names; give one of them\n");
  for (const char* odd : {"", "/", "a/", "/b", "a/b/c"}) {
    const auto said = explain({odd});
    EXPECT_EQ(said.code, 2) << odd;
    EXPECT_THAT(said.err, HasSubstr("names no job; write JOB or NAMESPACE/JOB")) << odd;
  }
}

constexpr const char* kPrometheusPath =
    "/api/v1/namespaces/monitoring/services/prometheus:9090/proxy/api/v1/query_range";

TEST_F(ExplainCommand, DrawsTheLossThatAPrometheusBehindTheApiServerHas) {
  server.answer(kPrometheusPath, 200,
                json("{'status': 'success', 'data': {'resultType': 'matrix', 'result': [{'metric': {}, "
                     "'values': [[1769860810, '2'], [1769860820, '1'], [1769860830, '0.5']]}]}}"));
  const auto said = explain({"logreg", "--prometheus", "monitoring/prometheus:9090"});
  EXPECT_EQ(said.err, "");
  EXPECT_THAT(said.out, HasSubstr("Loss over time\n"));
  EXPECT_THAT(server.requests().back(), HasSubstr("training_job%3D%22logreg%22"));
}

TEST_F(ExplainCommand, DoesWithoutACurveThatIsNotToBeHad) {
  const auto said = explain({"logreg", "--prometheus", "monitoring/prometheus:9090"});
  EXPECT_EQ(said.code, 0);
  EXPECT_THAT(said.err, HasSubstr("no loss curve: "));
  EXPECT_THAT(said.out, AllOf(HasSubstr("4 -> 5: it gains most"), Not(HasSubstr("Loss over time"))));
  const auto misspelt = explain({"logreg", "--prometheus", "localhost"});
  EXPECT_EQ(misspelt.code, 2);
  EXPECT_THAT(misspelt.err, HasSubstr("is neither a URL such as http://localhost:9090 nor a service"));
}

TEST_F(ExplainCommand, PrintsJson) {
  const auto said = explain({"logreg", "--output", "json"});
  rapidjson::Document document;
  document.Parse(said.out.c_str());
  ASSERT_FALSE(document.HasParseError()) << said.out;
  EXPECT_STREQ(document["scheduling"].GetString(), "Quality");
  EXPECT_EQ(document["events"].Size(), 2u);
  EXPECT_STREQ(document["events"][1]["reason"].GetString(), "Scaled");
  EXPECT_STREQ(document["conditions"][0]["type"].GetString(), "Ready");
}

}  // namespace
}  // namespace slaq::test
