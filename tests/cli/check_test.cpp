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
#include "cli/check/findings.h"
#include "cli/check/rights.h"
#include "cli/command_line.h"
#include "config/read_configuration.h"
#include "kube/json/json_fields.h"
#include "manifest/object_writer.h"
#include "release/version.h"
#include "yaml/read_yaml.h"

namespace slaq::test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
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
constexpr const char* kAutoscalers = "/apis/autoscaling/v2/horizontalpodautoscalers";
constexpr const char* kWorkers = "/apis/batch/v1/namespaces/team-a/jobs/logreg-workers";
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

std::string deployment(int ready, int updated = 2, const std::string& progressing = "True",
                       const std::string& version = release::thisBuild().version) {
  return json(
      "{'metadata': {'name': 'slaq', 'namespace': 'slaq-system', 'generation': 3, 'labels': "
      "{'app.kubernetes.io/instance': 'mine', 'app.kubernetes.io/version': '" +
      version +
      "'}}, 'spec': {'replicas': 2, 'template': {'spec': {'serviceAccountName': 'slaq', 'volumes': [{'name': "
      "'config', 'configMap': {'name': 'slaq'}}]}}}, 'status': {'observedGeneration': 3, 'readyReplicas': " +
      std::to_string(ready) + ", 'updatedReplicas': " + std::to_string(updated) +
      ", 'conditions': [{'type': 'Progressing', 'status': '" + progressing + "'}]}}");
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
    answerLease("slaq-1", Seconds(0));
    server.answer(kReviews, 201, json("{'status': {'allowed': true}}"));
    server.answer(kLocalReviews, 201, json("{'status': {'allowed': true}}"));
    answerTime(Seconds(0));
    server.list("/apis/slaq.io/v1alpha1/trainingjobs", {});
    server.add("team-a", "logreg", jobWhoseLossIsRead("True"));
    server.list(kAutoscalers, {});
    server.answer(kWorkers, 200, json("{'spec': {'parallelism': 5, 'completions': 5}}"));
  }

  // Kueue with this configuration; a LocalQueue named default in each of these namespaces.
  void installKueue(const std::string& configuration, const std::vector<std::string>& defaultQueues = {},
                    const std::string& arguments = "") {
    server.answer(
        "/apis/kueue.x-k8s.io", 200,
        json("{'preferredVersion': {'groupVersion': 'kueue.x-k8s.io/v1beta2', 'version': 'v1beta2'}}"));
    server.answer(
        std::string(kDeployments) + "?limit=500&labelSelector=app.kubernetes.io%2Fname%3Dkueue", 200,
        json("{'metadata': {'resourceVersion': '9'}, 'items': [{'metadata': {'namespace': "
             "'kueue-system', 'name': "
             "'kueue-controller-manager'}, 'spec': {'template': {'spec': {'containers': [{'args': [" +
             arguments +
             "]}], 'serviceAccountName': "
             "'kueue-controller-manager', 'volumes': [{'name': 'manager-config', 'configMap': "
             "{'name': 'kueue-manager-config'}}]}}}}]}"));
    rapidjson::Document document;
    auto& allocator = document.GetAllocator();
    manifest::ObjectWriter map(allocator);
    map.add("data",
            manifest::ObjectWriter(allocator).add("controller_manager_config.yaml", configuration).take());
    server.answer("/api/v1/namespaces/kueue-system/configmaps/kueue-manager-config", 200,
                  manifest::toText(map.take()));
    std::vector<std::string> queues;
    for (const auto& ns : defaultQueues)
      queues.push_back(json("{'metadata': {'namespace': '" + ns + "', 'name': 'default'}}"));
    server.list("/apis/kueue.x-k8s.io/v1beta2/localqueues", queues);
  }

  static std::string jobWhoseLossIsRead(const std::string& isRead) {
    std::string job = jobJson("team-a", "logreg");
    job.replace(job.find("\"conditions\": ["), 15,
                json("'conditions': [{'type': 'MetricsAvailable', 'status': '" + isRead +
                     "', 'reason': 'R', 'message': 'no sample of training_loss was found'},"));
    return job;
  }

  void answerSchema(const rapidjson::Value& schema) {
    server.answer(
        "/openapi/v3/apis/slaq.io/v1alpha1", 200,
        R"({"components": {"schemas": {"io.slaq.v1alpha1.TrainingJob": )" + manifest::toText(schema) + "}}}");
  }
  void configure(const std::string& text) { server.answer(kConfigMap, 200, configMap(text)); }
  // One that was renewed so long before it is read.
  void answerLease(const std::string& holder, Seconds ago) {
    server.answer(kLease, 200, [holder, ago] {
      return json("{'spec': {'holderIdentity': '" + holder + "', 'leaseDurationSeconds': 15, 'renewTime': '" +
                  toRfc3339(SystemClock().now() - ago) + "'}}");
    });
  }
  // Prometheus' clock is so far ahead of this machine's.
  void answerTime(Seconds ahead) {
    server.answer(kPrometheus, 200, [ahead] {
      return json("{'status': 'success', 'data': {'resultType': 'scalar', 'result': [1, '" +
                  toDecimal((SystemClock().now() + ahead).time_since_epoch().count(), 13) + "']}}");
    });
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
                    HasSubstr("the loss is read of all that need one, 1"),
                    HasSubstr("slaq can do its work on this cluster"), Not(HasSubstr("->"))));
}

