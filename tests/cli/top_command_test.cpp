// slaq top against an API server, from the command line to the exit code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "cli/api_server.h"
#include "cli/command_line.h"
#include "cli/played_jobs.h"
#include "yaml/read_yaml.h"

namespace slaq::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class TopCommand : public ::testing::Test {
 protected:
  Said top(std::vector<std::string> words = {}) {
    words.insert(words.begin(), {"top", "--kubeconfig", server.kubeconfig()});
    return say(words);
  }

  ApiServer server;
};

TEST_F(TopCommand, ShowsTheJobsOfTheContextsNamespaceOnceWithoutATerminal) {
  server.add("team-a", "logreg", jobJson("team-a", "logreg"));
  server.add("team-b", "kmeans", jobJson("team-b", "kmeans"));
  const auto said = top();
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.out, HasSubstr("slaq  team-a  1 job: 1 Running  cores 2  price 0.003\n"));
  EXPECT_THAT(said.out, HasSubstr("logreg  Running    3/5"));
  EXPECT_THAT(said.out, HasSubstr("4 -> 5: it gains most\n"));
  EXPECT_THAT(said.out, Not(HasSubstr("kmeans")));
  EXPECT_THAT(said.out, Not(HasSubstr("\x1b")));
}

TEST_F(TopCommand, FindsItsNamespaceAsKubectlDoes) {
  server.add("team-a", "logreg", jobJson("team-a", "logreg"));
  server.add("team-b", "kmeans", jobJson("team-b", "kmeans"));
  EXPECT_THAT(top({"--context", "there"}).out, HasSubstr("kmeans"));
  EXPECT_THAT(top({"-n", "team-b"}).out, HasSubstr("kmeans"));
  const auto all = top({"-A", "--sort", "name"}).out;
  EXPECT_THAT(all, HasSubstr("team-a     logreg"));
  EXPECT_THAT(all, HasSubstr("team-b     kmeans"));
}

TEST_F(TopCommand, GathersAllPagesOfAList) {
  server.pageSize = 2;
  for (const char* name : {"a", "b", "c", "d", "e"}) server.add("team-a", name, jobJson("team-a", name));
  EXPECT_THAT(top().out, HasSubstr("slaq  team-a  5 jobs: 5 Running"));
  EXPECT_EQ(server.requests().size(), 3u);
}

TEST_F(TopCommand, PrintsJsonWithNumbers) {
  server.add("team-a", "logreg", jobJson("team-a", "logreg"));
  const auto said = top({"--output", "json"});
  rapidjson::Document document;
  document.Parse(said.out.c_str());
  ASSERT_FALSE(document.HasParseError()) << said.out;
  const auto& job = document["jobs"][0];
  EXPECT_STREQ(job["name"].GetString(), "logreg");
  EXPECT_EQ(job["loss"].GetDouble(), 0.5);
  EXPECT_EQ(job["progress"].GetDouble(), 0.75);
  EXPECT_EQ(job["workers"]["desired"].GetInt(), 5);
  EXPECT_EQ(document["totals"]["cores"].GetDouble(), 2);
  EXPECT_EQ(document["totals"]["byState"]["Running"].GetInt(), 1);
}

TEST_F(TopCommand, PrintsTheSameAsYaml) {
  server.add("team-a", "logreg", jobJson("team-a", "logreg"));
  const auto documents = yaml::readYaml("out", top({"-o", "yaml"}).out);
  ASSERT_TRUE(documents) << documents.error().message;
  rapidjson::Document asJson;
  asJson.Parse(top({"-o", "json"}).out.c_str());
  EXPECT_TRUE(documents->at(0).value == asJson);
}

TEST_F(TopCommand, LeavesNothingOutThatIsWide) {
  server.add("team-a", "logreg", jobJson("team-a", "logreg"));
  EXPECT_THAT(top({"-o", "wide"}).out, HasSubstr("LEFT"));
  EXPECT_THAT(top({"-o", "wide"}).out, Not(HasSubstr("…")));
}

