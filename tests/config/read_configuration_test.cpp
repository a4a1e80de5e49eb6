// What the controller's configuration may say, and each kind of mistake with its sentence.
#include "config/read_configuration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slaq::config {
namespace {

// A whole configuration around the lines under test, which come first.
std::string with(const std::string& lines) { return lines + "capacity: {cores: 4}\nloss: {pods: }\n"; }

Configuration read(const std::string& text) {
  const auto configuration = readConfiguration("c.yaml", text);
  EXPECT_TRUE(configuration) << configuration.error().message;
  return configuration.value_or(Configuration());
}

std::string mistakesIn(const std::string& text) {
  const auto configuration = readConfiguration("c.yaml", text);
  return configuration ? "" : configuration.error().message;
}

TEST(Configuration, HasDefaultsForAllButCapacityAndLoss) {
  Configuration expected;
  expected.scheduling.capacity = Cores(4000);
  expected.loss = PodsLoss{};
  expected.scheduling.policy = scheduler::findPolicy("LookAhead");
  expected.scheduling.predictor = "Ensemble";
  EXPECT_EQ(read(with("")), expected);
}

TEST(Configuration, ReadsEveryField) {
  const auto all = read(R"(
mode: Observe
epochSeconds: 1.5
policy: MinQuality
predictor: Published
capacity: {cores: 7500m}
limits: {team-a: {cores: 2500m, weight: 10}, "*": {weight: 1}}
namespace: team-a
loss:
  prometheus:
    serverAddress: https://prometheus:9090/prefix/
    bearerTokenFile: /run/token
    caFile: /run/ca.pem
    clientCertificateFile: /run/tls.crt
    clientKeyFile: /run/tls.key
    headers: {X-Scope-OrgID: "5"}
    scrapeSeconds: 1.5
    labels: {namespace: ns, job: tj, uid: id}
    queries: {allowed: true}
resize: {growSeconds: 8, shrinkSeconds: 1, horizonSeconds: 60}
leaderElection: {enabled: false, namespace: slaq, name: other, leaseSeconds: 30}
telemetry: {address: "[::]:9000", probeAddress: "[::]:9001", certificateFile: /c, keyFile: /k, authorize: true}
log: {level: debug}
)");
  PrometheusLoss loss;
  loss.serverAddress = "https://prometheus:9090/prefix";
  loss.bearerTokenFile = "/run/token";
  loss.caFile = "/run/ca.pem";
  loss.clientCertificateFile = "/run/tls.crt";
  loss.clientKeyFile = "/run/tls.key";
  loss.headers = {{"X-Scope-OrgID", "5"}};
  loss.scrapeInterval = Seconds(1.5);
  loss.labels = {"ns", "tj", "id"};
  loss.queriesAllowed = true;
  const Configuration expected{.scheduling = {.mode = Mode::Observe,
                                              .policy = scheduler::findPolicy("MinQuality"),
                                              .predictor = "Published",
                                              .epoch = Seconds(1.5),
                                              .capacity = Cores(7500),
                                              .limits = {{"team-a", {Cores(2500), 10}}, {"*", {{}, 1}}},
                                              .price = {Seconds(8), Seconds(1), Seconds(60)}},
                               .ns = "team-a",
                               .loss = loss,
                               .leaderElection = {false, "slaq", "other", Seconds(30)},
                               .telemetry = {"[::]:9000", "[::]:9001", "/c", "/k", true},
                               .logLevel = LogLevel::Debug};
  EXPECT_EQ(all, expected);
}

TEST(Configuration, TakesCoresAsNumberOrQuantity) {
  const std::pair<const char*, int> cases[] = {{"16", 16000}, {"2.5", 2500}, {"\"0.1\"", 100}, {"250m", 250}};
  for (const auto& [text, millis] : cases) {
    EXPECT_EQ(read("capacity: {cores: " + std::string(text) + "}\nloss: {pods: {}}\n").scheduling.capacity,
              Cores(millis));
  }
}

struct Mistake {
  std::string text;
  const char* message;
};

TEST(Configuration, RefusesBadValuesWithTheirLine) {
  const Mistake cases[] = {
      {"epochSeconds: 0\n", "c.yaml:1: epochSeconds: must be a number from 0.1 to 3600"},
      {"epochSeconds: \"3\"\n", "c.yaml:1: epochSeconds: must be a number from 0.1 to 3600"},
      {"epochSeconds:\n", "c.yaml:1: epochSeconds: must be a number from 0.1 to 3600"},
      {"policy: fair\n",
       "c.yaml:1: policy: must be one of TotalQuality, MinQuality, Fair, LeastAttainedService, FinishTime, "
       "LookAhead"},
      {"policy: 1\n",
       "c.yaml:1: policy: must be one of TotalQuality, MinQuality, Fair, LeastAttainedService, FinishTime, "
       "LookAhead"},
      {"predictor: Best\n", "c.yaml:1: predictor: must be one of Strawman, Published, Ensemble"},
      {"mode: observe\n", "c.yaml:1: mode: must be one of Schedule, Observe"},
      {"limits: [a]\n", "c.yaml:1: limits: must be a mapping of keys to values"},
      {"limits:\n  team-a:\n",
       "c.yaml:2: limits.team-a: must give cores, weight or both, such as {cores: 8, weight: "
       "10}"},
      {"limits: {team-a: 8}\n", "c.yaml:1: limits.team-a: must be a mapping of keys to values"},
      {"limits: {team-a: {cores: 0}}\n", "c.yaml:1: limits.team-a.cores: must be more than 0"},
      {"limits: {team-a: {weight: 0}}\n",
       "c.yaml:1: limits.team-a.weight: must be a whole number from 1 to 1000"},
      {"limits: {team-a: {weight: 1.5}}\n",
       "c.yaml:1: limits.team-a.weight: must be a whole number from 1 to 1000"},
      {"limits: {team-a: {wieght: 5, cores: 1}}\n",
       "c.yaml:1: limits.team-a.wieght: unknown key; did you mean weight?"},
      {"limits: {Team: {cores: 1}}\n",
       "c.yaml:1: limits.Team: must be the name of a namespace, or \"*\" for each that is not named"},
      {"namespace: 5\n", "c.yaml:1: namespace: must be text; quote it"},
      {"resize: {growSeconds: -1}\n", "c.yaml:1: resize.growSeconds: must be a number from 0 to 3600"},
      {"resize:\n  horizonSeconds: 0\n", "c.yaml:2: resize.horizonSeconds: must be a number from 1 to 3600"},
      {"resize: 5\n", "c.yaml:1: resize: must be a mapping of keys to values"},
      {"leaderElection: {enabled: 1}\n", "c.yaml:1: leaderElection.enabled: must be true or false"},
      {"leaderElection: {leaseSeconds: 1}\n",
       "c.yaml:1: leaderElection.leaseSeconds: must be a whole number from 2 to 3600"},
      {"leaderElection: {name: ''}\n",
       "c.yaml:1: leaderElection.name: must be the name of a Lease, such as slaq-controller"},
      {"telemetry: {address: '8080'}\n",
       "c.yaml:1: telemetry.address: must be ADDRESS:PORT, such as 127.0.0.1:8080, [::1]:8080 or, for all "
       "addresses, :8080"},
      {"telemetry: {address: 'localhost:99999'}\n",
       "c.yaml:1: telemetry.address: must be ADDRESS:PORT, such as 127.0.0.1:8080, [::1]:8080 or, for all "
       "addresses, :8080"},
      {"telemetry: {probeAddress: '8081'}\n",
       "c.yaml:1: telemetry.probeAddress: must be ADDRESS:PORT, such as 127.0.0.1:8081, [::1]:8081 or, for "
       "all addresses, :8081"},
      {"telemetry: {certificateFile: /c}\n",
       "c.yaml:1: telemetry.certificateFile: needs the other of certificateFile and keyFile too"},
      {"telemetry: {authorize: true}\n",
       "c.yaml:1: telemetry.authorize: needs certificateFile and keyFile: tokens are not sent without "
       "encryption"},
      {"log: {level: loud}\n", "c.yaml:1: log.level: must be one of debug, info, warn, error"},
      {"leaderElection: {name: Slaq}\n",
       "c.yaml:1: leaderElection.name: must be the name of a Lease, such as slaq-controller"},
      {"leaderElection: {namespace: a.b}\n",
       "c.yaml:1: leaderElection.namespace: must be the name of a namespace, such as team-a, or left out for "
       "the controller's own"},
      {"namespace: Team_A\n",
       "c.yaml:1: namespace: must be the name of a namespace, such as team-a, or left out for all of them"},
      {"limits: {team-: {cores: 1}}\n",
       "c.yaml:1: limits.team-: must be the name of a namespace, or \"*\" for each that is not named"},
      {"resize:\n  growSeconds: 30\n  horizonSeconds: 30\n",
       "c.yaml:2: resize.growSeconds: must be less than horizonSeconds (30), or more workers would never "
       "pay"},
      {"resize:\n  horizonSeconds: 1\n",
       "c.yaml:1: resize.growSeconds: must be less than horizonSeconds (1), or more workers would never pay"},
      {"epochSeconds: 0.5\n", "c.yaml:3: loss.pods.intervalSeconds: must be at most epochSeconds (0.5)"},
  };
  for (const auto& each : cases) EXPECT_EQ(mistakesIn(with(each.text)), each.message);
}

TEST(Configuration, RefusesUnknownKeysAndSuggestsTheNearest) {
  const Mistake cases[] = {
      {"epochseconds: 3\n", "c.yaml:1: epochseconds: unknown key; did you mean epochSeconds?"},
      {"epoch: 3\n", "c.yaml:1: epoch: unknown key; did you mean epochSeconds?"},
      {"polcy: Fair\n", "c.yaml:1: polcy: unknown key; did you mean policy?"},
      {"resize: {growSecond: 3}\n", "c.yaml:1: resize.growSecond: unknown key; did you mean growSeconds?"},
      {"log: {colour: true}\n", "c.yaml:1: log.colour: unknown key; known here are level"},
      {"telemetry: {address: ':1', verbosity: 5}\n",
       "c.yaml:1: telemetry.verbosity: unknown key; known here are address, probeAddress, certificateFile, "
       "keyFile, authorize"},
  };
  for (const auto& each : cases) EXPECT_EQ(mistakesIn(with(each.text)), each.message);
}

TEST(Configuration, NeedsCapacity) {
  const std::string sentence =
      "capacity.cores: is missing; give the cores that training jobs may share, such as cores: 16, or "
      "automatic: true to take what the nodes have";
  EXPECT_EQ(mistakesIn("loss: {pods: }\n"), "c.yaml:1: " + sentence);
  EXPECT_EQ(mistakesIn("loss: {pods: }\ncapacity:\n"), "c.yaml:2: " + sentence);
  EXPECT_EQ(mistakesIn("loss: {pods: }\ncapacity: {cores: 0}\n"),
            "c.yaml:2: capacity.cores: must be more than 0");
  EXPECT_EQ(mistakesIn("loss: {pods: }\ncapacity: {cores: [1]}\n"),
            "c.yaml:2: capacity.cores: must be a quantity of cores such as \"2\" or \"200m\", not a list");
  EXPECT_THAT(mistakesIn("loss: {pods: }\ncapacity: {cores: 3 cores}\n"),
              testing::HasSubstr("c.yaml:2: capacity.cores: \"3 cores\" has an unknown unit"));
}

TEST(Configuration, TakesCapacityFromTheNodesIfTold) {
  const std::string pods = "loss: {pods: }\n";
  EXPECT_EQ(read(pods + "capacity: {automatic: true}\n").scheduling.capacity, std::nullopt);
  EXPECT_EQ(read(pods + "capacity: {automatic: false, cores: 2}\n").scheduling.capacity, Cores(2000));
  EXPECT_EQ(mistakesIn(pods + "capacity: {automatic: true, cores: 2}\n"),
            "c.yaml:2: capacity.automatic: can't be true beside cores; remove one of the two");
  EXPECT_THAT(mistakesIn(pods + "capacity: {automatic: false}\n"),
              testing::HasSubstr("c.yaml:2: capacity.cores: is missing"));
  EXPECT_EQ(
      mistakesIn(pods + "namespace: team-a\ncapacity: {automatic: true}\n"),
      "c.yaml:3: capacity.automatic: needs to see the pods of all namespaces; give capacity.cores, or leave "
      "namespace out");
}

TEST(Configuration, CountsCapacityInWhatItIsTold) {
  const auto with = [](const std::string& capacity) {
    return "loss: {pods: }\ncapacity: " + capacity + "\n";
  };
  EXPECT_EQ(read(with("{cores: 2}")).scheduling.resource, "cpu");
  EXPECT_EQ(read(with("{cores: 8, resource: nvidia.com/gpu}")).scheduling.resource, "nvidia.com/gpu");
  for (const char* resource :
       {"memory", "ephemeral-storage", "gpu", "/gpu", "nvidia.com/", "a/b/c", "'a b/c'"}) {
    EXPECT_EQ(mistakesIn(with("{cores: 8, resource: " + std::string(resource) + "}")),
              "c.yaml:2: capacity.resource: must be cpu or a resource that is counted in pieces, such as "
              "nvidia.com/gpu");
  }
  EXPECT_EQ(mistakesIn(with("{cores: 500m, resource: nvidia.com/gpu}")),
            "c.yaml:2: capacity.cores: must be a whole number where capacity is counted in nvidia.com/gpu");
  EXPECT_EQ(mistakesIn(with("{cores: 500m, resource: \"a\\e[m\"}")).find('\x1b'), std::string::npos);
}

TEST(Configuration, NeedsExactlyOneSourceOfLoss) {
  const std::string sentence = "loss: must name one source of loss: either prometheus or pods";
  const std::string capacity = "capacity: {cores: 4}\n";
  EXPECT_EQ(mistakesIn(capacity), "c.yaml:1: " + sentence);
  EXPECT_EQ(mistakesIn(capacity + "loss: {}\n"), "c.yaml:2: " + sentence);
  EXPECT_EQ(mistakesIn(capacity + "loss: {pods: {}, prometheus: {serverAddress: 'http://p'}}\n"),
            "c.yaml:2: " + sentence);
}

TEST(Configuration, ChecksPrometheus) {
  const Mistake cases[] = {
      {"{}", "serverAddress: must be a URL, such as http://prometheus.monitoring:9090"},
      {"{serverAddress: 'prometheus:9090'}",
       "serverAddress: must be a URL, such as http://prometheus.monitoring:9090"},
      {"{serverAddress: 'http://'}",
       "serverAddress: must be a URL, such as http://prometheus.monitoring:9090"},
      {"{serverAddress: 'http://p', clientKeyFile: k}",
       "clientKeyFile: clientCertificateFile and clientKeyFile go together; give both or none"},
      {"{serverAddress: 'http://p', headers: {authorization: x}}",
       "headers: Authorization is not set here; give the token's file as bearerTokenFile, or usernameFile "
       "and passwordFile"},
      {"{serverAddress: 'http://p', headers: {Host: x}}",
       "headers: Host is not set here; give the name of the host in serverAddress"},
      {"{serverAddress: 'http://p', headers: {'a b': x}}",
       "headers: 'a b' must be the name of a header, its value one line"},
      {"{serverAddress: 'http://p', headers: {\"a\\n\\eb\": x}}",
       "headers: 'a\\x0a\\x1bb' must be the name of a header, its value one line"},
      {"{serverAddress: 'http://p', headers: {X-Id: 5}}", "headers.X-Id: must be text; quote it"},
      {"{serverAddress: 'http://p', headers: [a]}", "headers: must be a mapping of names to texts"},
      {"{serverAddress: 'http://p', labels: {job: 'a-b'}}",
       "labels.job: must be a label as Prometheus has it: letters, digits and _"},
      {"{serverAddress: 'http://p', labels: {job: namespace}}",
       "labels: namespace, job and uid must be three different labels; they are namespace, namespace and "
       "slaq_io_job_uid"},
      {"{serverAddress: 'http://jane:secret@p:9090/prefix'}",
       "serverAddress: must be without a user and a password, which everybody could read there; put them "
       "into "
       "the files usernameFile and passwordFile"},
      {"{serverAddress: 'http://p', usernameFile: /u}",
       "usernameFile: usernameFile and passwordFile go together; give both or none"},
      {"{serverAddress: 'http://p', bearerTokenFile: /t, usernameFile: /u, passwordFile: /p}",
       "usernameFile: goes without bearerTokenFile: one request can't have both; remove one"},
      {"{serverAddress: 'http://p', queries: {allowed: yes please}}",
       "queries.allowed: must be true or false"},
      {"{serverAddress: 'http://p', queries: {allow: true}}",
       "queries.allow: unknown key; did you mean allowed?"},
      {"{serverAddres: 'http://p', serverAddress: 'http://p'}",
       "serverAddres: unknown key; did you mean serverAddress?"},
  };
  for (const auto& each : cases) {
    EXPECT_EQ(mistakesIn("capacity: {cores: 4}\nloss:\n  prometheus: " + each.text + "\n"),
              std::string("c.yaml:3: loss.prometheus.") + each.message);
  }
}

TEST(Configuration, ReadsTheFilesOfAUserAndAPassword) {
  const auto loss = std::get<PrometheusLoss>(read("capacity: {cores: 4}\nloss: {prometheus: {serverAddress: "
                                                  "'http://[fd00::1]:9090', usernameFile: /u, "
                                                  "passwordFile: /p}}\n")
                                                 .loss);
  EXPECT_EQ(loss.serverAddress, "http://[fd00::1]:9090");
  EXPECT_EQ(loss.usernameFile, "/u");
  EXPECT_EQ(loss.passwordFile, "/p");
}

TEST(Configuration, HintsAtScrapesThatAreRarerThanDecisions) {
  const auto hints = [](const std::string& scrape) {
    return hintsOn(
        read("capacity: {cores: 4}\nloss: {prometheus: {serverAddress: 'http://p', scrapeSeconds: " + scrape +
             "}}\n"));
  };
  EXPECT_THAT(
      hints("15"),
      ::testing::ElementsAre("loss.prometheus.scrapeSeconds (15) is more than epochSeconds (3), so that most "
                             "decisions see no new loss; scrape the trainers more often, or raise "
                             "epochSeconds"));
  EXPECT_THAT(hints("3"), ::testing::IsEmpty());
}

constexpr const char* kOtherKind =
    "targetKinds:\n  - {apiVersion: kubeflow.org/v2beta1, kind: MPIJob, plural: mpijobs, specReplicasPath: "
    "/spec/w,\n"
    "     readyReplicasPath: /status/w, templatePath: /spec/t}\n";

TEST(Configuration, NamesAndDescribesKindsOfTargets) {
  const auto read = readConfiguration("c.yaml", with("targets: [StatefulSet, JobSet]\n") + kOtherKind);
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->targets.size(), 3u);
  EXPECT_EQ(read->targets[0].kind, "JobSet");
  const TargetKind& other = read->targets[1];
  EXPECT_EQ(apiVersionOf(other), "kubeflow.org/v2beta1");
  EXPECT_EQ(other.plural, "mpijobs");
  EXPECT_THAT(other.sizes, ::testing::ElementsAre("/spec/w"));
  EXPECT_EQ(other.active, "/status/w");
  EXPECT_FALSE(other.hasScale);
  EXPECT_EQ(read->targets[2].kind, "StatefulSet");
}

