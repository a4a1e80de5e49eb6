// From a container to a process: variables, the program and its environment.
#include "local/processes/command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "local/support.h"
#include "local/system/reserved_ports.h"

namespace slaq::local::processes {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Expand, FollowsKubernetes) {
  const Variables variables = {{"A", "1"}, {"B", "$(A)"}, {"EMPTY", ""}};
  const std::pair<const char*, const char*> cases[] = {
      {"", ""},
      {"plain", "plain"},
      {"$(A)", "1"},
      {"x$(A)y$(A)z", "x1y1z"},
      {"$(EMPTY)", ""},
      {"$(B)", "$(A)"},  // once is enough
      {"$(UNKNOWN)", "$(UNKNOWN)"},
      {"$A ${A}", "$A ${A}"},
      {"$$(A)", "$(A)"},
      {"$$$(A)", "$1"},
      {"$$$$(A)", "$$(A)"},
      {"$(A", "$(A"},
      {"$", "$"},
      {"a$", "a$"},
      {"$()", "$()"},
  };
  for (const auto& [text, expanded] : cases) EXPECT_EQ(expand(text, variables), expanded) << text;
}

TEST(FindProgram, TakesTheFirstExecutableOnThePath) {
  TemporaryDirectory one, two;
  for (const auto& file : {one / "a", two / "a", two / "b"})
    ASSERT_TRUE(system::writeFile(file, "#!/bin/sh\n"));
  ASSERT_EQ(::chmod((two / "a").c_str(), 0755), 0);
  const std::vector<std::filesystem::path> path = {one.path(), two.path()};
  EXPECT_EQ(findProgram("a", path).value(), (two / "a").string());
  EXPECT_EQ(findProgram("./b", path).value(), "./b");
  const auto missing = findProgram("b", path);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error(), (Error{ErrorKind::Invalid, "the program 'b' is not found on PATH"}));
}

TEST(CommandOf, ExpandsCommandAndArgumentsAndSetsTheEnvironment) {
  Container container;
  container.command = {"sh"};
  container.args = {"-c", "$(SLAQ_JOB)-$(MINE)", "$(HOME)"};
  container.environment = {{"MINE", "m-$(SLAQ_JOB)"}, {"SLAQ_WORKER_INDEX", "99"}};
  container.workingDirectory = "/tmp";
  const auto spec =
      commandOf(container, {{"SLAQ_JOB", "j"}, {"SLAQ_WORKER_INDEX", "3"}}, searchPath("/ours"));
  ASSERT_TRUE(spec) << spec.error().message;
  EXPECT_THAT(spec->program, testing::EndsWith("/sh"));
  // Like Kubernetes: what merely lies in the environment isn't expanded.
  EXPECT_THAT(spec->arguments, ElementsAre("sh", "-c", "j-m-j", "$(HOME)"));
  EXPECT_THAT(spec->environment, Contains("MINE=m-j"));
  EXPECT_THAT(spec->environment, Contains("SLAQ_WORKER_INDEX=3"));
  EXPECT_THAT(spec->environment, testing::Not(Contains("SLAQ_WORKER_INDEX=99")));
  EXPECT_THAT(spec->environment, Contains(testing::StartsWith("PATH=/ours:")));
  EXPECT_EQ(spec->workingDirectory, "/tmp");
}

// As on a cluster: a value may refer to variables before it, and to no later ones.
TEST(CommandOf, ExpandsVariablesInTheirOrder) {
  Container container;
  container.command = {"sh"};
  container.environment = {{"Z", "/data"}, {"A", "$(Z)/mnist"}, {"B", "$(C)"}, {"C", "1"}, {"C", "2"}};
  const auto spec = commandOf(container, {}, searchPath("/ours"));
  ASSERT_TRUE(spec) << spec.error().message;
  for (const char* each : {"A=/data/mnist", "B=$(C)", "C=2"}) EXPECT_THAT(spec->environment, Contains(each));
}

TEST(ReservedPorts, AreDifferent) {
  const auto ports = system::reservePorts(50);
  ASSERT_TRUE(ports);
  std::set<int> numbers;
  for (const auto& port : *ports) numbers.insert(port.number());
  EXPECT_EQ(numbers.size(), 50u);
  EXPECT_FALSE(system::reservePorts(3, 20'000, 20'002));
}

// Nothing listens on a port before its program has started, which may take long.
TEST(ReservedPorts, AreNobodyElsesUntilTheyAreGivenUp) {
  auto first = system::reservePorts(1).value();
  const int port = first.front().number();
  const auto reserveIt = [&] { return system::reservePorts(1, port, port + 1); };
  EXPECT_FALSE(reserveIt());
  first.clear();
  EXPECT_TRUE(reserveIt());
  const auto again = system::ReservedPort::again(port);
  EXPECT_EQ(again.number(), port);
  EXPECT_FALSE(reserveIt());
}

// A shell takes an empty directory in PATH for the current one, the last one too.
TEST(SearchPath, HasTheCurrentDirectoryWhereAShellHasIt) {
  EXPECT_THAT(searchPath("/ours", "/a::/b:"), testing::ElementsAre("/ours", "/a", ".", "/b", "."));
}

}  // namespace
}  // namespace slaq::local::processes
