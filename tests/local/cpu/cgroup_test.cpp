// Where control groups are looked for and what is written into them. What a real kernel makes of it is in
// hold_test.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "local/cpu/cgroup_limiter.h"
#include "local/support.h"

namespace slaq::local::cpu {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr auto kOne = CgroupVersion::One;
constexpr auto kTwo = CgroupVersion::Two;

TEST(CgroupPlaces, FindsVersionOneFirstOnAHybridMachine) {
  const char* mounts =
      "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n"
      "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:9 - cgroup cgroup rw,cpu,cpuacct\n"
      "33 31 0:30 / /sys/fs/cgroup/cpuset rw,relatime - cgroup cgroup rw,cpuset\n";
  const char* self = "3:cpuset:/other\n2:cpu,cpuacct:/user/me\n0::/\n";
  EXPECT_THAT(cgroupPlaces(mounts, self), ElementsAre(CgroupPlace{kOne, "/sys/fs/cgroup/cpu,cpuacct/user/me"},
                                                      CgroupPlace{kTwo, "/sys/fs/cgroup/unified"}));
}

TEST(CgroupPlaces, TriesTheAncestorsInVersionTwoNearestFirst) {
  const char* mounts = "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n";
  EXPECT_THAT(
      cgroupPlaces(mounts, "0::/user.slice/app.slice/run.scope\n"),
      ElementsAre(CgroupPlace{kTwo, "/sys/fs/cgroup/user.slice/app.slice/run.scope"},
                  CgroupPlace{kTwo, "/sys/fs/cgroup/user.slice/app.slice"},
                  CgroupPlace{kTwo, "/sys/fs/cgroup/user.slice"}, CgroupPlace{kTwo, "/sys/fs/cgroup"}));
}

TEST(CgroupPlaces, KnowsThatAContainerSeesAPartOfTheHierarchy) {
  const char* mounts = "30 23 0:26 /docker/17 /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu\n";
  EXPECT_THAT(cgroupPlaces(mounts, "2:cpu:/docker/17/mine\n"),
              ElementsAre(CgroupPlace{kOne, "/sys/fs/cgroup/cpu/mine"}));
  EXPECT_THAT(cgroupPlaces(mounts, "2:cpu:/docker/17\n"),
              ElementsAre(CgroupPlace{kOne, "/sys/fs/cgroup/cpu"}));
}

TEST(CgroupPlaces, FindsNoneWhereNoneAre) {
  EXPECT_THAT(cgroupPlaces("", ""), IsEmpty());
  EXPECT_THAT(cgroupPlaces("22 1 0:1 / /proc rw - proc proc rw\nnonsense\n", "0::/\n"), IsEmpty());
  EXPECT_THAT(cgroupPlaces("33 31 0:30 / /c rw - cgroup cgroup rw,cpuset\n", "3:cpuset:/\n"), IsEmpty());
}

TEST(QuotaFor, KeepsPeriodsShortAndQuotasAboveTheKernelsLeast) {
  EXPECT_EQ(quotaFor(Cores(200)), (CpuQuota{4000, 20000}));
  EXPECT_EQ(quotaFor(Cores(2500)), (CpuQuota{50000, 20000}));
  EXPECT_EQ(quotaFor(Cores(50)), (CpuQuota{1000, 20000}));
  EXPECT_EQ(quotaFor(Cores(10)), (CpuQuota{1000, 100000}));
  EXPECT_EQ(quotaFor(Cores(1)), (CpuQuota{1000, 1000000}));
  EXPECT_EQ(quotaFor(Cores(0)), (CpuQuota{1000, 1000000}));
}

constexpr Cores kFourCores{4000};

// A directory that looks like a control group of version 2 and remembers what is written.
class VersionTwoTree : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(system::writeFile(root_ / "cgroup.controllers", "cpuset cpu memory\n"));
    ASSERT_TRUE(system::writeFile(root_ / "cgroup.subtree_control", "memory\n"));
  }

  TemporaryDirectory root_;
};