TEST_F(CheckCommand, IsReadByProgramsToo) {
  rapidjson::Document document;
  answerLease("", Seconds(0));
  const auto said = check({"--output", "json"});
  EXPECT_EQ(said.code, 1);
  document.Parse(said.out.c_str());
  ASSERT_FALSE(document.HasParseError()) << said.out;
  EXPECT_FALSE(document["ok"].GetBool());
  EXPECT_STREQ(document["checks"][4]["check"].GetString(), "leader");
  EXPECT_STREQ(document["checks"][4]["verdict"].GetString(), "Bad");
  EXPECT_STREQ(document["checks"][4]["mend"].GetString(),
               "kubectl -n slaq-system logs -l app.kubernetes.io/instance=mine --prefix --tail=-1");
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
  EXPECT_THAT(check().out,
              AllOf(HasSubstr("FAIL  definition"), HasSubstr("trainingjobs.slaq.io lacks spec.stop"),
                    HasSubstr("-> kubectl apply --server-side -f crds/")));
}

TEST_F(CheckCommand, JudgesNothingThatHangsOnAVersionWhichItDoesNotKnow) {
  auto schema = ownSchema();
  rapidjson::Pointer("/properties/spec/properties/stop").Erase(schema);
  answerSchema(schema);
  server.list(kDeployments, {deployment(2, 2, "True", "9.9.9")});
  configure("capacity: {cores: 64}\nfuture: true\n");
  const auto said = check();
  EXPECT_EQ(said.code, 0) << said.out;
  EXPECT_THAT(said.out, AllOf(HasSubstr("?     definition"), HasSubstr("?     configuration"),
                              HasSubstr("-> use the slaq command of the controller's version, 9.9.9"),
                              HasSubstr("no check failed; look at 2 with a ?")));
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
  EXPECT_THAT(check().out, HasSubstr("name the one that is meant with --namespace and --release"));
  server.list("/apis/apps/v1/namespaces/slaq-system/deployments", {deployment(1)});
  EXPECT_THAT(check({"--namespace", "slaq-system"}).out, HasSubstr("only 1 of 2 replicas are ready"));
  check({"--namespace", "slaq-system", "--release", "mine"});
  EXPECT_THAT(server.requests(),
              Contains(HasSubstr(
                  "labelSelector=app.kubernetes.io%2Fname%3Dslaq%2Capp.kubernetes.io%2Finstance%3Dmine")));
}

