// slaq check against an API server, from the command line to the exit code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <rapidjson/pointer.h>

#include "base/clock.h"
#include "base/text_file.h"
#include "cli/api_server.h"
#include "cli/check/check_report.h"
#include "cli/check/definition.h"
#include "cli/check/rights.h"
#include "cli/command_line.h"
#include "config/read_configuration.h"
#include "kube/json/json_fields.h"
#include "manifest/object_writer.h"
#include "yaml/read_yaml.h"

namespace slaq::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

constexpr const char* kReviews = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
constexpr const char* kLocalReviews =
    "/apis/authorization.k8s.io/v1/namespaces/slaq-system/localsubjectaccessreviews";
constexpr const char* kLease = "/apis/coordination.k8s.io/v1/namespaces/slaq-system/leases/slaq-controller";
constexpr const char* kConfigMap = "/api/v1/namespaces/slaq-system/configmaps/slaq";
constexpr const char* kDeployments = "/apis/apps/v1/deployments";
const std::string kPrometheus = "/api/v1/namespaces/monitoring/services/prom:9090/proxy/api/v1/query";

rapidjson::Document ownSchema() {
  const auto text = readTextFile(SLAQ_CRD);
  const auto documents = yaml::readYaml("crd", *text);
  rapidjson::Document schema;
  schema.CopyFrom(*rapidjson::Pointer("/spec/versions/0/schema/openAPIV3Schema")
                       .Get(static_cast<const rapidjson::Value&>(documents->front().value)),
                  schema.GetAllocator());
  return schema;
}

std::string deployment(int ready) {
  return json(
      "{'metadata': {'name': 'slaq', 'namespace': 'slaq-system', 'labels': {'app.kubernetes.io/version': "
      "'0.1.0'}}, "
      "'spec': {'replicas': 2, 'template': {'spec': {'serviceAccountName': 'slaq', 'volumes': [{'name': "
      "'config', "
      "'configMap': {'name': 'slaq'}}]}}}, 'status': {'readyReplicas': " +
      std::to_string(ready) + "}}");
}

std::string configMap(const std::string& configuration) {
  rapidjson::Document document;
  auto& allocator = document.GetAllocator();
  manifest::ObjectWriter map(allocator);
  map.add("data", manifest::ObjectWriter(allocator).add("config.yaml", configuration).take());
  return manifest::toText(map.take());
}

// A cluster on which all is well.
class CheckCommand : public ::testing::Test {
 protected:
  CheckCommand() {
    server.answer("/version", 200, json("{'gitVersion': 'v1.35.4'}"));
    server.answer("/api/v1", 200, json("{'resources': [{'name': 'pods'}, {'name': 'pods/resize'}]}"));
    answerSchema(ownSchema());
    server.list(kDeployments, {deployment(2)});
    configure(
        "capacity: {cores: 64}\nloss: {prometheus: {serverAddress: \"http://prom.monitoring.svc:9090\"}}\n");
    answerLease("slaq-1", now());
    server.answer(kReviews, 201, json("{'status': {'allowed': true}}"));
    server.answer(kLocalReviews, 201, json("{'status': {'allowed': true}}"));
    server.answer(kPrometheus, 200,
                  json("{'status': 'success', 'data': {'resultType': 'scalar', 'result': [1, '" +
                       toDecimal(now().time_since_epoch().count(), 13) + "']}}"));
    server.list("/apis/slaq.io/v1alpha1/trainingjobs", {});
    server.add("team-a", "logreg", jobJson("team-a", "logreg"));
  }

  static Time now() { return SystemClock().now(); }

  void answerSchema(const rapidjson::Value& schema) {
    server.answer(
        "/openapi/v3/apis/slaq.io/v1alpha1", 200,
        R"({"components": {"schemas": {"io.slaq.v1alpha1.TrainingJob": )" + manifest::toText(schema) + "}}}");
  }
  void configure(const std::string& text) { server.answer(kConfigMap, 200, configMap(text)); }
  void answerLease(const std::string& holder, Time renewed) {
    server.answer(kLease, 200,
                  json("{'spec': {'holderIdentity': '" + holder +
                       "', 'leaseDurationSeconds': 15, 'renewTime': '" + toRfc3339(renewed) + "'}}"));
  }

