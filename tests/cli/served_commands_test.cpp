// The commands of people against slaq serve, from the command line to the exit code.
#include <gmock/gmock.h>

#include <fstream>

#include "cli/api_server.h"
#include "cli/command_line.h"
#include "cli/flags/server_socket.h"
#include "cli/played_jobs.h"
#include "cli/submit/submission.h"

namespace slaq::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class ServedCommands : public ::testing::Test {
 protected:
  void SetUp() override {
    if (cli::flags::isSocket("/run/slaq/slaq.sock")) GTEST_SKIP() << "this machine has a server of its own";
  }

  Said onServer(std::vector<std::string> words) {
    words.insert(words.begin() + 1, {"--server", server.socket()});
    return say(words);
  }
  // The first container of a job that was submitted.
  rapidjson::Document containerOf(const std::string& name, const std::string& ns = "default") {
    const auto document = kube::json::parseJson(server.jobs.document({ns, name}));
    rapidjson::Document container;
    const auto* all = kube::json::at(document, {"spec", "workers", "template", "spec", "containers"});
    EXPECT_TRUE(all) << ns << "/" << name;
    if (all) container.CopyFrom((*all)[0], container.GetAllocator());
    return container;
  }
  static std::map<std::string, std::string> environmentOf(const rapidjson::Value& container) {
    std::map<std::string, std::string> variables;
    const auto* all = kube::json::at(container, {"env"});
    if (!all) return variables;
    for (const auto& each : all->GetArray())
      variables[kube::json::stringAt(each, {"name"})] = kube::json::stringAt(each, {"value"});
    return variables;
  }
  std::string written(const std::string& file, const std::string& text) {
    const auto path = user.directory() / file;
    std::ofstream(path) << text;
    return path.string();
  }

  UserWithoutCluster user;
  PlayedServer server{user.socket()};
};

constexpr const char* kManifest = R"(apiVersion: slaq.io/v1alpha1
kind: TrainingJob
metadata: {name: NAME}
spec:
  workers:
    maxReplicas: 2
    template:
      spec:
        containers:
        - name: main
          image: i
          command: [python, train.py]
          workingDir: /srv
          env: [{name: PATH, value: /opt/bin}]
          resources: {requests: {cpu: 100m}}
)";

std::string manifestNamed(const std::string& name) {
  std::string text = kManifest;
  return text.replace(text.find("NAME"), 4, name);
}

TEST_F(ServedCommands, ReadTheServerThatTheFlagNames) {
  server.jobs.add({"default", "logreg"}, jobJson("default", "logreg"));
  server.jobs.add({"team", "kmeans"}, jobJson("team", "kmeans"));
  server.jobs.addEvent({"default", "logreg"}, "Scaled");
  user.set("KUBECONFIG", "/nowhere/config");
  const auto top = onServer({"top"});
  EXPECT_EQ(top.code, 0) << top.err;
  EXPECT_THAT(top.out,
              AllOf(HasSubstr("slaq  default  1 job"), HasSubstr("logreg"), Not(HasSubstr("kmeans"))));
  EXPECT_THAT(onServer({"top", "-A"}).out, HasSubstr("kmeans"));
  EXPECT_THAT(onServer({"top", "-n", "team"}).out, HasSubstr("kmeans"));
  EXPECT_THAT(onServer({"explain", "logreg"}).out,
              AllOf(HasSubstr("default/logreg"), HasSubstr("Scaled: said")));
  for (const int i : {1, 2})
    server.jobs.addLoss({"default", "logreg"}, {Time(Seconds(100 * i)), Iterations(i), Loss(0.75 / i)});
  EXPECT_THAT(onServer({"explain", "logreg"}).out, AllOf(HasSubstr("0.75"), HasSubstr("0.375")));
  EXPECT_THAT(onServer({"explain", "logrg"}).err, HasSubstr("did you mean logreg?"));
  EXPECT_THAT(onServer({"advise", "team/kmeans"}).err + onServer({"advise", "team/kmeans"}).out,
              HasSubstr("team/kmeans"));
  EXPECT_EQ(say({"__complete", "explain", "--server", server.socket(), ""}).out, "logreg\n:4\n");
  EXPECT_EQ(say({"__complete", "stop", "--server", server.socket(), ""}).out, "logreg\n:4\n");
  EXPECT_EQ(say({"__complete", "top", "--server", server.socket(), "-n", "t"}).out, "team\n:4\n");
  EXPECT_EQ(say({"__complete", "top", "--server", ""}).out, ":0\n");
}

