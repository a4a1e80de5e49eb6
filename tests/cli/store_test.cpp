// What slaq serve keeps in its directory, and how it reads the manifests there.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "cli/store/job_directory.h"
#include "cli/store/job_state.h"
#include "cli/store/kept_losses.h"
#include "cli/store/serve_directory.h"
#include "local/support.h"

namespace slaq::cli::store {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class Directory : public testing::Test {
 protected:
  std::string manifest(const std::string& name, const std::string& cores = "1") {
    return "apiVersion: slaq.io/v1alpha1\nkind: TrainingJob\nmetadata: {name: " + name +
           "}\nspec:\n  workers:\n    minReplicas: 1\n    maxReplicas: 4\n    template:\n      spec:\n"
           "        containers:\n        - name: main\n          image: trainer\n          command: [train]\n"
           "          resources: {requests: {cpu: " +
           cores + "}}\n";
  }
  // A file that was written some time ago.
  void put(const std::string& name, const std::string& text) {
    std::ofstream(directory_ / name) << text;
    const timespec times[2] = {{1'700'000'000 + ++age_, 0}, {1'700'000'000 + age_, 0}};
    ::utimensat(AT_FDCWD, (directory_ / name).c_str(), times, 0);
  }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& [key, job] : jobs_.jobs()) names.push_back(key.name);
    return names;
  }
  std::string mistakeIn(const std::string& file) const {
    const auto found = jobs_.mistakes().find(directory_ / file);
    return found == jobs_.mistakes().end() ? "" : found->second;
  }

  local::TemporaryDirectory directory_;
  JobDirectory jobs_{directory_.path(), {Cores(4000)}};
  int age_ = 0;
};

TEST_F(Directory, HasTheJobsOfItsManifests) {
  put("a.yaml", manifest("a"));
  put("b.yml", manifest("b") + "---\n" + manifest("c"));
  put("a.status.json", "{}");
  put("notes.txt", "nothing");
  EXPECT_TRUE(jobs_.look());
  EXPECT_THAT(names(), ElementsAre("a", "b", "c"));
  EXPECT_EQ(jobs_.countIn(directory_ / "b.yml"), 2u);
  EXPECT_FALSE(jobs_.look());
  std::filesystem::remove(directory_ / "b.yml");
  EXPECT_TRUE(jobs_.look());
  EXPECT_THAT(names(), ElementsAre("a"));
}

TEST_F(Directory, LeavesAFileAloneThatIsBeingWritten) {
  std::ofstream(directory_ / "a.yaml") << manifest("a");
  EXPECT_FALSE(jobs_.look());
  put("a.yaml", manifest("a"));
  EXPECT_TRUE(jobs_.look());
}

TEST_F(Directory, KeepsWhatAFileHadWhileItCantBeRead) {
  put("a.yaml", manifest("a"));
  jobs_.look();
  put("a.yaml", manifest("a").substr(0, 150));
  EXPECT_FALSE(jobs_.look());
  EXPECT_THAT(names(), ElementsAre("a"));
  EXPECT_THAT(mistakeIn("a.yaml"), HasSubstr("a.yaml:"));
  put("a.yaml", manifest("a"));
  jobs_.look();
  EXPECT_EQ(mistakeIn("a.yaml"), "");
}

TEST_F(Directory, SaysWhatIsWrong) {
  put("big.yaml", manifest("big", "8"));
  put("twin.yaml", manifest("a"));
  put("a.yaml", manifest("a"));
  std::filesystem::create_symlink(directory_ / "a.yaml", directory_ / "link.yaml");
  jobs_.look();
  EXPECT_THAT(mistakeIn("big.yaml"), HasSubstr("needs 8 cores at least, and there are 4"));
  EXPECT_THAT(mistakeIn("twin.yaml"), HasSubstr("is in " + (directory_ / "a.yaml").string() + " too"));
  EXPECT_THAT(mistakeIn("link.yaml"), HasSubstr("is a symbolic link"));
  EXPECT_THAT(names(), ElementsAre("a"));
}

// With another name, each restart of the server would end the job and begin another one.
TEST_F(Directory, WantsNamesThatStay) {
  const std::string text = manifest("a");
  put("a.yaml", std::string(text).replace(text.find("name: a"), 7, "generateName: a-"));
  jobs_.look();
  EXPECT_THAT(mistakeIn("a.yaml"), HasSubstr("metadata.name: is missing; with generateName"));
  EXPECT_THAT(names(), IsEmpty());
}

TEST_F(Directory, ReadsAFileAgainOnceWhatKeptItFromThatIsMended) {
  put("a.yaml", manifest("a"));
  std::filesystem::create_hard_link(directory_ / "a.yaml", directory_ / "other");
  jobs_.look();
  EXPECT_THAT(mistakeIn("a.yaml"), HasSubstr("has another name elsewhere"));
  std::filesystem::remove(directory_ / "other");
  EXPECT_TRUE(jobs_.look());
  EXPECT_THAT(names(), ElementsAre("a"));
}