  Said check(std::vector<std::string> words = {}) {
    words.insert(words.begin(), "check");
    words.insert(words.end(), {"--kubeconfig", server.kubeconfig()});
    return say(words);
  }

  ApiServer server;
};

TEST_F(CheckCommand, FindsNothingWhereAllIsWell) {
  const auto said = check();
  EXPECT_EQ(said.code, 0) << said.out << said.err;
  EXPECT_THAT(said.out,
              AllOf(HasSubstr("v1.35.4 at "), HasSubstr("slaq-system/slaq 0.1.0: 2 of 2 replicas are ready"),
                    HasSubstr("Schedule by LookAhead, 64 cores"), HasSubstr("slaq-1 renewed the Lease"),
                    HasSubstr("the controller has all that it needs"),
                    HasSubstr("http://prom.monitoring.svc:9090 answers"),
                    HasSubstr("the loss of all 1 that run is read"),
                    HasSubstr("slaq can do its work on this cluster"), Not(HasSubstr("->"))));
}

TEST_F(CheckCommand, IsReadByProgramsToo) {
  rapidjson::Document document;
  answerLease("", now());
  const auto said = check({"--format", "json"});
  EXPECT_EQ(said.code, 1);
  document.Parse(said.out.c_str());
  ASSERT_FALSE(document.HasParseError()) << said.out;
  EXPECT_FALSE(document["ok"].GetBool());
  EXPECT_STREQ(document["checks"][4]["check"].GetString(), "leader");
  EXPECT_STREQ(document["checks"][4]["verdict"].GetString(), "Bad");
  EXPECT_STREQ(document["checks"][4]["mend"].GetString(), "kubectl -n slaq-system logs deployment/slaq");
}

TEST_F(CheckCommand, SaysWhenTheServerDoesNotAnswerAndAsksNoMore) {
  server.answerAll(500, json("{'message': 'etcd is gone'}"));
  const auto said = check();
  EXPECT_EQ(said.code, 1);
  EXPECT_THAT(said.out, AllOf(HasSubstr("FAIL  API server"), HasSubstr("etcd is gone"),
                              HasSubstr("1 of 1 checks failed")));
}

TEST_F(CheckCommand, NamesTheFieldsThatTheClusterDoesNotKnow) {
  auto schema = ownSchema();
  rapidjson::Pointer("/properties/spec/properties/stop").Erase(schema);
  answerSchema(schema);
  EXPECT_THAT(check().out, AllOf(HasSubstr("is of another version; it lacks spec.stop"),
                                 HasSubstr("-> kubectl apply --server-side -f crds/")));
}

TEST_F(CheckCommand, SaysThatTheClusterKnowsNoTrainingJobs) {
  server.answer("/openapi/v3/apis/slaq.io/v1alpha1", 404, "{}");
  EXPECT_THAT(check().out, HasSubstr("the cluster does not know TrainingJobs"));
}

TEST_F(CheckCommand, SaysThatThereIsNoControllerOrMoreThanOne) {
  server.list(kDeployments, {});
  EXPECT_THAT(check().out,
              AllOf(HasSubstr("there is no Deployment with the label app.kubernetes.io/name=slaq in any"),
                    HasSubstr("-> helm install slaq")));
  server.list(kDeployments, {deployment(2), deployment(2)});
  EXPECT_THAT(check().out, HasSubstr("name the one that is meant with --operator-namespace"));
  server.list("/apis/apps/v1/namespaces/slaq-system/deployments", {deployment(1)});
  EXPECT_THAT(check({"--operator-namespace", "slaq-system"}).out,
              HasSubstr("only 1 of 2 replicas are ready"));
}

TEST_F(CheckCommand, ReadsTheConfigurationAsTheControllerDoes) {
  configure("capacity: {core: 64}\n");
  EXPECT_THAT(check().out, HasSubstr("FAIL  configuration"));
}

TEST_F(CheckCommand, SaysThatNobodyLeads) {
  answerLease("slaq-1", now() - Seconds(40));
  EXPECT_THAT(check().out, HasSubstr("slaq-1 has not renewed the Lease for 4"));
  server.answer(kLease, 404, "{}");
  EXPECT_THAT(check().out, HasSubstr("there is no Lease, so that nobody decides"));
}

