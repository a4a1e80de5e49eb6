// `slaq simulate` as a person types it.
#include <gmock/gmock.h>
#include <rapidjson/document.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "cli/command_line.h"

namespace slaq::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class Simulate : public ::testing::Test {
 protected:
  Simulate() {
    std::filesystem::create_directories(folder_ / "traces");
    write("traces/a.csv", "iteration,loss\n0,1\n1,0.5\n2,0.25\n3,0.125\n4,0\n");
    write("w.yaml",
          "cores: 4\njobs:\n"
          "  - {name: a, trace: traces/a.csv, cpuSecondsPerIteration: 8}\n"
          "  - {name: b, trace: traces/a.csv, cpuSecondsPerIteration: 8, arrivalSeconds: 3}\n");
  }
  ~Simulate() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string textOf(const std::string& name) const {
    std::ifstream in(folder_ / name);
    return {std::istreambuf_iterator<char>(in), {}};
  }

 private:
  std::filesystem::path folder_ = std::filesystem::path(::testing::TempDir()) /
                                  ::testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(Simulate, TellsItsFiguresAsJson) {
  const auto said = say({"simulate", path("w.yaml"), "--policy", "Fair"});
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(said.err, "");
  rapidjson::Document json;
  ASSERT_FALSE(json.Parse(said.out.c_str()).HasParseError());
  EXPECT_STREQ(json["policy"].GetString(), "Fair");
  EXPECT_STREQ(json["predictor"].GetString(), "Ensemble");
  EXPECT_EQ(json["jobs"].GetInt(), 2);
  // a: 1.5 iterations by 3 s, then 2.5 at half the pace until 13 s; b: from 3 s, 2.5 by 13 s, 3 by 15 s, then
  // all cores until 17 s.
  EXPECT_DOUBLE_EQ(json["makespanSeconds"].GetDouble(), 17);
  EXPECT_DOUBLE_EQ(json["completionSeconds"]["mean"].GetDouble(), 13.5);
  EXPECT_DOUBLE_EQ(json["completionSeconds"]["p95"].GetDouble(), 14);
  EXPECT_DOUBLE_EQ(json["secondsToReduction"]["50"]["mean"].GetDouble(), 3);
  EXPECT_EQ(json["resizes"].GetInt(), 2);
  EXPECT_FALSE(json.HasMember("decisionMicroseconds"));
}

TEST_F(Simulate, WritesAPageOfBothPolicies) {
  const auto said = say({"simulate", path("w.yaml"), "--compare", "--report", path("page.html")});
  ASSERT_EQ(said.code, 0) << said.err;
  const auto page = textOf("page.html");
  const std::string place = "id=\"document\">";
  const auto begin = page.find(place) + place.size();
  rapidjson::Document document;
  ASSERT_FALSE(document.Parse(page.substr(begin, page.find('<', begin) - begin).c_str()).HasParseError());
  ASSERT_EQ(document["runs"].Size(), 2u);
  EXPECT_STREQ(document["runs"][1]["policy"].GetString(), "Fair");
  EXPECT_THAT(document["verdict"].GetString(),
              StartsWith("Under LookAhead the mean time until jobs have 90% "));
  // As in TellsItsFiguresAsJson: both complete after 13 and 14 s under Fair.
  EXPECT_DOUBLE_EQ(document["runs"][1]["jobs"][0]["completionSeconds"].GetDouble(), 13);
  EXPECT_DOUBLE_EQ(document["runs"][1]["jobs"][1]["completionSeconds"].GetDouble(), 14);
}

TEST_F(Simulate, SaysThatThePageCannotBeWritten) {
  const auto said = say({"simulate", path("w.yaml"), "--report", path("no/page.html")});
  EXPECT_EQ(said.code, 2);
  EXPECT_THAT(said.err, HasSubstr("--report"));
}

// The same training, once by its loss and once by an accuracy that is one less it.
TEST_F(Simulate, TakesAMetricThatIsToRise) {
  const auto workload = [](const std::string& trace, const std::string& mode) {
    return "cores: 4\njobs:\n  - {name: a, trace: " + trace + ", cpuSecondsPerIteration: 2" + mode + "}\n";
  };
  std::string falling = "iteration,loss\n";
  std::string rising = falling;
  for (int k = 0; k <= 40; ++k) {
    falling += std::to_string(k) + "," + std::to_string(1.0 / (1 + k)) + "\n";
    rising += std::to_string(k) + ",-" + std::to_string(1.0 / (1 + k)) + "\n";
  }
  write("falling.csv", falling);
  write("rising.csv", rising);
  write("falling.yaml", workload("falling.csv", ""));
  write("rising.yaml", workload("rising.csv", ", mode: Maximize"));
  write("mistaken.yaml", workload("rising.csv", ""));
  const auto said = say({"simulate", path("falling.yaml")});
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(say({"simulate", path("rising.yaml")}).out, said.out);
  rapidjson::Document json;
  ASSERT_FALSE(json.Parse(say({"simulate", path("mistaken.yaml")}).out.c_str()).HasParseError());
  EXPECT_TRUE(json["secondsToReduction"].ObjectEmpty()) << "a loss that rises is no reduction";
  EXPECT_FALSE(json.HasMember("meanLossIntegralSeconds"));
}

TEST_F(Simulate, GoesByLookAheadWithTheEnsembleUnlessToldOtherwise) {
  EXPECT_EQ(say({"simulate", path("w.yaml")}).out,
            say({"simulate", path("w.yaml"), "--policy", "LookAhead", "--predictor", "Ensemble"}).out);
}

TEST_F(Simulate, GivesTheSameBytesEveryTime) {
  EXPECT_EQ(say({"simulate", path("w.yaml")}).out, say({"simulate", path("w.yaml")}).out);
}

TEST_F(Simulate, MeasuresDecisionsWhereItIsAskedTo) {
  const auto said = say({"simulate", path("w.yaml"), "--timing"});
  rapidjson::Document json;
  ASSERT_FALSE(json.Parse(said.out.c_str()).HasParseError());
  EXPECT_GT(json["decisionMicroseconds"]["p50"].GetDouble(), 0);
  EXPECT_GE(json["decisionMicroseconds"]["p99"].GetDouble(), json["decisionMicroseconds"]["p50"].GetDouble());
}

TEST_F(Simulate, DrawsATableForPeople) {
  const auto said = say({"simulate", path("w.yaml"), "--policy", "Fair", "--output", "text"});
  EXPECT_THAT(said.out, StartsWith("2 jobs under Fair, forecast by Ensemble\n"));
  EXPECT_THAT(said.out, HasSubstr("s to 50% reduction"));
}

TEST_F(Simulate, WritesALineForEachEpoch) {
  const auto said = say({"simulate", path("w.yaml"), "--policy", "Fair", "--series", path("s.csv")});
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(textOf("s.csv"),
            "seconds,activeJobs,averageNormalizedLoss,cores,highestQuarterShare,middleQuarterShare,"
            "lowestHalfShare\n"
            "0,1,1,4,1,0,0\n"
            "3,2,0.75,4,0.5,0,0.5\n"
            "6,2,0.625,4,0.5,0,0.5\n"
            "9,2,0.3125,4,0.5,0,0.5\n"
            "12,2,0.1875,4,0.5,0,0.5\n"
            "15,1,0.125,4,1,0,0\n");
}

TEST_F(Simulate, WritesALineForEachJob) {
  const auto said = say({"simulate", path("w.yaml"), "--policy", "Fair", "--jobs", path("j.csv")});
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(textOf("j.csv"),
            "name,arrivalSeconds,secondsTo25,secondsTo50,secondsTo75,secondsTo80,secondsTo90,secondsTo95,"
            "secondsTo99,completionSeconds,lossIntegralSeconds,resizes\n"
            "a,0,2,2,5,9,13,13,13,13,5,1\n"
            "b,3,4,4,8,12,14,14,14,14,7.25,1\n");
}

TEST_F(Simulate, WritesALineForEachChangeAndWhy) {
  const auto said = say({"simulate", path("w.yaml"), "--policy", "Fair", "--changes", path("c.txt")});
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(textOf("c.txt"),
            "    0.0 s  default/a  arrived\n"
            "    0.0 s  default/a  0 -> 4 workers: its fair share\n"
            "    3.0 s  default/a  4 -> 2 workers: its fair share\n"
            "    3.0 s  default/b  arrived\n"
            "    3.0 s  default/b  0 -> 2 workers: its fair share\n"
            "   15.0 s  default/a  Complete, loss 0.125 at iteration 3: the training is over\n"
            "   15.0 s  default/b  2 -> 4 workers: its fair share\n");
}

TEST_F(Simulate, WithAPauseItWeighsResizesUnlessToldNotTo) {
  write("pause.yaml", "resizeSeconds: 2\n" + textOf("w.yaml"));
  const auto weighed = say({"simulate", path("pause.yaml")});
  EXPECT_EQ(weighed.out, say({"simulate", path("pause.yaml"), "--resize-price", "Configured"}).out);
  EXPECT_EQ(say({"simulate", path("w.yaml")}).out,
            say({"simulate", path("w.yaml"), "--resize-price", "Free"}).out);
  EXPECT_EQ(weighed.out, say({"simulate", path("pause.yaml"), "--resize-price", "5,0,30"}).out);
}

TEST_F(Simulate, SaysInOneLineWhatIsWrong) {
  write("bad.yaml", "cores: 4\njobs:\n  - {name: a, trace: traces/b.csv, cpuSecondsPerIteration: 8}\n");
  write("endless.yaml", "cores: 4\njobs:\n  - {name: a, trace: traces/pipe, cpuSecondsPerIteration: 8}\n");
  ASSERT_EQ(::mkfifo(path("traces/pipe").c_str(), 0600), 0);
  std::filesystem::create_directories(path("empty"));
  write("folder.yaml", "cores: 4\njobs:\n  - {name: a, trace: traces/., cpuSecondsPerIteration: 8}\n");
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"simulate", path("none.yaml")}, path("none.yaml") + ": can't be read"},
      {{"simulate", path("bad.yaml")},
       path("bad.yaml") + ":3: jobs[0].trace: " + path("traces/b.csv") + ": can't be read"},
      {{"simulate", "/dev/zero"}, "/dev/zero: can't be read: it is a pipe, a device or a socket"},
      {{"simulate", path("empty")}, path("empty") + ": there is no table of losses, a file *.csv, in it"},
      {{"simulate", path("endless.yaml")},
       path("endless.yaml") + ":3: jobs[0].trace: " + path("traces/pipe") + ": can't be read: it is a pipe"},
      {{"simulate", path("folder.yaml")},
       path("folder.yaml") + ":3: jobs[0].trace: " + path("traces/.") + ": can't be read: it is a directory"},
      {{"simulate", path("w.yaml"), "--policy", "Unfair"}, "slaq: --policy: "},
      {{"simulate", path("w.yaml"), "--cores", "8"},
       "--cores: is for a directory of tables of losses; write it into " + path("w.yaml")},
      {{"simulate", path("w.yaml"), "--resize-price", "5,0"},
       "slaq: --resize-price: must be Free, Configured"},
      {{"simulate", path("w.yaml"), "--resize-price", "5,0,5"}, "slaq: --resize-price: must be Free, Config"},
      {{"simulate", path("w.yaml"), "--series", path("none/s.csv")},
       "slaq: " + path("none/s.csv") + ": can't be written"},
  };
  for (const auto& [words, expected] : cases) {
    const auto said = say(words);
    EXPECT_EQ(said.code, 2);
    EXPECT_EQ(said.out, "");
    EXPECT_THAT(said.err, StartsWith(expected));
    EXPECT_EQ(std::ranges::count(said.err, '\n'), 1) << said.err;
  }
}

