// What runs of commands leave in the user's state directory.
#include "cli/logs/kept_logs.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <chrono>
#include <fstream>

#include "cli/command_line.h"
#include "local/support.h"

namespace slaq::cli::logs {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

TEST(KeptLogs, AreThoseOfTheNewestRuns) {
  const local::TemporaryDirectory directory;
  for (int i = 10; i < 60; ++i)
    std::filesystem::create_directories(directory / ("202611" + std::to_string(i) + "-120000-99999999"));
  const auto goesOn = directory / ("20261101-120000-" + std::to_string(::getpid()));
  std::filesystem::create_directories(goesOn);
  const auto run = newRun(directory / "");
  EXPECT_GT(run.filename(), "20261127");
  const auto kept = keptRuns(directory / "");
  EXPECT_THAT(kept, SizeIs(32)) << "with the new one and one that goes on they are 33";
  EXPECT_EQ(kept.front(), goesOn);
  EXPECT_EQ(kept.back().filename(), "20261159-120000-99999999");
}

TEST(KeptLogs, ArePrinted) {
  const local::TemporaryDirectory directory;
  const auto write = [&](const char* file, const char* text) { std::ofstream(directory / file) << text; };
  const auto logs = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"logs", "--directory", (directory / "").string()});
    return test::say(words);
  };
  EXPECT_THAT(logs({}).err, HasSubstr("there is no output of a job"));
  write("default.a.worker-0.log", "words of a\n");
  EXPECT_EQ(logs({}).out, "words of a\n");
  write("default.b.worker-0.log", "words of b\n");
  EXPECT_EQ(logs({"b"}).out, "words of b\n");
  EXPECT_THAT(logs({}).err, HasSubstr("name one of the jobs of"));
  EXPECT_THAT(logs({"c"}).err, HasSubstr("there is that of a, b"));
}

TEST(KeptLogs, OfAllWorkersOfTheOnlyJobArePrinted) {
  const local::TemporaryDirectory directory;
  for (const char* worker : {"0", "1"})
    std::ofstream(directory / (std::string("default.a.worker-") + worker + ".log")) << worker << "\n";
  EXPECT_EQ(test::say({"logs", "--directory", (directory / "").string()}).out, "0\n1\n");
}

TEST(KeptLogs, OfAComparisonAreThoseOfItsLastRun) {
  const local::TemporaryDirectory directory;
  for (const char* policy : {"Fair", "LookAhead"}) {
    std::filesystem::create_directories(directory / policy);
    std::ofstream(directory / policy / "default.a.worker-0.log") << policy << "\n";
    const auto age = std::string(policy) == "Fair" ? std::chrono::hours(1) : std::chrono::hours(2);
    std::filesystem::last_write_time(directory / policy, std::filesystem::file_time_type::clock::now() - age);
  }
  const auto printed = test::say({"logs", "--directory", (directory / "").string(), "a"});
  EXPECT_EQ(printed.out, "Fair\n");
  EXPECT_THAT(printed.err, HasSubstr("the run under Fair"));
}

}  // namespace
}  // namespace slaq::cli::logs