TEST_F(ServedCommands, ChooseBetweenServerAndCluster) {
  server.jobs.add({"default", "logreg"}, jobJson("default", "logreg"));
  ApiServer cluster;
  cluster.add("team-a", "other", jobJson("team-a", "other"));
  EXPECT_THAT(say({"top"}).out, HasSubstr("logreg")) << "there is no kubeconfig";
  EXPECT_THAT(say({"top", "--kubeconfig", cluster.kubeconfig()}).out, HasSubstr("other"));
  user.set("KUBECONFIG", cluster.kubeconfig());
  EXPECT_THAT(say({"top"}).out, HasSubstr("other")) << "the kubeconfig counts";
  user.set("SLAQ_SERVER", server.socket());
  EXPECT_THAT(say({"top"}).out, HasSubstr("logreg")) << "the variable counts";
  EXPECT_THAT(say({"top", "--context", "here"}).out, HasSubstr("other")) << "flags count more";
  const auto both = onServer({"top", "--context", "here"});
  EXPECT_EQ(both.code, 2);
  EXPECT_THAT(both.err, HasSubstr("--server"));
  EXPECT_THAT(say({"check", "--server", "x"}).err, HasSubstr("there is no flag --server"));
}

TEST_F(ServedCommands, SayThatNobodyListens) {
  const std::string nowhere = (user.directory() / "none.sock").string();
  const std::string sentence = "slaq: slaq serve at " + nowhere +
                               " can't be reached: No such file or directory; start it with slaq serve\n";
  for (const auto& words : std::vector<std::vector<std::string>>{{"top"}, {"explain", "a"}, {"stop", "a"}}) {
    auto line = words;
    line.insert(line.end(), {"--server", nowhere});
    const auto said = say(line);
    EXPECT_EQ(said.code, 1) << words[0];
    EXPECT_EQ(said.err, sentence) << words[0];
  }
  const auto submitted = say({"submit", "--server", nowhere, "--", "true"});
  EXPECT_EQ(submitted.code, 1);
  EXPECT_EQ(submitted.err, sentence);
  EXPECT_THAT(say({"top", "--server", "/" + std::string(200, 'x')}).err,
              HasSubstr("has 107 characters at most"));
}

TEST_F(ServedCommands, SubmitACommandWithWhatFindsItsProgram) {
  user.set("PATH", "/opt/$(X)/bin:/usr/bin:/bin");
  user.set("VIRTUAL_ENV", "/venv");
  user.set("PYTHONPATH", "");
  const auto said = say(
      {"submit", "--max-cpu", "1500m", "--metric", "val_loss", "--", "python3", "train.py", "--lr", "0.1"});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(said.out, "default/train submitted; slaq top shows it, slaq logs -f train what it writes\n");
  const auto container = containerOf("train");
  EXPECT_EQ(kube::json::stringAt(container, {"workingDir"}), std::filesystem::current_path().string());
  auto variables = environmentOf(container);
  EXPECT_EQ(variables["PATH"], "/opt/$$(X)/bin:/usr/bin:/bin") << "Kubernetes makes $$ a $";
  EXPECT_EQ(variables["VIRTUAL_ENV"], "/venv");
  EXPECT_FALSE(variables.contains("PYTHONPATH"));
  const auto document = kube::json::parseJson(server.jobs.document({"default", "train"}));
  EXPECT_EQ(kube::json::stringAt(document, {"spec", "workers", "cpu", "max"}), "1500m");
  EXPECT_EQ(kube::json::stringAt(document, {"spec", "loss", "from", "output", "metric"}), "val_loss");
  EXPECT_EQ(server.jobs.peers().at(0).user, ::geteuid());
}

