// What people get who ask for help, or who type what slaq does not know.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/api_server.h"
#include "cli/command_line.h"
#include "release/version.h"

namespace slaq::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(Help, IsPrintedWhereNothingIsAskedFor) {
  EXPECT_EQ(say({}).code, 0);
  EXPECT_THAT(say({}).out, AllOf(HasSubstr("Usage: slaq"), HasSubstr("explain")));
  EXPECT_EQ(say({"help"}).out, say({}).out);
}

TEST(Help, IsThatOfACommand) {
  const auto said = say({"help", "top"});
  EXPECT_EQ(said.code, 0);
  EXPECT_EQ(said.out, say({"top", "--help"}).out);
  EXPECT_THAT(said.out, HasSubstr("--all-namespaces"));
}

TEST(Help, NamesWhatWasMeant) {
  const std::pair<std::vector<std::string>, const char*> lines[] = {
      {{"topp"}, "slaq: there is no command topp; did you mean top? See slaq --help\n"},
      {{"help", "explian"}, "slaq: there is no command explian; did you mean explain? See slaq --help\n"},
      {{"zzzzzz"}, "slaq: there is no command zzzzzz; see slaq --help\n"},
      {{"--verion"}, "slaq: there is no flag --verion; did you mean --version? See slaq --help\n"},
      {{"top", "--outptu", "json"},
       "slaq: there is no flag --outptu; did you mean --output? See slaq top --help\n"},
      {{"explain", "a", "b"}, "slaq: \"b\" is one argument too many; see slaq explain --help\n"},
      {{"run", "--epochs", "10"},
       "slaq: there is no flag --epochs; did you mean --epoch? See slaq run --help; a program and its own "
       "flags come after --\n"},
      {{"advise"}, "slaq: job is required; see slaq advise --help\n"}};
  for (const auto& [line, sentence] : lines) {
    const auto said = say(line);
    EXPECT_EQ(said.code, 2);
    EXPECT_EQ(said.err, sentence);
  }
}

TEST(Version, IsThisBuilds) {
  EXPECT_EQ(say({"version", "--client"}).out, "client      " + toString(release::thisBuild()) + "\n");
  EXPECT_THAT(say({"--version"}).out, StartsWith("slaq " + release::thisBuild().version));
}

// The command's own version is known without a cluster: a script that asks for it must not fail.
TEST(Version, IsKnownWithoutACluster) {
  ::unsetenv("KUBERNETES_SERVICE_HOST");
  const std::pair<const char*, const char*> surroundings[] = {{"/nonexistent/config", "/nonexistent/config"},
                                                              {"", "there is no kubeconfig"}};
  for (const auto& [file, why] : surroundings) {
    ::setenv("KUBECONFIG", file, 1);
    ::setenv("HOME", "/nonexistent", 1);
    const auto said = say({"version"});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out,
                HasSubstr("client      " + toString(release::thisBuild()) + "\ncontroller  not known: "));
    EXPECT_THAT(said.out, HasSubstr(why));
    EXPECT_EQ(said.err, "");
    EXPECT_THAT(say({"version", "-o", "json"}).out, HasSubstr("\"version\": "));
    EXPECT_EQ(say({"version", "-o", "json"}).code, 0);
  }
  ::unsetenv("KUBECONFIG");
}

TEST(Version, OfAControllerThatIsAskedForFailsWhereThereIsNone) {
  const auto said = say({"version", "--kubeconfig", "/nonexistent/config"});
  EXPECT_EQ(said.code, 2);
  EXPECT_THAT(said.err, HasSubstr("/nonexistent/config"));
}

TEST(Version, IsTheControllersToo) {
  ApiServer server;
  const auto ask = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"version", "--kubeconfig", server.kubeconfig()});
    return say(words);
  };
  EXPECT_EQ(ask({}).code, 1);
  EXPECT_THAT(ask({}).err, HasSubstr("the controller's version is not known: "));
  server.list("/apis/apps/v1/deployments",
              {json("{'metadata': {'name': 'slaq', 'namespace': 's', 'labels': {'app.kubernetes.io/version': "
                    "'0.0.9'}}, 'spec': {'template': {'spec': {'containers': [{'image': 'slaq:x'}]}}}}")});
  EXPECT_EQ(ask({}).code, 0);
  EXPECT_THAT(ask({}).out, HasSubstr("controller  0.0.9 (image slaq:x)\n"));
  EXPECT_THAT(ask({"--output", "json"}).out, HasSubstr("\"version\": \"0.0.9\""));
}

}  // namespace
}  // namespace slaq::test
