// slaq advise: what each number of workers would mean, for a job of a cluster and by files.
#include <gmock/gmock.h>
#include <rapidjson/document.h>

#include <filesystem>
#include <fstream>

#include "cli/advise/advice_report.h"
#include "cli/advise/outlook.h"
#include "cli/api_server.h"
#include "cli/command_line.h"

namespace slaq::test {
namespace {

using cli::advise::Advice;
using cli::advise::adviceFrom;
using cli::advise::Outlook;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr cli::terminal::Frame kFrame{
    .columns = 100, .lines = 0, .style = {.colours = false, .unicode = true}};

Outlook fastestWithFour() {
  return {.speeds = {{Workers(1), Seconds(40), true},
                     {Workers(2), Seconds(21), true},
                     {Workers(4), Seconds(15), true},
                     {Workers(8), Seconds(20), false}},
          .milestones = {{90, Iterations(200)}, {95, Iterations(300)}, {99, Iterations(1000)}},
          .perWorker = Cores(2000),
          .driver = Cores(500),
          .now = Workers(2),
          .doneShare = 0.625,
          .backTestError = 0.031,
          .most = Workers(32)};
}

TEST(Advice, NamesTheFastestSizeAndTheKnee) {
  const Advice advice = adviceFrom(fastestWithFour());
  EXPECT_EQ(advice.fastest, 2u);
  // 21^2 * 4.5 is less than 40^2 * 2.5 and more than 15^2 * 8.5.
  EXPECT_EQ(advice.knee, 2u);
  EXPECT_EQ(advice.told, 1u);
  EXPECT_EQ(advice.sizes[1].times[1], Seconds(6300));
  EXPECT_NEAR(*advice.sizes[1].coreHours, 6300.0 / 3600 * 4.5, 1e-9);
}

TEST(Advice, OfTwoThatAreAsFastTheSmallerOne) {
  Outlook outlook = fastestWithFour();
  outlook.speeds[3] = {Workers(8), Seconds(14.9), true};
  EXPECT_EQ(adviceFrom(outlook).fastest, 2u);
}

TEST(Advice, BelievesAnEstimateOnlyIfItIsClearlyFaster) {
  Outlook outlook = fastestWithFour();
  outlook.speeds[3].iteration = Seconds(14);
  EXPECT_EQ(adviceFrom(outlook).fastest, 2u);
  outlook.speeds[3].iteration = Seconds(12);
  EXPECT_EQ(adviceFrom(outlook).fastest, 3u);
}

TEST(AdviceText, IsATableAndWhatFollows) {
  const Outlook outlook = fastestWithFour();
  EXPECT_EQ("\n" + adviceText("team-a/resnet", outlook, adviceFrom(outlook), kFrame), R"(
team-a/resnet  2 workers, 62% of the reduction done

  WORKERS  ITERATION   TO 90%   TO 95%    TO 99%  CORE-H TO 95%  SPEED
        1     40.0 s  2:13:20  3:20:00  11:06:40           8.33  ████░░░░░░  measured
        2     21.0 s  1:10:00  1:45:00   5:50:00           7.88  ███████░░░  measured, now
        4     15.0 s    50:00  1:15:00   4:10:00           10.6  ██████████  measured, fastest, knee
        8     20.0 s  1:06:40  1:40:00   5:33:20           27.5  ████████░░  estimated

  fastest     4 workers: 95% of the reduction in 1:15:00, 10.6 core-hours; 8 workers would be no
              faster
  how sure    1, 2 and 4 workers were measured; of more than 8 nothing is known; forecasts of its
              loss missed by 3.1% of its fall
)");
}

TEST(AdviceText, NamesTheKneeWhereItIsNotTheFastest) {
  Outlook outlook = fastestWithFour();
  outlook.speeds[2].iteration = Seconds(18);
  outlook.speeds[3].iteration = Seconds(17.5);
  const auto text = adviceText("a", outlook, adviceFrom(outlook), kFrame);
  EXPECT_THAT(text, HasSubstr("core-hours; 8 workers would hardly be"));
  EXPECT_THAT(text,
              HasSubstr("knee        2 workers: 95% of the reduction in 1:45:00, 7.88 core-hours; beyond"));
}

TEST(AdviceText, SaysThatNearlyAllIsDone) {
  Outlook outlook = fastestWithFour();
  outlook.milestones.clear();
  outlook.doneShare = 0.995;
  EXPECT_THAT(adviceText("a", outlook, adviceFrom(outlook), kFrame),
              HasSubstr("loss        nearly all of the reduction is done"));
}

TEST(AdviceText, SaysWhatIsNotKnown) {
  Outlook outlook = fastestWithFour();
  outlook.milestones.clear();
  for (auto& each : outlook.speeds) each.measured = false;
  const auto text = adviceText("a", outlook, adviceFrom(outlook), kFrame);
  EXPECT_THAT(text, HasSubstr("fastest     4 workers, 15.0 s an iteration; 8 workers would be no faster"));
  EXPECT_THAT(text, HasSubstr("no number of workers was measured for long enough yet: these are estimates"));
  EXPECT_THAT(text, HasSubstr("loss        cannot be forecast yet: how long it takes is not known"));
  EXPECT_THAT(text, Not(HasSubstr("CORE-H")));
}

class Advise : public ::testing::Test {
 protected:
  Advise() {
    std::filesystem::create_directories(folder_);
    std::string trace = "iteration,loss\n";
    for (int k = 0; k <= 100; ++k) trace += std::to_string(k) + "," + std::to_string(1.0 / (1 + k)) + "\n";
    write("trace.csv", trace);
    write("scaling.csv", "workers,secondsPerIteration\n1,12\n2,7\n4,5\n8,9\n");
    write("job.yaml", manifest());
  }
  ~Advise() override { std::filesystem::remove_all(folder_); }

