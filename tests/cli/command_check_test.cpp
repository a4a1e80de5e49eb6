// Commands that can't be executed are refused before anything starts.
#include "cli/manifests/command_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "local/support.h"

namespace slaq::test {
namespace {

using cli::manifests::mistakeInCommand;
using cli::manifests::mistakeInLine;
using ::testing::HasSubstr;

class CommandCheck : public ::testing::Test {
 protected:
  std::string script(const std::string& name, const std::string& text, bool isExecutable) {
    const auto path = directory_ / name;
    std::ofstream(path) << text;
    using std::filesystem::perms;
    std::filesystem::permissions(path, isExecutable ? perms::owner_all : perms::owner_read);
    return path.string();
  }

  const local::TemporaryDirectory directory_;
};

TEST_F(CommandCheck, NamesTheInterpreterOfAScript) {
  const auto train = script("train.py", "print(1)\n", false);
  const std::string mistake = train + " is not executable; did you mean 'python3 " + train + " --lr 0.1'?";
  EXPECT_EQ(mistakeInLine(train + " --lr 0.1"), mistake);
  EXPECT_EQ(mistakeInCommand({train, "--lr", "0.1"}), mistake);
  const auto shell = script("train.sh", "exit\n", false);
  EXPECT_EQ(mistakeInLine(shell), shell + " is not executable; did you mean 'sh " + shell + "'?");
}

TEST_F(CommandCheck, AnExecutableScriptMustSayWhatRunsIt) {
  EXPECT_EQ(mistakeInLine(script("a.py", "#!/usr/bin/python3\n", true)), "");
  EXPECT_EQ(mistakeInLine(script("a.sh", "exit 0\n", true)), "") << "sh runs it";
  const auto nameless = script("b.py", "import torch\n", true);
  EXPECT_THAT(mistakeInLine(nameless),
              HasSubstr("does not begin with #!, so no program runs it; did you mean"));
}

TEST_F(CommandCheck, APathMustBeThere) {
  const auto gone = (directory_ / "gone").string();
  EXPECT_EQ(mistakeInLine(gone + " 1"), gone + " does not exist");
  const auto data = script("data", "1", false);
  EXPECT_EQ(mistakeInLine(data), data + " is not executable; chmod +x " + data + " makes it so");
}

TEST_F(CommandCheck, AScriptOfThisDirectoryIsNoProgram) {
  const auto before = std::filesystem::current_path();
  script("train.py", "print(1)\n", true);
  std::filesystem::current_path(directory_.path());
  EXPECT_EQ(mistakeInLine("train.py"), "train.py is no program on PATH; did you mean 'python3 train.py'?");
  std::filesystem::current_path(before);
}

TEST_F(CommandCheck, AProgramMustBeFound) {
  EXPECT_EQ(mistakeInCommand({"sh", "-c", "exit"}), "");
  EXPECT_EQ(mistakeInCommand({"nosuchprogram", "train.py"}), "nosuchprogram is no program on PATH");
  const auto before = std::filesystem::current_path();
  script("trainer", "exit\n", true);
  std::filesystem::current_path(directory_.path());
  EXPECT_EQ(mistakeInCommand({"trainer", "1"}), "trainer is no program on PATH; did you mean './trainer 1'?");
  std::filesystem::current_path(before);
}

TEST_F(CommandCheck, LeavesToTheShellWhatOnlyItKnows) {
  for (const char* line :
       {"python3 train.py", "cd /nowhere && ./a.py", "X=/no/where train", "for i in 1; do :; done",
        "$HOME/train.py", "~/train.py", "(./none)", "\"/no/such file\"", "nosuchprogram", ""})
    EXPECT_EQ(mistakeInLine(line), "") << line;
}

}  // namespace
}  // namespace slaq::test