TEST_F(CheckCommand, TellsARolloutFromOneThatIsStuck) {
  server.list(kDeployments, {deployment(3)});  // one more while an old one ends
  EXPECT_EQ(check().code, 0);
  server.list(kDeployments, {deployment(2, 1)});
  EXPECT_THAT(check().out,
              AllOf(HasSubstr("is being rolled out"), HasSubstr("-> kubectl -n slaq-system rollout status")));
  server.list(kDeployments, {deployment(2, 1, "False")});
  EXPECT_THAT(check().out,
              HasSubstr("FAIL  controller     slaq-system/slaq 0.1.0: the new version does not come up"));
}

TEST_F(CheckCommand, TakesWhatItMayNotReadForNoFault) {
  server.answer(kDeployments, 403, json("{'message': 'deployments is forbidden'}"));
  const auto controller = check();
  EXPECT_EQ(controller.code, 0) << controller.out;
  EXPECT_THAT(controller.out, HasSubstr("?     controller     deployments is forbidden"));
}

TEST_F(CheckCommand, TakesAConfigurationThatItMayNotReadForNoFault) {
  server.answer(kConfigMap, 403, json("{'message': 'configmaps is forbidden'}"));
  const auto said = check();
  EXPECT_EQ(said.code, 0) << said.out;
  EXPECT_THAT(said.out, HasSubstr("?     configuration  configmaps is forbidden"));
}

TEST_F(CheckCommand, ReadsTheConfigurationAsTheControllerDoes) {
  configure("capacity: {core: 64}\n");
  EXPECT_THAT(check().out, HasSubstr("FAIL  configuration"));
}

TEST_F(CheckCommand, SaysThatNobodyLeads) {
  answerLease("slaq-1", Seconds(4000));
  EXPECT_THAT(check().out, HasSubstr("slaq-1 has not renewed the Lease for 40"));
  server.answer(kLease, 404, "{}");
  EXPECT_THAT(check().out, HasSubstr("there is no Lease, so that nobody decides"));
}

TEST_F(CheckCommand, NamesTheRightsThatAreMissing) {
  server.answer(kLocalReviews, 201, json("{'status': {'allowed': false}}"));
  EXPECT_THAT(
      check().out,
      HasSubstr(
          "system:serviceaccount:slaq-system:slaq may not get leases.coordination.k8s.io slaq-controller"));
  // Also where others can't be asked about.
  server.answer(kReviews, 403, json("{'message': 'subjectaccessreviews is forbidden'}"));
  EXPECT_EQ(check().code, 1);
  server.answer(kLocalReviews, 201, json("{'status': {'allowed': true}}"));
  const auto said = check();
  EXPECT_EQ(said.code, 0) << said.out;
  EXPECT_THAT(said.out, AllOf(HasSubstr("?     rights"), HasSubstr("-> kubectl auth can-i --list --as=")));
}

TEST_F(CheckCommand, AsksPrometheusByTheWayThatThereIs) {
  // From outside nobody can tell whether it is Prometheus or the way that fails.
  server.answer(kPrometheus, 503, "");
  EXPECT_THAT(check().out, AllOf(HasSubstr("?     Prometheus"), HasSubstr("it answers 503 to a query"),
                                 HasSubstr("-> helm -n slaq-system test mine")));
  configure("capacity: {cores: 64}\nloss: {prometheus: {serverAddress: \"https://prom.example.com\"}}\n");
  const auto said = check();
  EXPECT_EQ(said.code, 0) << said.out;
  EXPECT_THAT(said.out, HasSubstr("https://prom.example.com can't be asked from here"));
}