// A directory that root is to serve may belong to another user.
TEST(ServeDirectory, IsNotOpenedThroughLinks) {
  const local::TemporaryDirectory directory;
  const auto theirs = directory / "theirs";
  std::filesystem::create_directory(theirs);
  std::filesystem::permissions(theirs, std::filesystem::perms::owner_all);
  std::ofstream(theirs / "file") << "precious";
  for (const char* link : {".slaq", ".slaq/new"}) {
    const auto jobs = directory / (std::string("jobs") + (std::string(link) == ".slaq" ? "1" : "2"));
    std::filesystem::create_directories((jobs / link).parent_path());
    std::filesystem::permissions((jobs / link).parent_path(), std::filesystem::perms(0755));
    std::filesystem::create_directory_symlink(theirs, jobs / link);
    ServeDirectory serve(jobs);
    EXPECT_FALSE(serve.open());
    EXPECT_EQ(std::filesystem::status(theirs).permissions(), std::filesystem::perms::owner_all);
    EXPECT_TRUE(std::filesystem::exists(theirs / "file"));
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(theirs), {}), 1);
  }
}

TEST(ServeDirectory, KeepsTheNewestOutputOfJobsThatAreGone) {
  const local::TemporaryDirectory directory;
  ServeDirectory serve(directory / "jobs");
  ASSERT_TRUE(serve.open());
  const auto now = std::filesystem::file_time_type::clock::now();
  const auto write = [&](const std::string& job, int age) {
    const auto file = serve.logs() / ("default." + job + ".worker-0.log");
    std::ofstream(file) << job;
    std::filesystem::last_write_time(file, now - std::chrono::seconds(age));
    return file;
  };
  const auto old = write("old", 1000), own = write("own", 2000);
  for (std::size_t i = 0; i < ServeDirectory::kKeptLogs; ++i) write("gone-" + std::to_string(i), 1);
  serve.sweepLogs({{"default", "own"}});
  EXPECT_FALSE(std::filesystem::exists(old));
  EXPECT_TRUE(std::filesystem::exists(own));
}

TEST_F(Directory, AJobStaysThatOfTheFileThatHadItFirst) {
  put("z.yaml", manifest("a"));
  jobs_.look();
  put("a.yaml", manifest("a"));
  jobs_.look();
  EXPECT_EQ(jobs_.jobs().at({"default", "a"}).file, directory_ / "z.yaml");
}