TEST_F(ServedCommands, NumberCommandsWhoseNameIsTaken) {
  for (const char* name : {"train", "train-2", "train-3"}) {
    const auto said = say({"submit", "--", "python3", "train.py"});
    EXPECT_THAT(said.out, HasSubstr(std::string("default/") + name + " submitted")) << said.err;
  }
  EXPECT_EQ(say({"stop", "train-2"}).out, "default/train-2 is stopped\n");
  EXPECT_THAT(say({"submit", "--", "python3", "train.py"}).out, HasSubstr("default/train-2 submitted"));
  const auto named = say({"submit", "--name", "train", "--", "python3", "train.py"});
  EXPECT_EQ(named.code, 1);
  EXPECT_EQ(named.err, "slaq: there is a TrainingJob default/train already\n");
}

TEST_F(ServedCommands, SubmitManifestsOneByOne) {
  const auto file = written("two.yaml", manifestNamed("a") + "---\n" + manifestNamed("b"));
  const auto said = say({"submit", file});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.out, AllOf(HasSubstr("default/a submitted"), HasSubstr("default/b submitted")));
  const auto container = containerOf("a");
  EXPECT_EQ(kube::json::stringAt(container, {"workingDir"}), "/srv") << "what it says itself stays";
  EXPECT_EQ(environmentOf(container)["PATH"], "/opt/bin");
  EXPECT_EQ(say({"submit", file}).code, 1) << "they are there";
}

TEST_F(ServedCommands, SubmitIntoNamespaces) {
  const auto said = say({"submit", "-n", "team", "--", "python3", "train.py"});
  EXPECT_EQ(said.out,
            "team/train submitted; slaq top -n team shows it, slaq logs -f team/train what it writes\n");
  EXPECT_NE(server.jobs.document({"team", "train"}), "");
  const auto file = written("a.yaml", manifestNamed("a, namespace: mine"));
  EXPECT_EQ(say({"submit", file}).code, 0);
  EXPECT_NE(server.jobs.document({"mine", "a"}), "");
  const auto other = say({"submit", "-n", "team", file});
  EXPECT_EQ(other.code, 2);
  EXPECT_EQ(other.err, "slaq: " + file + ":3: metadata.namespace: is mine, and --namespace says team\n");
}

TEST_F(ServedCommands, SubmitListsOfCommands) {
  const auto file = written("commands.txt", "# two\npython a.py --lr 1\npython a.py --lr 2\n");
  EXPECT_EQ(say({"submit", file}).code, 0);
  EXPECT_NE(server.jobs.document({"default", "a"}), "");
  EXPECT_NE(server.jobs.document({"default", "a-2"}), "");
}

TEST_F(ServedCommands, SubmitNothingThatIsWrong) {
  const auto nothing = say({"submit"});
  EXPECT_EQ(nothing.code, 2);
  EXPECT_THAT(nothing.err, HasSubstr("slaq submit -- python train.py"));
  const auto missing = say({"submit", "train.pi"});
  EXPECT_EQ(missing.code, 2);
  EXPECT_THAT(missing.err, HasSubstr("a command comes after --"));
  const auto wrong = say({"submit", written("w.yaml", manifestNamed("a") + "  stop: {after: 1}\n")});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("w.yaml:16: spec.stop.after"));
  EXPECT_EQ(say({"submit", "--name", "No Name", "--", "true"}).code, 2);
  EXPECT_EQ(say({"submit", "--", ""}).code, 2);
}

TEST_F(ServedCommands, NameTheServerWhereAnotherWouldBeMeant) {
  const PlayedServer other((user.directory() / "other.sock").string());
  const auto said = say({"submit", "--server", other.socket(), "--", "true"});
  EXPECT_EQ(said.out, "default/true submitted; slaq top --server " + other.socket() +
                          " shows it, slaq logs --server " + other.socket() + " -f true what it writes\n");
}

