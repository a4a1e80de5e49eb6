// How well a predictor forecasts recorded losses, and what slaq predict refuses.
#include <gmock/gmock.h>
#include <rapidjson/document.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "cli/command_line.h"
#include "cli/predict/predict_walk.h"

namespace slaq::cli {
namespace {

using testing::HasSubstr;

class PredictCommand : public testing::Test {
 protected:
  PredictCommand() {
    std::string name = (std::filesystem::temp_directory_path() / "slaq-test-XXXXXX").string();
    directory_ = ::mkdtemp(name.data());
  }
  ~PredictCommand() override { std::filesystem::remove_all(directory_); }

  std::string trace(const std::string& name, int iterations, double (*loss)(double)) {
    const auto path = directory_ / name;
    std::ofstream out(path);
    out << "iteration,loss\n";
    for (int k = 0; k <= iterations; ++k) out << k << ',' << loss(k) << '\n';
    return path.string();
  }

  std::filesystem::path directory_;
};

double line(double k) { return 100 - k; }
double reciprocal(double k) { return 1 / (1 + 0.1 * k); }

TEST_F(PredictCommand, ComparesForecastsWithWhatCame) {
  // The last change goes on exactly along a line.
  const auto said = test::say({"predict", trace("line.csv", 60, line), "--predictor", "Strawman"});
  ASSERT_EQ(said.code, 0) << said.err;
  rapidjson::Document document;
  document.Parse(said.out.c_str());
  const auto& overall = document["overall"];
  EXPECT_EQ(document["predictor"], "Strawman");
  EXPECT_EQ(document["files"].Size(), 1u);
  EXPECT_EQ(overall["forecasts"].GetInt(), 46);  // after 5 to 50, for 51 to 60 to be in the trace
  for (const char* horizon : {"1", "5", "10"}) {
    EXPECT_NEAR(overall["relativeError"][horizon].GetDouble(), 0, 1e-4);
    EXPECT_NEAR(overall["rangeError"][horizon].GetDouble(), 0, 1e-4);
  }
  EXPECT_FALSE(overall.HasMember("microsecondsPerFit"));
}

TEST_F(PredictCommand, KeepsWhatWasForecastOfEachIterationAsItWasRecorded) {
  simulate::Trace trace;
  for (int k = 0; k <= 60; ++k) trace.losses.push_back(k);
  const predict::Walk walk{.predictor = "Strawman", .mode = LossMode::Maximize, .horizons = {1, 10}};
  const auto result = predict::walkAlong("line", trace, walk);
  EXPECT_EQ(result.losses, trace.losses);
  ASSERT_EQ(result.curves.size(), 2u);
  EXPECT_EQ(result.curves[1].horizon, 10u);
  ASSERT_EQ(result.curves[1].iterations.size(), result.forecasts);
  for (std::size_t i = 0; i < result.forecasts; ++i)
    EXPECT_NEAR(result.curves[1].losses[i], static_cast<double>(result.curves[1].iterations[i]), 0.1);
  EXPECT_EQ(result.curves[1].iterations.back(), 60u);
}

TEST_F(PredictCommand, AveragesOverFilesAndTellsTheSameTwice) {
  const std::vector<std::string> words = {"predict",
                                          trace("a.csv", 80, line),
                                          trace("b.csv", 80, reciprocal),
                                          "--every",
                                          "1..4",
                                          "--noise",
                                          "1",
                                          "--horizons",
                                          "3"};
  const auto said = test::say(words);
  rapidjson::Document document;
  document.Parse(said.out.c_str());
  const auto errorOf = [](const rapidjson::Value& value) { return value["rangeError"]["3"].GetDouble(); };
  EXPECT_NEAR(errorOf(document["overall"]),
              (errorOf(document["files"][0]) + errorOf(document["files"][1])) / 2, 1e-12);
  EXPECT_EQ(said.out, test::say(words).out);
}

TEST_F(PredictCommand, DrawsATableInPercent) {
  const auto said = test::say({"predict", trace("a.csv", 60, reciprocal), "--output", "text", "--timing"});
  EXPECT_THAT(said.out, HasSubstr("FORECASTS"));
  EXPECT_THAT(said.out, HasSubstr("US/FIT"));
  EXPECT_THAT(said.out, HasSubstr("a.csv"));
  EXPECT_THAT(said.out, HasSubstr("overall"));
  EXPECT_THAT(said.out, HasSubstr("%"));
}

TEST_F(PredictCommand, ForecastsWithTheConstantsOfAFile) {
  const auto file = directory_ / "constants.yaml";
  std::ofstream out(file);
  out << "firstCurve: [.9, .9, .9, .9, .9, .9, .9, .9, .9, .9, .9, .9, .9, .9, .9]\nexperts:\n";
  for (int i = 0; i < 16; ++i) out << "  - {shape: Level}\n";
  out.close();
  const std::string losses = trace("line.csv", 60, line);
  const auto said = test::say({"predict", losses, "--horizons", "10", "--constants", file.string()});
  ASSERT_EQ(said.code, 0) << said.err;
  rapidjson::Document document;
  document.Parse(said.out.c_str());
  // No expert expects any change.
  EXPECT_NEAR(document["overall"]["rangeError"]["10"].GetDouble(), 10.0 / 60, 1e-9);
}

TEST_F(PredictCommand, SaysWhatItCannotDo) {
  const std::string good = trace("a.csv", 60, reciprocal);
  const std::map<std::string, std::vector<std::string>> cases = {
      {"--horizons: must be numbers of iterations, such as 1,5,10, not \"1,x\"", {good, "--horizons", "1,x"}},
      {"--every: must be a number of iterations", {good, "--every", "9..2"}},
      {"--every: must be a number of iterations", {good, "--every", "0"}},
      {"no trace is long enough", {trace("short.csv", 14, line)}},
      {"--predictor: Best not in", {good, "--predictor", "Best"}},
      {"none.csv", {"none.csv"}},
      {"none.yaml: can't be read", {good, "--constants", "none.yaml"}},
      {"/dev/zero: can't be read: it is a pipe, a device or a socket", {"/dev/zero"}},
      {directory_.string() + ": can't be read: it is a directory", {directory_.string()}},
      {"--noise: must be from 0 to 100 percent, not \"nan\"", {good, "--noise", "nan"}},
      {"--noise: must be from 0 to 100 percent, not \"inf\"", {good, "--noise", "inf"}},
      {"--noise: must be from 0 to 100 percent, not \"1e9\"", {good, "--noise", "1e9"}},
      {"--noise: must be from 0 to 100 percent, not \"-1\"", {good, "--noise=-1"}},
      {"--noise: must be from 0 to 100 percent, not \"-5\"", {good, "--noise", "-5"}},
      {"--seed", {good, "--seed", "-1"}},
      {"--seed", {good, "--seed", "x"}},
  };
  for (const auto& [message, words] : cases) {
    std::vector<std::string> all = {"predict"};
    all.insert(all.end(), words.begin(), words.end());
    const auto said = test::say(all);
    EXPECT_EQ(said.code, 2) << message;
    EXPECT_THAT(said.err, HasSubstr(message));
    EXPECT_EQ(std::ranges::count(said.err, '\n'), 1);
  }
}

TEST_F(PredictCommand, NoticesThatWhatItPrintsIsLost) {
  const auto said = test::sayOnFullDisk({"predict", trace("a.csv", 60, reciprocal)});
  EXPECT_EQ(said.code, 1);
  EXPECT_EQ(said.err, "slaq: the standard output is incomplete: No space left on device\n");
}

TEST(Walk, SeesOnlyWhatItIsShown) {
  simulate::Trace trace;
  for (int k = 0; k <= 120; ++k) trace.losses.push_back(reciprocal(k));
  predict::Walk walk{.horizons = {10}, .gaps = {5, 5}};
  const auto sparse = predict::walkAlong("t", trace, walk);
  EXPECT_EQ(sparse.forecasts, 20u - 1);  // after 10, for the first forecast needs three losses, to 100
  walk.noise = 0.1;
  EXPECT_GT(predict::walkAlong("t", trace, walk).errors[0].ofRange, sparse.errors[0].ofRange);
}

TEST(Walk, HasNoFigureWhereThereIsNone) {
  const simulate::Trace level{.losses = std::vector<double>(40, 0.0)};
  const auto result = predict::walkAlong("level", level, {.horizons = {1}});
  EXPECT_GT(result.forecasts, 0u);
  EXPECT_FALSE(result.errors[0].ofLoss);
  EXPECT_FALSE(result.errors[0].ofRange);
  EXPECT_FALSE(predict::meanOf({result}).errors[0].ofRange);
}

}  // namespace
}  // namespace slaq::cli