TEST_F(TopCommand, AnEmptyNamespaceIsNoError) {
  server.list("/apis/slaq.io/v1alpha1/namespaces/team-a/trainingjobs", {});
  const auto said = top();
  EXPECT_EQ(said.code, 0);
  EXPECT_EQ(said.out, "slaq  team-a  0 jobs  cores 0\n");
}

TEST_F(TopCommand, LeavesOutOfAJobWhatItsStatusDoesNotSay) {
  server.add("team-a", "new", json("{'metadata': {'name': 'new', 'namespace': 'team-a'}, 'spec': {}}"));
  const auto said = top();
  EXPECT_EQ(said.code, 0);
  EXPECT_THAT(said.out, HasSubstr("new   Pending    0/0"));
  EXPECT_EQ(top({"--output", "json"}).code, 0);
}

struct Refusal {
  int status;
  const char* message;
  const char* sentence;
};

TEST_F(TopCommand, SaysInOneSentenceWhatTheClusterRefuses) {
  const Refusal cases[] = {
      {401, "Unauthorized", "does not accept the credentials of this context; log in again"},
      {403, "trainingjobs.slaq.io is forbidden: User 'eve' cannot list resource",
       "slaq: trainingjobs.slaq.io is forbidden: User 'eve' cannot list resource"},
      {404, "the server could not find the requested resource",
       "does not know TrainingJobs; install slaq on it first: helm install slaq charts/slaq"},
  };
  for (const auto& each : cases) {
    server.answerAll(each.status, std::string(R"({"message": ")") + each.message + "\"}");
    const auto said = top();
    EXPECT_EQ(said.code, 1) << each.status;
    EXPECT_EQ(said.out, "");
    EXPECT_THAT(said.err, HasSubstr(each.sentence));
    EXPECT_EQ(std::ranges::count(said.err, '\n'), 1) << said.err;
  }
}

TEST_F(TopCommand, SaysWhenTheServerCannotBeReached) {
  const std::string nowhere = "http://127.0.0.1:" + std::to_string(freePort());
  std::ofstream(server.kubeconfig()) << "current-context: c\ncontexts: [{name: c, context: {cluster: k}}]\n"
                                        "clusters: [{name: k, cluster: {server: \"" +
                                            nowhere + "\"}}]\n";
  const auto said = top();
  EXPECT_EQ(said.code, 1);
  EXPECT_EQ(said.err,
            "slaq: the API server at " + nowhere + " can't be reached: the connection is refused\n");
}

TEST_F(TopCommand, SaysWhatIsWrongWithTheWayThere) {
  const auto context = top({"--context", "elsewhere"});
  EXPECT_EQ(context.code, 2);
  EXPECT_EQ(context.err,
            "slaq: " + server.kubeconfig() + " has no context called \"elsewhere\" in its contexts\n");
  const auto missing = say({"top", "--kubeconfig", "/nowhere/config"});
  EXPECT_EQ(missing.code, 2);
  EXPECT_THAT(missing.err, HasSubstr("slaq: /nowhere/config cannot be read"));
  EXPECT_EQ(top({"-A", "-n", "team-a"}).code, 2);
  EXPECT_EQ(top({"--sort", "beauty"}).code, 2);
  EXPECT_THAT(server.requests(), ::testing::IsEmpty());
}

TEST_F(TopCommand, SaysWhenThereIsNoKubeconfigAtAll) {
  UserWithoutCluster user;
  const auto said = say({"top"});
  EXPECT_EQ(said.code, 2);
  EXPECT_EQ(said.err,
            "slaq: no slaq run or slaq serve of yours goes on on this machine, and there is no kubeconfig: "
            "KUBECONFIG is not set and there is no ~/.kube/config; name one with --kubeconfig\n");
}

}  // namespace
}  // namespace slaq::test