TEST(Configuration, DescribesAKindOfTargetsOnce) {
  const std::string twice = std::string(kOtherKind) + std::string(kOtherKind).substr(13);
  EXPECT_THAT(mistakesIn(with(twice)), ::testing::HasSubstr("targetKinds: has MPIJob twice"));
}

TEST(Configuration, BoostsOnlyJobsInQueues) {
  const auto read = readConfiguration("c.yaml", with("kueue: {enabled: true, priorityBoost: true}\n"));
  ASSERT_TRUE(read.has_value());
  EXPECT_TRUE(read->queues && read->priorityBoost);
  EXPECT_THAT(mistakesIn(with("kueue: {priorityBoost: true}\n")),
              ::testing::HasSubstr("kueue.priorityBoost: is about jobs in queues; add kueue.enabled: true"));
}

TEST(Configuration, TellsAllMistakesInTheOrderOfTheFile) {
  EXPECT_EQ(mistakesIn(
                "resize:\n  growSeconds: x\npolicy: Best\nloss: {pods: }\ncolour: 3\ncapacity: {cores: 1}\n"),
            "c.yaml:2: resize.growSeconds: must be a number from 0 to 3600\n"
            "c.yaml:3: policy: must be one of TotalQuality, MinQuality, Fair, LeastAttainedService, "
            "FinishTime, LookAhead\n"
            "c.yaml:5: colour: unknown key; known here are mode, epochSeconds, policy, predictor, capacity, "
            "limits, resize, namespace, loss, leaderElection, telemetry, log, docsUrl, reportImage, targets, "
            "targetKinds, kueue");
}

TEST(Configuration, IsOneDocumentOfYaml) {
  EXPECT_EQ(
      mistakesIn("a: b: c\n"),
      "c.yaml:1: a field can't begin here; quote a text that has a colon in it, or mend the indentation");
  EXPECT_EQ(mistakesIn(with("") + "---\npolicy: Fair\n"),
            "c.yaml:4: a configuration is one document; remove this one");
  EXPECT_EQ(mistakesIn("- 1\n"),
            "c.yaml:1: must be a mapping of keys to values\n"
            "c.yaml:1: capacity.cores: is missing; give the cores that training jobs may share, such as "
            "cores: 16, or "
            "automatic: true to take what the nodes have");
  EXPECT_THAT(mistakesIn(""), testing::HasSubstr("c.yaml:1: capacity.cores: is missing"));
}

}  // namespace
}  // namespace slaq::config