TEST_F(VersionTwoTree, GetsTheCpuControllerPassedOnAndAWeightAndALimitForEach) {
  const auto limiter = CgroupLimiter::make({kTwo, root_.path()}, kFourCores);
  ASSERT_TRUE(limiter) << limiter.error().message;
  const auto directory = (*limiter)->directories().front();
  EXPECT_EQ(directory.parent_path(), root_.path());
  EXPECT_EQ(system::readFile(root_ / "cgroup.subtree_control"), "+cpu");
  EXPECT_EQ(system::readFile(directory / "cgroup.subtree_control"), "+cpu");
  EXPECT_EQ(system::readFile(directory / "cpu.max"), "400000 100000") << "what all may have together";
  EXPECT_EQ((*limiter)->means(), "cgroup v2 at " + directory.string());

  const auto cpuLimit = (*limiter)->limit("a.worker-0", {Cores(100), Cores(250)});
  ASSERT_TRUE(cpuLimit) << cpuLimit.error().message;
  const auto group = directory / "a.worker-0.2";  // the first was the try
  EXPECT_EQ(system::readFile(group / "cpu.weight"), "10");
  EXPECT_EQ(system::readFile(group / "cpu.max"), "5000 20000");
  ASSERT_EQ(::write((*cpuLimit)->entry(), "0", 1), 1);
  EXPECT_EQ(system::readFile(group / "cgroup.procs"), "0");
}

TEST_F(VersionTwoTree, GetsAnotherWeightAndLimitInPlace) {
  const auto limiter = CgroupLimiter::make({kTwo, root_.path()}, kFourCores).value();
  const auto cpuLimit = limiter->limit("a.worker-0", {Cores(250), Cores(250)}).value();
  cpuLimit->attach(1);
  ASSERT_TRUE(cpuLimit->change({Cores(500), Cores(1500)}));
  EXPECT_EQ(system::readFile(limiter->directories().front() / "a.worker-0.2" / "cpu.max"), "30000 20000");
  EXPECT_EQ(system::readFile(limiter->directories().front() / "a.worker-0.2" / "cpu.weight"), "50");
  ASSERT_TRUE(cpuLimit->change({Cores(10), Cores(10)}));
  EXPECT_EQ(system::readFile(limiter->directories().front() / "a.worker-0.2" / "cpu.max"), "1000 100000");
  ASSERT_TRUE(cpuLimit->change({Cores(10), Cores(6000)}));
  EXPECT_EQ(system::readFile(limiter->directories().front() / "a.worker-0.2" / "cpu.max"), "80000 20000")
      << "no more than all together";
}

TEST(CgroupLimiter, WritesSharesPeriodAndQuotaInVersionOne) {
  const TemporaryDirectory root;
  const auto limiter = CgroupLimiter::make({kOne, root.path()}, kFourCores).value();
  const auto cpuLimit = limiter->limit("a", {Cores(10), Cores(10)}).value();
  ASSERT_TRUE(cpuLimit->change({Cores(125), Cores(250)}));
  const auto group = limiter->directories().front() / "a.2";
  EXPECT_EQ(system::readFile(group / "cpu.shares"), "128");
  EXPECT_EQ(system::readFile(group / "cpu.cfs_period_us"), "20000");
  EXPECT_EQ(system::readFile(group / "cpu.cfs_quota_us"), "5000");
}

TEST(CgroupLimiter, SaysWhyALimitCannotBeMoved) {
  const TemporaryDirectory root;
  const auto limiter = CgroupLimiter::make({kOne, root.path()}, kFourCores).value();
  const auto cpuLimit = limiter->limit("a", {Cores(10), Cores(10)}).value();
  std::filesystem::remove_all(limiter->directories().front());
  const auto done = cpuLimit->change({Cores(125), Cores(250)});
  ASSERT_FALSE(done);
  EXPECT_THAT(done.error().message, testing::HasSubstr("cpu.shares: No such file"));
}