  static std::string manifest() {
    return "apiVersion: slaq.io/v1alpha1\nkind: TrainingJob\nmetadata: {name: resnet}\nspec:\n  workers:\n"
           "    maxReplicas: 16\n    template: {spec: {containers: [{name: c, image: i, resources: "
           "{requests: "
           "{cpu: 2}}}]}}\n";
  }

  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  Said adviseOnFiles(const std::string& format = "text") {
    return say({"advise", path("job.yaml"), "--trace", path("trace.csv"), "--scaling", path("scaling.csv"),
                "--output", format});
  }

 private:
  std::filesystem::path folder_ = std::filesystem::path(::testing::TempDir()) /
                                  ::testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(Advise, GoesByFilesForAWholeRun) {
  const auto said = adviseOnFiles("json");
  ASSERT_EQ(said.code, 0) << said.err;
  rapidjson::Document json;
  ASSERT_FALSE(json.Parse(said.out.c_str()).HasParseError());
  EXPECT_EQ(json["fastest"].GetInt(), 4);
  const auto& sizes = json["sizes"].GetArray();
  ASSERT_EQ(sizes.Size(), 8u);  // 1, 2, 3, 4, 6, 8, 12, 16 within twice the largest
  EXPECT_NEAR(sizes[3]["secondsPerIteration"].GetDouble(), 5, 0.1);
  // 1 / (1 + k) is down to a tenth at k = 9, and its end is near 0.
  EXPECT_NEAR(sizes[3]["secondsToReduction"]["90"].GetDouble(), 9 * 5, 2 * 5);
  EXPECT_TRUE(sizes[3]["measured"].GetBool());
  EXPECT_FALSE(sizes[2]["measured"].GetBool());
}

TEST_F(Advise, SaysThatALossHasNotFallenAndWhatToWrite) {
  std::string trace = "iteration,loss\n";
  for (int k = 0; k <= 100; ++k) trace += std::to_string(k) + "," + std::to_string(1 - 1.0 / (1 + k)) + "\n";
  write("trace.csv", trace);
  const auto said = adviseOnFiles();
  EXPECT_THAT(said.out, Not(HasSubstr("of the reduction in")));
  EXPECT_THAT(said.out, HasSubstr("the loss has not fallen since the first one, 0"));
  EXPECT_THAT(said.out, HasSubstr("spec.loss.mode:"));
  auto text = manifest();
  text += "  loss: {mode: Maximize}\n";
  write("job.yaml", text);
  EXPECT_THAT(adviseOnFiles().out, HasSubstr("95% of the reduction in"));
}

TEST_F(Advise, AdvisesOnlySizesThatTheJobCanHave) {
  auto text = manifest();
  text.replace(text.find("    template"), 0, "    sizes: [2, 8]\n");
  write("job.yaml", text);
  const auto said = adviseOnFiles();
  EXPECT_THAT(said.out, HasSubstr("fastest     2 workers"));
  EXPECT_THAT(said.out, Not(HasSubstr("4 workers")));
}

TEST_F(Advise, SaysWhatIsWrongWithFiles) {
  const auto scalesByCpu = "    scaling: CPU\n    cpu: {min: 1, max: 4}\n    template";
  auto byCpu = manifest();
  byCpu.replace(byCpu.find("    template"), 12, scalesByCpu);
  write("cpu.yaml", byCpu);
  write("two.yaml", manifest() + "---\n" + manifest());
  const auto advise = [&](const std::string& job, const std::string& scaling) {
    return say({"advise", path(job), "--trace", path("trace.csv"), "--scaling", path(scaling)});
  };
  const std::pair<Said, std::string> cases[] = {
      {advise("none.yaml", "scaling.csv"), "none.yaml: can't be read"},
      {advise("cpu.yaml", "scaling.csv"),
       "default/resnet: it scales by CPU; advice is about numbers of workers"},
      {advise("job.yaml", "none.csv"), "none.csv: can't be read"},
      {say({"advise", path("job.yaml"), "--trace", path("trace.csv")}), "--trace requires --scaling"}};
  for (const auto& [said, sentence] : cases) {
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, HasSubstr(sentence));
  }
  EXPECT_EQ(advise("two.yaml", "scaling.csv").code, 2);
}

TEST(AdviseCommand, TellsOfAJobWhatItsStatusKnows) {
  ApiServer server;
  std::string known = jobJson("team-a", "logreg", "",
                              ", 'speeds': [{'workers': 2, 'secondsPerIteration': '4', 'measured': true}, "
                              "{'workers': 4, 'secondsPerIteration': '3', 'measured': true}]");
  const std::string level = "\"level\": \"0.25\"";
  known.replace(known.find(level), 0,
                json("'iterationsTo': [{'reductionPercent': 95, 'iterations': 900}], "));
  server.add("team-a", "logreg", known);
  server.add("team-a", "young",
             jobJson("team-a", "young", "",
                     ", 'speeds': [{'workers': 2}, {'workers': 4, "
                     "'secondsPerIteration': '1e999'}]"));
  const auto advise = [&](const std::string& job) {
    return say({"advise", job, "--kubeconfig", server.kubeconfig()});
  };
  const auto said = advise("logreg");
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.out, HasSubstr("team-a/logreg  4 workers, 75% of the reduction done"));
  EXPECT_THAT(said.out, HasSubstr("fastest     4 workers: 95% of the reduction in 45:00, 1.5 core-hours"));
  EXPECT_THAT(said.out, HasSubstr("of more than 4 nothing is known"));
  const auto young = advise("young");
  EXPECT_EQ(young.code, 1);
  EXPECT_THAT(young.err,
              HasSubstr("team-a/young: nothing is known of its speed yet: a few of its iterations"));
}

// On measured trainings: with every doubling seen, the fastest size of the table is named, or one that is as
// good as it by a tenth, and its time is within 15%.
TEST(Outlook, IsRightAboutMeasuredTrainings) {
  for (const auto& file : std::filesystem::directory_iterator(SLAQ_EVALUATION "/gpu/scaling")) {
    const auto whole = simulate::loadScaling(file.path().string());
    ASSERT_TRUE(whole) << whole.error().message;
    simulate::Scaling seen;
    JobSpec spec;
    for (const auto& each : whole->speeds) {
      const auto size = static_cast<std::int32_t>(each.size);
      spec.workers.sizes.emplace_back(size);
      if ((size & (size - 1)) == 0) seen.speeds.push_back(each);
    }
    narrowToSizes(spec.workers);
    const auto outlook = cli::advise::outlookOf(spec, simulate::Trace{{1, 0.5}}, seen);
    ASSERT_TRUE(outlook) << outlook.error().message;
    const Advice advice = adviceFrom(*outlook);
    const SizeSpeed named = advice.sizes[advice.fastest].speed;
    const auto truth = forecast::SpeedCurve::through(whole->speeds);
    const double fastest = truth.fastest(spec.workers.max.value());
    EXPECT_GE(truth.at(named.workers.value()), fastest / 1.1) << file;
    EXPECT_NEAR(named.iteration.count() * truth.at(named.workers.value()), 1, 0.15) << file;
  }
}

}  // namespace
}  // namespace slaq::test
