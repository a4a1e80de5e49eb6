// GPUs of the machine: no two processes have the same one, and a list of them is read as people write it.
#include "local/system/gpus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "local/support.h"

namespace slaq::local::system {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(GpusOfTheMachine, BelongToOneAtATime) {
  const auto gpus = Gpus::of({"0", "1", "GPU-2"});
  auto two = gpus->take(2);
  ASSERT_TRUE(two);
  EXPECT_EQ((*two)->visible(), "0,1");
  auto one = gpus->take(1);
  ASSERT_TRUE(one);
  EXPECT_EQ((*one)->visible(), "GPU-2");
  const auto none = gpus->take(1);
  ASSERT_FALSE(none);
  EXPECT_TRUE(retriable(none.error().kind));
  two->reset();
  EXPECT_EQ(gpus->take(1).value()->visible(), "0");
}

TEST(GpusOfTheMachine, AreClaimedForWhoHasThemAlready) {
  const auto gpus = Gpus::of({"0", "1", "2"});
  const auto had = gpus->claim("1,7");
  EXPECT_EQ(had->visible(), "1");
  EXPECT_EQ(gpus->take(2).value()->visible(), "0,2");
}

TEST(GpusOfTheMachine, AreNoneForADriverThatAsksForNone) {
  EXPECT_EQ(Gpus::of({"0"})->take(0).value()->visible(), "");
}

TEST(GpuList, IsReadAsPeopleWriteIt) {
  EXPECT_THAT(gpuIds("0, 1,3").value(), ElementsAre("0", "1", "3"));
  EXPECT_THAT(gpuIds(",").error().message, HasSubstr("names no GPU"));
  EXPECT_THAT(gpuIds("0,1,0").error().message, HasSubstr("has a GPU twice"));
}

// The program is played, since few machines have the real one.
TEST(GpuList, OfAllIsThatOfNvidiaSmi) {
  const TemporaryDirectory directory;
  const auto program = directory / "nvidia-smi";
  std::ofstream(program)
      << "#!/bin/sh\n[ \"$*\" = '--query-gpu=index --format=csv,noheader' ] && printf '0\\n1\\n'\n";
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  const std::string before = std::getenv("PATH");
  ::setenv("PATH", (directory.path().string() + ":" + before).c_str(), 1);
  EXPECT_THAT(gpuIds("all").value(), ElementsAre("0", "1"));
  std::ofstream(program) << "#!/bin/sh\nexit 9\n";
  EXPECT_THAT(gpuIds("all").error().message, HasSubstr("nvidia-smi lists no GPU"));
  ::setenv("PATH", before.c_str(), 1);
}

}  // namespace
}  // namespace slaq::local::system