TEST(CpusFor, AreAsManyAsMakeTheCoresOfThoseThatMayBeUsed) {
  cpu_set_t available;
  CPU_ZERO(&available);
  for (const int cpu : {1, 4, 5, 7}) CPU_SET(cpu, &available);
  const auto chosen = cpusFor(Cores(1500), available);
  ASSERT_TRUE(chosen);
  EXPECT_EQ(CPU_COUNT(&*chosen), 2);
  EXPECT_TRUE(CPU_ISSET(1, &*chosen) && CPU_ISSET(4, &*chosen));
  const auto later = cpusFor(Cores(1500), available, 3);
  ASSERT_TRUE(later);
  EXPECT_TRUE(CPU_ISSET(7, &*later) && CPU_ISSET(1, &*later)) << "after the last comes the first";
  EXPECT_EQ(CPU_COUNT(&*later), 2);
  const auto others = cpusFor(Cores(2000), available, 0, [](int cpu) { return cpu > 4; });
  ASSERT_TRUE(others);
  EXPECT_TRUE(CPU_ISSET(5, &*others) && CPU_ISSET(7, &*others)) << "those that nobody has taken";
  const auto few = cpusFor(Cores(2000), available, 0, [](int cpu) { return cpu == 7; });
  EXPECT_TRUE(few && CPU_ISSET(7, &*few) && CPU_ISSET(1, &*few)) << "where there are too few, also others";
  EXPECT_FALSE(cpusFor(Cores(3500), available)) << "all of them";
  EXPECT_FALSE(cpusFor(Cores(9000), available));
}

// As a container sees them.
TEST(LeastQuota, IsThatOfTheGroupOrOfOneAboveIt) {
  const auto folder = std::filesystem::path(::testing::TempDir()) / ("quota-" + std::to_string(::getpid()));
  const auto group = [&](CgroupVersion version, const std::string& name,
                         const std::map<std::string, std::string>& files) {
    std::filesystem::create_directories(folder / name);
    for (const auto& [file, text] : files) std::ofstream(folder / name / file) << text << '\n';
    return CgroupPlace{version, folder / name};
  };
  const auto none = group(CgroupVersion::Two, "none", {{"cpu.max", "max 100000"}});
  const auto two = group(CgroupVersion::Two, "two", {{"cpu.max", "200000 100000"}});
  const auto half =
      group(CgroupVersion::One, "half", {{"cpu.cfs_quota_us", "25000"}, {"cpu.cfs_period_us", "50000"}});
  const auto free =
      group(CgroupVersion::One, "free", {{"cpu.cfs_quota_us", "-1"}, {"cpu.cfs_period_us", "100000"}});
  EXPECT_EQ(leastQuota({none, free}), std::nullopt);
  EXPECT_EQ(leastQuota({none, two}), Cores(2000));
  EXPECT_EQ(leastQuota({half, two}), Cores(500));
  std::filesystem::remove_all(folder);
}

TEST(WeightFor, StaysInTheRangeOfItsVersion) {
  EXPECT_EQ(weightFor(kOne, Cores(1000)), 1024);
  EXPECT_EQ(weightFor(kOne, Cores(0)), 2);
  EXPECT_EQ(weightFor(kTwo, Cores(1000)), 100);
  EXPECT_EQ(weightFor(kTwo, Cores(1)), 1);
  EXPECT_EQ(weightFor(kTwo, Cores(1'000'000)), 10'000);
}

TEST_F(VersionTwoTree, IsLeftAloneWhereCpuIsPassedOnAlready) {
  ASSERT_TRUE(system::writeFile(root_ / "cgroup.subtree_control", "cpu memory\n"));
  ASSERT_TRUE(CgroupLimiter::make({kTwo, root_.path()}, kFourCores));
  EXPECT_EQ(system::readFile(root_ / "cgroup.subtree_control"), "cpu memory\n");
}

TEST_F(VersionTwoTree, IsRefusedWithoutTheCpuController) {
  ASSERT_TRUE(system::writeFile(root_ / "cgroup.controllers", "cpuset memory\n"));
  const auto limiter = CgroupLimiter::make({kTwo, root_.path()}, kFourCores);
  ASSERT_FALSE(limiter);
  EXPECT_EQ(limiter.error().kind, ErrorKind::Forbidden);
}

TEST(CgroupLimiter, IsRefusedWhereNoGroupCanBeMade) {
  EXPECT_FALSE(CgroupLimiter::make({kOne, "/proc"}, kFourCores));
  EXPECT_FALSE(CgroupLimiter::make({kOne, "/nowhere"}, kFourCores));
}

}  // namespace
}  // namespace slaq::local::cpu
