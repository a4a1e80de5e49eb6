// The flags that say of a command what a manifest would.
#include "cli/manifests/command_flags.h"

#include <gmock/gmock.h>

#include <CLI/CLI.hpp>
#include <algorithm>

namespace slaq::cli::manifests {
namespace {

using ::testing::HasSubstr;

// What is wrong with the words, or nothing.
std::string problemOf(std::vector<std::string> words, CommandDefaults& defaults) {
  CLI::App app;
  addCommandFlags(*app.add_subcommand("run"), defaults);
  words.insert(words.begin(), "run");
  std::ranges::reverse(words);  // CLI11 takes them from the end
  try {
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    return error.what();
  }
  return "";
}

std::string problemOf(std::vector<std::string> words) {
  CommandDefaults defaults;
  return problemOf(std::move(words), defaults);
}

TEST(CommandFlags, TakeAnExpressionForTheOutput) {
  for (const auto& words : std::vector<std::vector<std::string>>{
           {"--pattern", "nll=(?<loss>.*)"}, {"--from", "output", "--pattern", "nll=(?<loss>.*)"}}) {
    CommandDefaults defaults;
    EXPECT_EQ(problemOf(words, defaults), "");
    EXPECT_EQ(defaults.pattern, "nll=(?<loss>.*)");
  }
  EXPECT_THAT(problemOf({"--pattern", "nll=(.*)"}),
              HasSubstr("--pattern: must have a group named loss, as in 'step="));
  EXPECT_THAT(problemOf({"--pattern", "nll=(?<loss>.*"}),
              HasSubstr("--pattern: is no regular expression: missing closing parenthesis"));
  EXPECT_THAT(problemOf({"--pattern", "(?<loss>.)", "--from", "file:log.csv"}),
              HasSubstr("--pattern: can't be given together with --from file:log.csv"));
  EXPECT_THAT(problemOf({"--pattern", "(?<loss>.)", "--metric", "nll"}),
              HasSubstr("--pattern: can't be given together with --metric"));
}

TEST(CommandFlags, TakeTheMemoryOfAGpu) {
  EXPECT_EQ(problemOf({"--gpu-memory", "20Gi"}), "");
  EXPECT_THAT(problemOf({"--gpu-memory", "20GB"}),
              HasSubstr("--gpu-memory: \"20GB\" is no quantity of memory"));
}

TEST(CommandFlags, NameTheJobAndItsCores) {
  EXPECT_EQ(problemOf({"--name", "my-train", "--max-cpu", "1500m"}), "");
  EXPECT_THAT(problemOf({"--name", "My Train"}), HasSubstr("--name: must be at most 45 of a-z, 0-9 and '-'"));
  EXPECT_THAT(problemOf({"--max-cpu", "4GB"}), HasSubstr("--max-cpu: \"4GB\""));
  EXPECT_THAT(problemOf({"--gpu", "--max-cpu", "2"}),
              HasSubstr("--max-cpu: can't be given together with --gpu"));
}

TEST(CommandFlags, NameTheSourceOfTheLoss) {
  for (const char* source : {"output", "kubeflow", "file:a", "tensorboard:a", "mlflow:a"})
    EXPECT_EQ(problemOf({"--from", source}), "") << source;
  for (const char* source : {"", "file:", "kubeflow:", "stdout"})
    EXPECT_THAT(problemOf({"--from", source}), HasSubstr("must be output, kubeflow, file:PATH")) << source;
}

TEST(CommandFlags, NameTheLeastAndTheMostWorkers) {
  for (const char* workers : {"1:4", "2:2", "1:99999"})
    EXPECT_EQ(problemOf({"--workers", workers}), "") << workers;
  for (const char* workers : {"", "4", "0:3", "3:2", "a:b", "1:", ":2", "1:4:5", "-1:2", "1:999999999999"})
    EXPECT_THAT(problemOf({"--workers", workers}),
                HasSubstr("must be the least and the most workers, such as 1:4"))
        << workers;
}

}  // namespace
}  // namespace slaq::cli::manifests