TEST_F(CheckCommand, NamesTheTrainingsWhoseLossIsNotRead) {
  const std::string path = "/apis/slaq.io/v1alpha1/trainingjobs";
  server.list(path, {jobWhoseLossIsRead("False")});
  EXPECT_THAT(
      check().out,
      AllOf(HasSubstr("FAIL  trainings      no loss is read of team-a/logreg: no sample of training_loss"),
            HasSubstr("-> kubectl slaq explain team-a/logreg")));
  // One among others is its owner's matter.
  server.list(path, {jobWhoseLossIsRead("False"), jobWhoseLossIsRead("True")});
  EXPECT_EQ(check().code, 0);
  EXPECT_THAT(check().out, HasSubstr("?     trainings      no loss is read of team-a/logreg"));
  server.list(path, {jobWhoseLossIsRead("Unknown")});
  EXPECT_THAT(check().out, HasSubstr("none runs whose loss is needed yet"));
}

TEST_F(CheckCommand, SaysThatClocksAreApart) {
  answerTime(Seconds(90));
  EXPECT_THAT(check().out, AllOf(HasSubstr("FAIL  clocks"), HasSubstr("Prometheus' is "),
                                 HasSubstr(" s ahead of the API server's")));
}

TEST_F(CheckCommand, SaysNothingOfKueueWhereThereIsNone) {
  EXPECT_THAT(check().out, Not(HasSubstr("Kueue")));
}

TEST_F(CheckCommand, SaysWhichJobsKueueWouldSuspend) {
  installKueue("apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n");
  EXPECT_THAT(check().out, HasSubstr("ok    Kueue          manages only Jobs that name a queue"));
  installKueue("integrations: {frameworks: [batch/job]}\n", {"team-a", "team-b"});
  auto said = check();
  EXPECT_EQ(said.code, 1);
  EXPECT_THAT(said.out,
              AllOf(HasSubstr("FAIL  Kueue          suspends the Jobs of TrainingJobs in team-a, team-b"),
                    HasSubstr("-> add \"TrainingJob.v1alpha1.slaq.io\" to")));
  installKueue("manageJobsWithoutQueueName: true\n");
  EXPECT_THAT(check().out, HasSubstr("FAIL  Kueue          suspends each Job that names no queue"));
  installKueue("manageJobsWithoutQueueName: true\nintegrations: {frameworks: [pod]}\n");
  EXPECT_THAT(check().out, HasSubstr("ok    Kueue          does not manage Jobs"));
}

TEST_F(CheckCommand, SaysWhatKueueNeedsToLeaveJobsAlone) {
  installKueue(
      "manageJobsWithoutQueueName: true\nintegrations:\n  externalFrameworks:\n"
      "  - TrainingJob.v1alpha1.slaq.io\n",
      {"team-a"});
  EXPECT_THAT(check().out, HasSubstr("ok    Kueue          leaves the Jobs of TrainingJobs alone"));
  server.answer(kReviews, 201, json("{'status': {'allowed': false}}"));
  const auto said = check();
  EXPECT_EQ(said.code, 1);
  EXPECT_THAT(said.out, AllOf(HasSubstr("kueue-controller-manager may not list trainingjobs.slaq.io"),
                              HasSubstr("-> kubectl create clusterrole kueue-trainingjobs")));
}