// /dev/full takes no byte.
TEST_F(Simulate, NoticesAFullDisk) {
  const std::string full = "/dev/full: is incomplete: No space left on device\n";
  for (const std::string flag : {"--series", "--jobs", "--changes"}) {
    const auto said = say({"simulate", path("w.yaml"), flag, "/dev/full"});
    EXPECT_EQ(said.code, 1) << flag;
    EXPECT_EQ(said.err, "slaq: " + full) << flag;
    EXPECT_THAT(said.out, HasSubstr("makespanSeconds")) << flag;
  }
}

TEST_F(Simulate, NoticesThatWhatItPrintsIsLost) {
  const auto said = sayOnFullDisk({"simulate", path("w.yaml")});
  EXPECT_EQ(said.code, 1);
  EXPECT_EQ(said.err, "slaq: the standard output is incomplete: No space left on device\n");
}

TEST_F(Simulate, EndsWhereItsWorkloadWouldNot) {
  write("slow.yaml", "cores: 4\njobs:\n  - {name: a, trace: traces/a.csv, cpuSecondsPerIteration: 1e9}\n");
  const auto said = say({"simulate", path("slow.yaml")});
  EXPECT_EQ(said.code, 1);
  EXPECT_EQ(said.out, "");
  EXPECT_THAT(said.err, StartsWith("slaq: job a takes 1000000000 s at least"));
}

