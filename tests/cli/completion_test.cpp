// What words of the command line can become, and the scripts that shells read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/api_server.h"
#include "cli/command_line.h"
#include "cli/completion/complete.h"
#include "cli/completion/completion_command.h"

namespace slaq::test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class Completion : public ::testing::Test {
 protected:
  Completion() { cli::commands::addCommands(app, run); }

  cli::completion::Completions after(std::vector<std::string> words) {
    return cli::completion::complete(app, std::move(words), names);
  }
  // Without descriptions.
  std::vector<std::string> wordsAfter(std::vector<std::string> words) {
    auto found = after(std::move(words)).words;
    for (auto& word : found) word = word.substr(0, word.find('\t'));
    return found;
  }

  CLI::App app{"", "slaq"};
  std::function<int()> run;
  cli::flags::ClusterFlags asked;
  cli::completion::ClusterNames names{
      .jobs = [this](const cli::flags::ClusterFlags& flags) -> std::vector<std::string> {
        asked = flags;
        return {"logreg", "kmeans"};
      },
      .namespaces = [this](const cli::flags::ClusterFlags& flags) -> std::vector<std::string> {
        asked = flags;
        return {"team-a", "team-b"};
      }};
};

TEST_F(Completion, BeginsWithTheCommands) {
  EXPECT_THAT(wordsAfter({""}), ElementsAre("run", "init", "serve", "submit", "stop", "logs", "predict",
                                            "top", "web", "explain", "check", "advise", "adopt", "report",
                                            "simulate", "validate", "completion", "version", "help"));
  EXPECT_THAT(wordsAfter({"to"}), ElementsAre("top"));
  EXPECT_THAT(wordsAfter({}), Contains("explain"));
  EXPECT_THAT(after({""}).words, Contains(StartsWith("explain\tTell why")));
}

TEST_F(Completion, KnowsTheFlagsOfACommand) {
  EXPECT_THAT(wordsAfter({"top", "--al"}), ElementsAre("--all-namespaces"));
  EXPECT_THAT(wordsAfter({"explain", "logreg", "-"}), Contains("--prometheus"));
  EXPECT_THAT(wordsAfter({"run", "--inter"}), ElementsAre("--interarrival"));
  EXPECT_THAT(wordsAfter({"--ver"}), ElementsAre("--version"));
}

TEST_F(Completion, KnowsTheChoicesOfAFlag) {
  EXPECT_THAT(wordsAfter({"top", "--sort", ""}), ElementsAre("cores", "gain", "loss", "age", "name"));
  EXPECT_THAT(wordsAfter({"top", "--sort=g"}), ElementsAre("gain"));
  EXPECT_THAT(wordsAfter({"top", "--sort", "=", "g"}), ElementsAre("gain"));  // as bash cuts it
  EXPECT_THAT(wordsAfter({"top", "--sort", "="}), Contains("loss"));
  EXPECT_THAT(wordsAfter({"run", "--policy", ""}),
              ElementsAre("TotalQuality", "MinQuality", "Fair", "LeastAttainedService", "FinishTime",
                          "LookAhead", "AllAtOnce"));
  EXPECT_THAT(wordsAfter({"simulate", "w.yaml", "--policy", "O"}), ElementsAre("Oracle"));
  EXPECT_THAT(wordsAfter({"predict", "--predictor", ""}), ElementsAre("Strawman", "Published", "Ensemble"));
  EXPECT_THAT(wordsAfter({"completion", ""}), ElementsAre("bash", "zsh", "fish"));
}

TEST_F(Completion, AsksTheClusterThatTheLineNames) {
  EXPECT_THAT(wordsAfter({"explain", "--context", "there", "-n", "team-b", "lo"}), ElementsAre("logreg"));
  EXPECT_EQ(asked.context, "there");
  EXPECT_EQ(asked.ns, "team-b");
  EXPECT_THAT(wordsAfter({"top", "--kubeconfig=/k", "-n", ""}), ElementsAre("team-a", "team-b"));
  EXPECT_EQ(asked.kubeconfig, "/k");
}

TEST_F(Completion, NamesJobsOfOtherNamespacesWithThem) {
  EXPECT_THAT(wordsAfter({"explain", "team-b/k"}), ElementsAre("team-b/kmeans"));
  EXPECT_EQ(asked.ns, "team-b");
}