TEST_F(CheckCommand, SaysWhetherJobsThatNameAQueueAreInOne) {
  std::string job = jobJson("team-a", "logreg");
  job.replace(job.find("\"metadata\": {"), 13,
              json("'metadata': {'labels': {'kueue.x-k8s.io/queue-name': 'q'}, "));
  server.add("team-a", "logreg", job);
  EXPECT_THAT(check().out,
              AllOf(HasSubstr("FAIL  queues         TrainingJob team-a/logreg names the queue q"),
                    HasSubstr("-> set config.kueue.enabled=true")));
  configure("capacity: {cores: 64}\nloss: {pods: {}}\nkueue: {enabled: true}\n");
  EXPECT_THAT(check().out,
              HasSubstr("FAIL  queues         config.kueue.enabled is set, and the cluster has no"));
  installKueue("featureGates: {ElasticJobsViaWorkloadSlices: false}\n");
  EXPECT_THAT(check().out, HasSubstr("FAIL  queues         Kueue admits no growth of a job while it runs"));
  installKueue("");
  EXPECT_THAT(check().out,
              HasSubstr("ok    queues         TrainingJobs that name a queue wait for its quota"));
  configure("capacity: {cores: 64}\nloss: {pods: {}}\nkueue: {enabled: true, priorityBoost: true}\n");
  EXPECT_THAT(check().out, AllOf(HasSubstr("?     queues         config.kueue.priorityBoost is set"),
                                 HasSubstr("-> set PriorityBoost to true in featureGates in ")));
  installKueue("featureGates: {PriorityBoost: true}\n");
  EXPECT_THAT(check().out, HasSubstr("ok    queues"));
  // Kueue does not start if both have gates.
  installKueue("featureGates: {PriorityBoost: true}\n", {},
               "'--zap-log-level=2', '--feature-gates=A=true,B=false'");
  EXPECT_THAT(check().out, HasSubstr("-> set PriorityBoost to true in the argument --feature-gates of the "
                                     "Deployment kueue-system/kueue-controller-manager"));
  installKueue("", {}, "'--feature-gates=A=true,PriorityBoost=true'");
  EXPECT_THAT(check().out, HasSubstr("ok    queues"));
  installKueue("", {}, "'--feature-gates=ElasticJobsViaWorkloadSlices=false,PriorityBoost=true'");
  EXPECT_THAT(check().out, AllOf(HasSubstr("FAIL  queues         Kueue admits no growth"),
                                 HasSubstr("Slices from the argument --feature-gates of the Deployment ")));
}

TEST_F(CheckCommand, TakesAKueueThatItMayNotReadForNoFault) {
  installKueue("");
  server.answer("/api/v1/namespaces/kueue-system/configmaps/kueue-manager-config", 403,
                json("{'message': 'configmaps is forbidden'}"));
  const auto said = check();
  EXPECT_EQ(said.code, 0) << said.out;
  EXPECT_THAT(said.out, HasSubstr("?     Kueue          configmaps is forbidden"));
}

TEST_F(CheckCommand, NamesAnAutoscalerThatSizesATrainingJob) {
  const auto scaler = [](const std::string& kind) {
    return json(
        "{'metadata': {'namespace': 'team-a', 'name': 'scaler'}, 'spec': {'scaleTargetRef': {'kind': '" +
        kind + "', 'name': 'logreg'}}}");
  };
  server.list(kAutoscalers, {scaler("Deployment")});
  EXPECT_THAT(check().out, HasSubstr("ok    autoscalers    none sizes a TrainingJob"));
  server.list(kAutoscalers, {scaler("Deployment"), scaler("TrainingJob")});
  const auto said = check();
  EXPECT_EQ(said.code, 1);
  EXPECT_THAT(said.out,
              AllOf(HasSubstr("FAIL  autoscalers    HorizontalPodAutoscaler team-a/scaler pins TrainingJob"),
                    HasSubstr("-> kubectl -n team-a delete hpa scaler")));
}

TEST_F(CheckCommand, NamesAnAutoscalerThatSizesWhatATrainingJobNames) {
  std::string job = jobWhoseLossIsRead("True");
  const std::string at = "\"minReplicas\"";
  job.replace(
      job.find(at), at.size(),
      json("'targetRef': {'apiVersion': 'apps/v1', 'kind': 'Deployment', 'name': 'train'}, 'minReplicas'"));
  server.list("/apis/slaq.io/v1alpha1/trainingjobs", {job});
  server.list(kAutoscalers,
              {json("{'metadata': {'namespace': 'team-a', 'name': 'scaler'}, 'spec': {'scaleTargetRef': "
                    "{'kind': 'Deployment', 'name': 'train'}}}")});
  EXPECT_THAT(check().out,
              HasSubstr("HorizontalPodAutoscaler team-a/scaler sizes Deployment train too, which"));
}