TEST_F(Simulate, ComparesWithAFairShare) {
  const auto said = say({"simulate", path("w.yaml"), "--compare", "-o", "text"});
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.out,
              StartsWith("2 jobs, forecast by Ensemble; means, and the ratio of Fair to LookAhead\n"));
  EXPECT_THAT(said.out, HasSubstr("LookAhead   Fair  RATIO\n"));
  rapidjson::Document json;
  ASSERT_FALSE(json.Parse(say({"simulate", path("w.yaml"), "--compare"}).out.c_str()).HasParseError());
  EXPECT_STREQ(json["policies"][0]["policy"].GetString(), "LookAhead");
  EXPECT_STREQ(json["policies"][1]["policy"].GetString(), "Fair");
  EXPECT_DOUBLE_EQ(json["policies"][1]["makespanSeconds"].GetDouble(), 17);
  const auto refused = say({"simulate", path("w.yaml"), "--compare", "--policy", "Fair"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("--compare: compares with Fair; give another --policy"));
}

// Each table is a job, and so is each job of a table that has several.
TEST_F(Simulate, TakesADirectoryOfLosses) {
  write("traces/runs.csv",
        "policy,job,seconds,iteration,loss\nFair,default/b,1,0,1\nFair,default/c,1,0,2\nFair,default/"
        "b,2,1,0.5\n"
        "Fair,default/c,2,1,1\n");
  const auto said = say({"simulate", path("traces"), "--cores", "2", "--interarrival", "5", "--cpu-seconds",
                         "4", "--policy", "Fair", "--jobs", path("jobs.csv")});
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(textOf("jobs.csv"), testing::ContainsRegex("a,0,.*\nruns-b,5,.*\nruns-c,10,"));
}

}  // namespace
}  // namespace slaq::test