TEST_F(Completion, LeavesFilesToTheShell) {
  EXPECT_EQ(after({"run", ""}).otherwise, cli::completion::Otherwise::Files);
  EXPECT_EQ(after({"simulate", ""}).otherwise, cli::completion::Otherwise::Files);
  EXPECT_EQ(after({"simulate", "w.yaml", "--series", ""}).otherwise, cli::completion::Otherwise::Files);
  EXPECT_EQ(after({"simulate", "w.yaml", "--constants", ""}).otherwise, cli::completion::Otherwise::Files);
  EXPECT_EQ(after({"predict", ""}).otherwise, cli::completion::Otherwise::Files);
  EXPECT_EQ(after({"run", "--logs", ""}).otherwise, cli::completion::Otherwise::Directories);
  EXPECT_EQ(after({"top", "--kubeconfig", ""}).otherwise, cli::completion::Otherwise::Files);
  EXPECT_EQ(after({"top", "--interval", ""}),
            (cli::completion::Completions{{}, cli::completion::Otherwise::Nothing}));
}

TEST_F(Completion, SpeaksTheProtocolOfKubectlsPlugins) {
  EXPECT_EQ(cli::completion::toText({{"logreg", "kmeans"}, cli::completion::Otherwise::Nothing}),
            "logreg\nkmeans\n:4\n");
  EXPECT_EQ(cli::completion::toText({{}, cli::completion::Otherwise::Files}), ":0\n");
}

TEST(CompletionOfNames, ComesFromTheCluster) {
  ApiServer server;
  server.add("team-a", "logreg", jobJson("team-a", "logreg"));
  server.list("/api/v1/namespaces", {R"({"metadata": {"name": "team-a"}})"});
  const auto named = say({"__complete", "explain", "--kubeconfig", server.kubeconfig(), ""});
  EXPECT_EQ(named.out, "logreg\n:4\n");
  EXPECT_EQ(say({"__complete", "top", "--kubeconfig", server.kubeconfig(), "-n", "te"}).out, "team-a\n:4\n");
}

TEST(CompletionOfNames, IsSilentWhereThereIsNoCluster) {
  const auto said = say({"__complete", "explain", "--kubeconfig", "/nowhere", ""});
  EXPECT_EQ(said.out, ":4\n");
  EXPECT_EQ(said.err, "");
  EXPECT_EQ(said.code, 0);
}

// Runs a line of bash that has read the script, with a program that answers as slaq would.
std::string inBash(const std::string& answer, const std::string& line) {
  TemporaryDirectory folder;
  std::ofstream(folder.path() + "/slaq") << "#!/bin/sh\nprintf '" << answer << "'\n";
  std::ofstream(folder.path() + "/script") << cli::completion::completionScript("bash") << line << "\n";
  const std::string command = "chmod +x " + folder.path() + "/slaq; PATH=" + folder.path() + ":$PATH bash " +
                              folder.path() + "/script";
  std::FILE* bash = ::popen(command.c_str(), "r");
  std::string out;
  for (int c = std::fgetc(bash); c != EOF; c = std::fgetc(bash)) out += static_cast<char>(c);
  EXPECT_EQ(::pclose(bash), 0);
  return out;
}

TEST(CompletionScript, OffersInBashWhatTheProgramAnswers) {
  EXPECT_EQ(inBash("logreg\\tdescribed at length\\nkmeans\\n:4\\n",
                   "COMP_WORDS=(slaq explain ''); COMP_CWORD=2; _slaq; echo \"${COMPREPLY[@]}\""),
            "logreg kmeans\n");
  EXPECT_EQ(inBash(":16\\n",
                   "cd /; COMP_WORDS=(slaq run --logs us); COMP_CWORD=3; _slaq; echo \"${COMPREPLY[@]}\""),
            "usr\n");
}

TEST(CompletionScript, IsReadByEveryShellThatIsHere) {
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    EXPECT_THAT(cli::completion::completionScript(shell), HasSubstr("__complete"));
    if (findProgram(shell).empty()) continue;
    std::FILE* reader = ::popen((shell + " -n").c_str(), "w");
    ASSERT_NE(reader, nullptr);
    std::fputs(cli::completion::completionScript(shell).c_str(), reader);
    EXPECT_EQ(::pclose(reader), 0) << shell;
  }
}

}  // namespace
}  // namespace slaq::test
