// What runs of commands leave in the user's state directory.
#include "cli/logs/kept_logs.h"

#include <gmock/gmock.h>

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
    std::filesystem::create_directories(directory / ("202611" + std::to_string(i) + "-120000-1"));
  const auto run = newRun(directory / "");
  EXPECT_GT(run.filename(), "20261127");
  const auto kept = keptRuns(directory / "");
  EXPECT_THAT(kept, SizeIs(31)) << "with the new one they are 32";
  EXPECT_EQ(kept.back().filename(), "20261159-120000-1");
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

}  // namespace
}  // namespace slaq::cli::logs
