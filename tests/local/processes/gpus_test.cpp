// GPUs of the machine: no two processes have the same one, and a list of them is read as people write it.
#include "local/system/gpus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "local/support.h"
#include "local/system/gpu_memory.h"

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
class NvidiaSmi : public testing::Test {
 protected:
  void SetUp() override {
    ::setenv("PATH", (directory_.path().string() + ":" + path_).c_str(), 1);
    ::unsetenv(kVisibleGpus);
  }
  void TearDown() override {
    ::setenv("PATH", path_.c_str(), 1);
    ::unsetenv(kVisibleGpus);
  }
  void is(const std::string& script) {
    std::ofstream(directory_ / "nvidia-smi") << "#!/bin/sh\n" << script << "\n";
    std::filesystem::permissions(directory_ / "nvidia-smi", std::filesystem::perms::owner_all);
  }

  TemporaryDirectory directory_;
  const std::string path_ = std::getenv("PATH");
};

TEST_F(NvidiaSmi, ListsAllGpus) {
  is("[ \"$*\" = '--query-gpu=index --format=csv,noheader' ] && printf '0\\n1\\n'");
  EXPECT_THAT(gpuIds("all").value(), ElementsAre("0", "1"));
  EXPECT_EQ(sharedGpuId("").value(), "0");
  is("exit 9");
  EXPECT_THAT(gpuIds("all").error().message, HasSubstr("nvidia-smi lists no GPU"));
  EXPECT_THAT(sharedGpuId("").error().message, HasSubstr("nvidia-smi lists no GPU"));
}

TEST_F(NvidiaSmi, IsNotAskedWhichGpuIsSharedWhereItIsNamed) {
  is("exit 9");
  EXPECT_EQ(sharedGpuId("3").value(), "3");
  ::setenv(kVisibleGpus, "GPU-8a56a4bc,1", 1);
  EXPECT_EQ(sharedGpuId("").value(), "GPU-8a56a4bc");
  EXPECT_EQ(sharedGpuId("3").value(), "3");
  for (const auto* several : {"0,1", "all"})
    EXPECT_THAT(sharedGpuId(several).error().message, HasSubstr("more than the one GPU")) << several;
  EXPECT_THAT(sharedGpuId("0; rm -r /").error().message, HasSubstr("no index and no UUID"));
}

TEST_F(NvidiaSmi, TellsTheMemoryOfAGpuAndOfItsProcesses) {
  is("case \"$*\" in *'-i 2 --query-gpu=memory.total,memory.used') echo '81559, 1200';;\n"
     "*'-i 2 --query-compute-apps=pid,used_gpu_memory') printf '4711, 500\\n4712, [N/A]\\n4711, 100\\n';; "
     "esac");
  EXPECT_EQ(readGpuMemory("2").value(),
            (GpuMemory{Mebibytes(81559), Mebibytes(1200), {{4711, Mebibytes(600)}}}));
  const auto none = readGpuMemory("0");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "nvidia-smi does not tell the memory of the GPU 0");
  EXPECT_TRUE(retriable(none.error().kind));
}

TEST(GpuMemoryText, IsMalformedIfItHasNoNumbers) {
  for (const auto* text : {"", "\n", "81559", "81559, [N/A]", "0, 0", "No devices were found"})
    EXPECT_FALSE(gpuMemoryFrom(text, "")) << text;
  EXPECT_TRUE(gpuMemoryFrom("81559, 0\n", "No running processes found\n")->byProcess.empty());
}

}  // namespace
}  // namespace slaq::local::system