TEST_F(ServedCommands, StopJobs) {
  for (const char* name : {"a", "b"}) server.jobs.add({"default", name}, jobJson("default", name));
  server.jobs.add({"team", "c"}, jobJson("team", "c"));
  server.jobs.addForeign({"default", "theirs"});
  EXPECT_EQ(say({"stop", "a", "team/c"}).out, "default/a is stopped\nteam/c is stopped\n");
  const auto some = say({"stop", "theirs", "nothing", "b"});
  EXPECT_EQ(some.code, 1);
  EXPECT_EQ(some.out, "default/b is stopped\n");
  EXPECT_EQ(some.err,
            "slaq: default/theirs belongs to another user\n"
            "slaq: there is no TrainingJob default/nothing; there are b, theirs\n");
  EXPECT_EQ(say({"stop"}).code, 2);
  EXPECT_EQ(say({"stop", "a/b/c"}).code, 2);
}

TEST_F(ServedCommands, StopNoTrainingOfACluster) {
  server.jobs.add({"default", "train"}, jobJson("default", "train"));
  const ApiServer cluster;
  user.set("KUBECONFIG", cluster.kubeconfig());
  const auto said = say({"stop", "train"});
  EXPECT_EQ(said.code, 2);
  EXPECT_EQ(
      said.err,
      "slaq: kubectl delete trainingjob train stops a training of a cluster; slaq stop is for this machine, "
      "which --server " +
          user.socket() + " means\n");
  EXPECT_NE(server.jobs.document({"default", "train"}), "");
  EXPECT_THAT(cluster.requests(), ::testing::IsEmpty());
}

class ServedLogs : public ServedCommands {
 protected:
  void addWithLogs(const std::string& ns, const std::string& name) {
    server.jobs.add({ns, name},
                    json("{'metadata': {'namespace': '" + ns + "', 'name': '" + name +
                         "', 'annotations': {'slaq.io/logs': '" + user.directory().string() + "'}}}"));
    written(ns + "." + name + ".worker-0.log", "words of " + ns + "/" + name + "\n");
  }
};

TEST_F(ServedLogs, AreThoseOfTheJobOnTheServer) {
  addWithLogs("default", "a");
  EXPECT_EQ(onServer({"logs"}).out, "words of default/a\n") << "it is the only one";
  addWithLogs("team", "a");
  EXPECT_EQ(onServer({"logs", "a"}).out, "words of default/a\n");
  EXPECT_EQ(onServer({"logs", "team/a"}).out, "words of team/a\n");
  EXPECT_EQ(onServer({"logs", "-n", "team"}).out, "words of team/a\n");
  EXPECT_EQ(onServer({"logs"}).err, "name one of the jobs of slaq serve: default/a, team/a\n");
  EXPECT_THAT(onServer({"logs", "b"}).err, HasSubstr("there is no TrainingJob default/b"));
  server.jobs.add({"default", "b"}, jobJson("default", "b"));
  EXPECT_THAT(onServer({"logs", "b"}).err,
              HasSubstr("default/b is not kept; slaq run --logs DIRECTORY keeps it"));
}

TEST_F(ServedLogs, AreFoundWithoutAFlag) {
  addWithLogs("default", "a");
  EXPECT_EQ(say({"logs", "a"}).out, "words of default/a\n");
  EXPECT_EQ(say({"logs", "b"}).err, "no run of commands is kept; start one: slaq run -- python train.py\n");
  const local::TemporaryDirectory run;
  std::ofstream(run / "default.a.worker-0.log") << "words of a run\n";
  std::filesystem::permissions(run.path(), std::filesystem::perms::all);
  EXPECT_EQ(say({"logs", "a", "--directory", run.path().string()}).out, "words of a run\n");
}

TEST(DefaultSocket, IsTheUsersOwnWhereTheMachineHasNone) {
  if (cli::flags::isSocket("/run/slaq/slaq.sock")) GTEST_SKIP() << "this machine has a server of its own";
  UserWithoutCluster user;
  EXPECT_EQ(cli::flags::defaultSocket(), user.socket());
  user.set("XDG_RUNTIME_DIR", "");
  EXPECT_EQ(cli::flags::defaultSocket(), "/tmp/slaq-" + std::to_string(::geteuid()) + "/slaq.sock");
}

TEST(FreeName, IsTheFirstThatNobodyHas) {
  EXPECT_EQ(cli::submit::freeName("train", {}), "train-2");
  EXPECT_EQ(cli::submit::freeName("train", {"train-2", "train-3", "train-5"}), "train-4");
}

}  // namespace
}  // namespace slaq::test