TEST_F(CheckCommand, NamesTheRightsThatAreMissing) {
  server.answer(kLocalReviews, 201, json("{'status': {'allowed': false}}"));
  EXPECT_THAT(
      check().out,
      HasSubstr(
          "system:serviceaccount:slaq-system:slaq may not get leases.coordination.k8s.io slaq-controller"));
  server.answer(kReviews, 403, json("{'message': 'subjectaccessreviews is forbidden'}"));
  const auto said = check();
  EXPECT_EQ(said.code, 0) << said.out;
  EXPECT_THAT(said.out, AllOf(HasSubstr("?     rights"), HasSubstr("-> kubectl auth can-i --list --as=")));
}

TEST_F(CheckCommand, AsksPrometheusByTheWayThatThereIs) {
  server.answer(kPrometheus, 503, "");
  EXPECT_THAT(check().out, AllOf(HasSubstr("FAIL  Prometheus"), HasSubstr("it answers 503 to a query")));
  configure("capacity: {cores: 64}\nloss: {prometheus: {serverAddress: \"https://prom.example.com\"}}\n");
  const auto said = check();
  EXPECT_EQ(said.code, 0) << said.out;
  EXPECT_THAT(said.out, HasSubstr("https://prom.example.com can't be asked from here"));
}

TEST_F(CheckCommand, NamesTheTrainingsWhoseLossIsNotRead) {
  std::string job = jobJson("team-a", "logreg");
  job.replace(job.find("\"conditions\": ["), 15,
              json("'conditions': [{'type': 'MetricsAvailable', 'status': 'False', 'reason': 'NoLoss', "
                   "'message': 'no sample of training_loss was found'},"));
  server.list("/apis/slaq.io/v1alpha1/trainingjobs", {job});
  EXPECT_THAT(check().out,
              AllOf(HasSubstr("no loss is read of team-a/logreg: no sample of training_loss was found"),
                    HasSubstr("-> kubectl slaq explain team-a/logreg")));
}

TEST_F(CheckCommand, SaysThatClocksAreApart) {
  server.answer(kPrometheus, 200,
                json("{'data': {'resultType': 'scalar', 'result': [1, '" +
                     toDecimal((now() + Seconds(90)).time_since_epoch().count(), 13) + "']}}"));
  EXPECT_THAT(check().out, AllOf(HasSubstr("FAIL  clocks"), HasSubstr("Prometheus' is 90 s ahead")));
}

TEST(Definition, IsComparedFieldByField) {
  auto schema = ownSchema();
  EXPECT_THAT(cli::check::missingFields(schema), IsEmpty());
  rapidjson::Pointer("/properties/status/properties/speeds/items/properties/measured").Erase(schema);
  rapidjson::Pointer("/properties/spec/properties/loss").Erase(schema);
  EXPECT_THAT(cli::check::missingFields(schema), UnorderedElementsAre("spec.loss", "status.speeds.measured"));
}

TEST(Rights, AreThoseOfTheModeAndTheCapacity) {
  const auto needed = [](const std::string& more) {
    const auto configuration = config::readConfiguration(
        "c.yaml", "loss: {prometheus: {serverAddress: \"http://p:9090\"}}\n" + more);
    std::vector<std::string> words;
    for (const auto& right : cli::check::neededRights(*configuration, "slaq-system"))
      words.push_back(toString(right));
    return words;
  };
  using ::testing::Contains;
  EXPECT_THAT(
      needed("capacity: {cores: 4}\n"),
      AllOf(Contains("patch pods/resize"), Not(Contains("list nodes")), Contains("patch jobs.batch")));
  EXPECT_THAT(needed("capacity: {automatic: true}\n"), Contains("list nodes"));
  EXPECT_THAT(needed("capacity: {cores: 4}\nmode: Observe\n"),
              AllOf(Not(Contains("patch pods/resize")), Not(Contains("patch jobs.batch")),
                    Contains("patch trainingjobs/status.slaq.io")));
  EXPECT_THAT(needed("capacity: {cores: 4}\nnamespace: team-a\n"), Contains("list pods in team-a"));
}

}  // namespace
}  // namespace slaq::test