TEST(JobStateFile, IsReadAsItWasWritten) {
  JobState state{
      .uid = "u-1", .created = Time(Seconds(1'700'000'000)), .user = 1000, .expired = true, .generation = 3};
  state.left.status.state = slaq::JobState::Running;
  state.left.goals = {.started = true,
                      .suspended = true,
                      .isStarting = false,
                      .desired = Workers(3),
                      .each = Cores(500),
                      .driverPort = 7070,
                      .metricsPort = 9464};
  state.left.goals.gpuMemory = Mebibytes(9'000);
  state.left.goals.driver = local::processes::ProcessHistory{.failures = 2,
                                                             .failuresInARow = 1,
                                                             .lastFailure = "exit code 1",
                                                             .impossible = "no \"program\"",
                                                             .ended = 4711};
  state.left.goals.workers = {{.succeeded = true}, {}};
  const auto read = jobStateFrom(toJson(state));
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, state);
  EXPECT_FALSE(jobStateFrom("{\"uid\": \"u"));
  EXPECT_FALSE(jobStateFrom("{}"));
}

TEST(JobStateFile, ThatIsSpoiltHarmsNoOther) {
  const local::TemporaryDirectory directory;
  JobStates states(directory.path());
  ASSERT_TRUE(states.save({{{"default", "a"}, {.uid = "1", .created = Time(Seconds(1))}},
                           {{"default", "b"}, {.uid = "2", .created = Time(Seconds(1))}}}));
  std::ofstream(directory / "default.a.json") << "{\"uid\":";
  std::string mistakes;
  const auto loaded = JobStates(directory.path()).load(mistakes);
  EXPECT_THAT(loaded, SizeIs(1));
  EXPECT_EQ(loaded.at({"default", "b"}).uid, "2");
  EXPECT_THAT(mistakes, HasSubstr("default.a.json: is no JSON object; the job begins anew"));
}

TEST(JobStateFile, IsWrittenAlone) {
  const local::TemporaryDirectory directory;
  JobStates states(directory.path());
  const JobKey key{"default", "a"}, other{"default", "b"};
  ASSERT_TRUE(states.save({{key, {.uid = "1"}}, {other, {.uid = "2"}}}));
  ASSERT_TRUE(states.save(key, {.uid = "3"}));
  std::string mistakes;
  const auto loaded = JobStates(directory.path()).load(mistakes);
  EXPECT_EQ(loaded.at(key).uid, "3");
  EXPECT_EQ(loaded.at(other).uid, "2");
}

TEST(JobStateFile, GoesWithItsJob) {
  const local::TemporaryDirectory directory;
  JobStates states(directory.path());
  ASSERT_TRUE(states.save({{{"default", "a"}, {.uid = "1", .created = Time(Seconds(1))}}}));
  ASSERT_TRUE(states.save({}));
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
}

class PlayedLosses final : public LossSource {
 public:
  Result<LossReport> collect(const std::vector<LossRequest>& jobs, Time) override {
    LossReport report;
    for (const auto& job : jobs) report[job.job].samples = std::exchange(samples, {});
    return report;
  }
  std::vector<LossSample> samples;
};

LossSample sampleAt(double time, double loss) {
  return {.time = Time(Seconds(time)), .iteration = Iterations(time), .loss = Loss(loss)};
}

class Losses : public testing::Test {
 protected:
  std::vector<LossSample> collect(KeptLosses& losses, double since = 0, const std::string& uid = "u-1") {
    const LossRequest request{
        .job = kKey, .uid = uid, .metric = "", .iterationMetric = "", .since = Time(Seconds(since))};
    return losses.collect({request}, Time(Seconds(100))).value().at(kKey).samples;
  }

  const JobKey kKey{"default", "a"};
  local::TemporaryDirectory directory_;
  PlayedLosses source_;
};

TEST_F(Losses, AreThereForTheNextProgram) {
  KeptLosses first(source_, directory_.path());
  source_.samples = {sampleAt(1, 0.5), sampleAt(2, 0.25)};
  EXPECT_THAT(collect(first), SizeIs(2));
  ASSERT_TRUE(first.save({kKey}));
  source_.samples = {sampleAt(3, 0.125)};
  collect(first);
  ASSERT_TRUE(first.save({kKey}));

  KeptLosses second(source_, directory_.path());
  source_.samples = {sampleAt(4, 0.1)};
  EXPECT_THAT(collect(second),
              ElementsAre(sampleAt(1, 0.5), sampleAt(2, 0.25), sampleAt(3, 0.125), sampleAt(4, 0.1)));
  EXPECT_THAT(collect(second, 3.5), ElementsAre(sampleAt(4, 0.1)));
}

TEST_F(Losses, AreToldOnceByEachProgramWithThoseOfTheOneBefore) {
  std::vector<LossSample> told;
  const auto tell = [&](const JobKey& key, const std::string& uid, const LossSample& sample) {
    EXPECT_EQ(key, kKey);
    EXPECT_EQ(uid, "u-1");
    told.push_back(sample);
  };
  KeptLosses first(source_, directory_.path(), tell);
  source_.samples = {sampleAt(1, 0.5), sampleAt(2, 0.25)};
  collect(first);
  collect(first);
  EXPECT_THAT(told, ElementsAre(sampleAt(1, 0.5), sampleAt(2, 0.25)));
  ASSERT_TRUE(first.save({kKey}));

  told.clear();
  KeptLosses second(source_, directory_.path(), tell);
  second.load(kKey, "u-1");
  EXPECT_THAT(told, ElementsAre(sampleAt(1, 0.5), sampleAt(2, 0.25)));
}

TEST_F(Losses, ThatDoNotChangeAreKeptTwice) {
  KeptLosses losses(source_, directory_.path());
  for (const double time : {1, 2, 3, 4}) {
    source_.samples = {{.time = Time(Seconds(time)), .iteration = Iterations(7), .loss = Loss(0.5)}};
    collect(losses);
  }
  const auto samples = collect(losses);
  ASSERT_THAT(samples, SizeIs(2));
  EXPECT_EQ(samples.front().time, Time(Seconds(1)));
  EXPECT_EQ(samples.back().time, Time(Seconds(4)));
}

TEST_F(Losses, AreNotThoseOfAnotherJobOfTheName) {
  KeptLosses first(source_, directory_.path());
  source_.samples = {sampleAt(1, 0.5)};
  collect(first);
  ASSERT_TRUE(first.save({kKey}));
  KeptLosses second(source_, directory_.path());
  EXPECT_THAT(collect(second, 0, "u-2"), IsEmpty());
  ASSERT_TRUE(second.save({}));
  EXPECT_TRUE(std::filesystem::is_empty(directory_.path()));
}

TEST_F(Losses, AreThinnedOutAndNeverLoseTheirFirst) {
  KeptLosses losses(source_, directory_.path());
  for (int i = 1; i <= 40'000; ++i) source_.samples.push_back(sampleAt(i, 1.0 / i));
  const auto kept = collect(losses);
  EXPECT_LE(kept.size(), KeptLosses::kMost);
  EXPECT_GE(kept.size(), KeptLosses::kMost / 4);
  EXPECT_EQ(kept.front(), sampleAt(1, 1));
  ASSERT_TRUE(losses.save({kKey}));
  KeptLosses second(source_, directory_.path());
  EXPECT_EQ(collect(second).size(), kept.size());
}

// A file whose last line was cut off by a crash still has all others.
TEST_F(Losses, SurviveALineThatIsCutOff) {
  std::ofstream(directory_ / "default.a.csv") << "# u-1\ntime,iteration,loss\n1,1,0.5\n2,2,0.25\n3,";
  KeptLosses losses(source_, directory_.path());
  EXPECT_THAT(collect(losses), ElementsAre(sampleAt(1, 0.5), sampleAt(2, 0.25)));
}

}  // namespace
}  // namespace slaq::cli::store