TEST_F(CheckCommand, TriesWhetherTheSizeOfAJobCanBeChanged) {
  EXPECT_THAT(check().out,
              HasSubstr("ok    elastic Jobs   the size of a running Indexed Job can be changed"));
  EXPECT_THAT(server.requests(), Contains(std::string(kWorkers) + "?dryRun=All"));
  server.answer(std::string(kWorkers) + "?dryRun=All", 422,
                json("{'message': 'spec.parallelism: Invalid value: 6: field is immutable'}"));
  const auto said = check();
  EXPECT_EQ(said.code, 1);
  EXPECT_THAT(said.out, AllOf(HasSubstr("FAIL  elastic Jobs"), HasSubstr("field is immutable"),
                              HasSubstr("EnableWorkloadWithJob")));
  server.answer(std::string(kWorkers) + "?dryRun=All", 403, json("{'message': 'jobs is forbidden'}"));
  EXPECT_THAT(check().out, Not(HasSubstr("elastic Jobs")));
}

TEST(Clocks, AreJudgedByWhatIsCertain) {
  using cli::check::findings, cli::check::Verdict;
  const auto judged = [](Seconds server, Seconds prometheus, Seconds answered, bool inCluster) {
    const Time now{Seconds(1e9)};
    cli::check::Observed seen{.inCluster = inCluster, .now = now};
    seen.server =
        cli::check::Server{.clock = cli::check::ClockReading{now, now + answered, now + server, Seconds(1)}};
    seen.installation = cli::check::Installation{};
    seen.prometheus = cli::check::PrometheusState{
        .clock = {now, now + answered, now + prometheus}, .controllers = 1, .trainings = 1};
    return findings(seen).back();
  };
  EXPECT_EQ(judged(Seconds(0), Seconds(0), Seconds(0.1), false).verdict, Verdict::Good);
  EXPECT_EQ(judged(Seconds(5), Seconds(5), Seconds(9), false).verdict,
            Verdict::Good);  // slow, and perhaps right
  EXPECT_EQ(judged(Seconds(60), Seconds(60), Seconds(0.1), false).text,
            "this machine's is 60 s behind the cluster's");
  EXPECT_EQ(judged(Seconds(60), Seconds(60), Seconds(0.1), false).verdict, Verdict::Unknown);
  EXPECT_EQ(judged(Seconds(60), Seconds(60), Seconds(0.1), true).verdict, Verdict::Bad);
  EXPECT_EQ(judged(Seconds(-60), Seconds(0), Seconds(0.1), false).text,
            "Prometheus' is 59 s ahead of the API server's");
}

TEST(Definition, IsComparedFieldByField) {
  auto schema = ownSchema();
  EXPECT_THAT(cli::check::missingFields(schema), IsEmpty());
  rapidjson::Pointer("/properties/status/properties/speeds/items/properties/measured").Erase(schema);
  rapidjson::Pointer("/properties/spec/properties/loss").Erase(schema);
  EXPECT_THAT(cli::check::missingFields(schema), UnorderedElementsAre("spec.loss", "status.speeds.measured"));
}

// For kubectl explain.
void expectDescriptions(const rapidjson::Value& schema, const std::string& path) {
  const auto* items = kube::json::at(schema, {"items"});
  const auto* fields = kube::json::at(items ? *items : schema, {"properties"});
  if (!fields) return;
  for (const auto& [key, field] : fields->GetObject()) {
    const std::string name = path + "." + key.GetString();
    // Kubernetes describes .metadata itself.
    if (name != ".metadata") {
      EXPECT_NE(kube::json::stringAt(field, {"description"}), "") << name;
    }
    expectDescriptions(field, name);
  }
}

TEST(Definition, DescribesEachField) { expectDescriptions(ownSchema(), ""); }

TEST(Rights, AreThoseOfTheModeAndTheCapacity) {
  const auto needed = [](const std::string& more) {
    const auto configuration = config::readConfiguration(
        "c.yaml", "loss: {prometheus: {serverAddress: \"http://p:9090\"}}\n" + more);
    std::vector<std::string> words;
    for (const auto& right : cli::check::neededRights(*configuration, "slaq-system"))
      words.push_back(toString(right));
    return words;
  };
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
