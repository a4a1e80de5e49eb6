#include "trainer/options/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <vector>

namespace slaq::trainer {
namespace {

using testing::HasSubstr;

using Variables = std::map<std::string, std::string>;

const Variables kAddress{{"SLAQ_DRIVER_ADDRESS", "trainer-0.trainer:7070"}, {"SLAQ_WORKER_INDEX", "4"}};
const std::string kDriver = "driver --algorithm logistic-regression --rows 1000 --features 10 ";

Result<options::Command> parse(const std::string& line, const Variables& variables = kAddress) {
  std::istringstream stream("slaq-trainer " + line);
  std::vector<std::string> words{std::istream_iterator<std::string>(stream), {}};
  std::vector<const char*> arguments;
  for (const std::string& word : words) arguments.push_back(word.c_str());
  return options::parseCommand(
      static_cast<int>(arguments.size()), arguments.data(), [&](const std::string& name) {
        const auto found = variables.find(name);
        return found == variables.end() ? std::nullopt : std::optional(found->second);
      });
}

driver::DriverOptions driver(const std::string& line, const Variables& variables = kAddress) {
  return std::get<driver::DriverOptions>(parse(line, variables).value());
}

TEST(Options, OfTheDriverComeFromFlagsAndEnvironment) {
  const driver::DriverOptions options =
      driver(kDriver + "--seed 9 --iterations 7 --tolerance 0.5 --linger 0");
  EXPECT_EQ(options.problem.rows, 1000);
  EXPECT_EQ(options.problem.seed, 9u);
  EXPECT_EQ(options.stop.iterations, 7);
  EXPECT_EQ(options.stop.tolerance, 0.5);
  EXPECT_EQ(options.linger, Seconds(0));
  EXPECT_EQ(options.listen, (net::Address{"", 7070}));
  EXPECT_EQ(options.metricsPort, 9464);
}

TEST(Options, OfTheDriverPreferFlags) {
  Variables variables = kAddress;
  variables["SLAQ_METRICS_PORT"] = "9000";
  EXPECT_EQ(driver(kDriver, variables).metricsPort, 9000);
  EXPECT_EQ(driver(kDriver + "--metrics-port 9001", variables).metricsPort, 9001);
  EXPECT_EQ(driver(kDriver + "--listen 127.0.0.1:0", {}).listen, (net::Address{"127.0.0.1", 0}));
}

TEST(Options, TakeWholeNumbersAlsoWithAnExponent) {
  const driver::DriverOptions options = driver(
      "driver --algorithm linear-svm --rows 1e6 --features 2e1 --iterations 1e3 "
      "--seed 18446744073709551615");
  EXPECT_EQ(options.problem.rows, 1000000);
  EXPECT_EQ(options.problem.features, 20);
  EXPECT_EQ(options.stop.iterations, 1000);
  EXPECT_EQ(options.problem.seed, 18446744073709551615u);
}

TEST(Options, OfTheDataAreAGeneratorOrAFile) {
  EXPECT_EQ(driver(kDriver).problem.data, "two-classes");
  EXPECT_EQ(driver(kDriver + "--data curved-classes").problem.data, "curved-classes");
  const driver::DriverOptions options =
      driver("driver --algorithm linear-svm --data idx:images:1 --labels l --positive 3");
  EXPECT_EQ(options.problem.data, "idx");
  EXPECT_EQ(options.files.rows, "images:1");
  EXPECT_EQ(options.files.labels, "l");
  EXPECT_EQ(options.problem.settings.number("positive"), 3);
}

TEST(Options, OfAnExportAreItsProblemAndItsFile) {
  const auto options = std::get<dataset::ExportOptions>(
      parse("data --algorithm linear-svm --rows 100 --features 2 --format csv --output o.csv").value());
  EXPECT_EQ(options.problem.rows, 100);
  EXPECT_EQ(options.format, "csv");
  EXPECT_EQ(options.outputs.rows, "o.csv");
}

TEST(Options, OfTheWorkerComeFromTheEnvironment) {
  const auto options = std::get<worker::WorkerOptions>(parse("worker").value());
  EXPECT_EQ(options.driver, (net::Address{"trainer-0.trainer", 7070}));
  EXPECT_EQ(options.index, "4");
}

TEST(Options, HelpIsTextForEachCommand) {
  for (const std::string line : {"--help", "driver --help", "worker --help"}) {
    const auto command = parse(line, {});
    ASSERT_TRUE(command) << line;
    EXPECT_THAT(std::get<options::Text>(*command).text, HasSubstr("Usage")) << line;
  }
  for (const std::string part : {"k-means", "--clusters", "mixture", "step of gradient descent", "[4]"}) {
    EXPECT_THAT(std::get<options::Text>(*parse("driver --help")).text, HasSubstr(part));
  }
  EXPECT_THAT(std::get<options::Text>(*parse("worker --help")).text, HasSubstr("SLAQ_DRIVER_ADDRESS"));
}

struct RefusedLine {
  std::string line;
  std::string says;
};

TEST(Options, AreRefusedWithOneSentence) {
  const std::vector<RefusedLine> refusals{
      {"", "subcommand"},
      {"drive", "subcommand"},
      {"driver --rows 10 --features 2", "--algorithm"},
      {"driver --algorithm svm-of-mine --rows 10 --features 2", "choose one of logistic-regression"},
      {"driver --algorithm k-means --features 2 --clusters 5",
       "k-means on mixture needs --rows: how many rows to make, such as 10000"},
      {"driver --algorithm linear-svm --data curved-classes --rows 100",
       "linear-svm on curved-classes needs --features: how many each row has, such as 10"},
      {"driver --algorithm k-means --rows -5 --features 2",
       "--rows: must be a whole number from 1, not \"-5\""},
      {"driver --algorithm k-means --rows many --features 2", "--rows: must be a whole number from 1"},
      {"driver --algorithm k-means --rows 1.5 --features 2", "--rows: must be a whole number from 1"},
      {"driver --algorithm k-means --rows 1e30 --features 2", "--rows: must be a whole number from 1"},
      {"driver --algorithm k-means --rows 9223372036854775808", "--rows: must be a whole number from 1"},
      {"driver --algorithm k-means --features 0", "--features: must be a whole number from 1, not \"0\""},
      {"driver --algorithm perceptron --rows 0", "--rows: must be a whole number from 1, not \"0\""},
      {kDriver + "--seed -1", "--seed: must be a whole number from 0, not \"-1\""},
      {"driver --algorithm k-means --rows 100 --features 2", "k-means on mixture needs --clusters"},
      {"driver --algorithm k-means --rows 9 --chunks 9 --features 2 --clusters 10", "number of rows, 9"},
      {"driver --algorithm k-means --rows 100 --features 2 --clusters -1", "--clusters"},
      {"driver --algorithm k-means --rows 100000 --features 10000 --clusters 1000", "parameters"},
      {"driver --algorithm k-means --rows 1000000000 --features 1000 --clusters 5", "--rows times"},
      {kDriver + "--chunks 0", "--chunks: must be a whole number from 1"},
      {kDriver + "--chunks 1001", "--chunks must be at most the number of rows, 1000"},
      {kDriver + "--iterations 0", "--iterations: must be a whole number from 1, not \"0\""},
      {kDriver + "--tolerance -1", "--tolerance: must be a number from 0, not \"-1\""},
      {kDriver + "--tolerance nan", "--tolerance: must be a number from 0, not \"nan\""},
      {kDriver + "--tolerance x", "--tolerance: must be a number from 0, not \"x\""},
      {kDriver + "--learning-rate 0", "--learning-rate"},
      {kDriver + "--l2 -1", "--l2"},
      {kDriver + "--noise inf", "--noise"},
      {kDriver + "--condition 0.5", "--condition must be at least 1"},
      {kDriver + "--condition many", "--condition must be a number, not \"many\""},
      {kDriver + "--clusters 5", "knows no --clusters; its settings are --learning-rate, --l2"},
      {kDriver + "--data csv:x", "--rows is for generated data"},
      {"driver --algorithm linear-svm --data csv", "--data csv needs a file: write csv:PATH"},
      {"driver --algorithm linear-svm --data excel:x", "excel is no format of files; choose csv, libsvm"},
      {"driver --algorithm linear-svm --data csv:x --labels y", "--labels is for --data idx:PATH"},
      {"driver --algorithm linear-svm --data csv:x --noise 2", "linear-svm on csv knows no --noise"},
      {"driver --algorithm linear-svm --data lda-c:x", "cannot train on lda-c: it takes rows of features"},
      {kDriver + "--standardize yes", "knows no --standardize"},
      {kDriver + "--checkpoint-every -1", "--checkpoint-every: must be a number from 0 to 86400"},
      {kDriver + "--checkpoint-every nan", "--checkpoint-every: must be a number from 0 to 86400"},
      {"data --algorithm linear-svm --rows 100 --features 2 --output o --format xml", "--format must be csv"},
      {"data --algorithm linear-svm --rows 100 --features 2 --output o --format lda-c",
       "cannot hold the data"},
      {"data --algorithm linear-svm --rows 100 --features 4 --output o --format idx",
       "needs --labels-output"},
      {kDriver + "--data weather", "choose one of regression, two-classes"},
      {kDriver + "--data regression", "cannot train on regression: it takes two classes or more"},
      {"driver --algorithm logistic-regression --data digits",
       "say which with --positive: there are classes 0 to 9"},
      {"driver --algorithm logistic-regression --data digits --positive 10", "--positive must be a class"},
      {kDriver + "--data digits --positive 3", "--features must be a square number"},
      {kDriver + "--linger -1", "--linger: must be a number from 0 to 86400"},
      {kDriver + "--linger NaN", "--linger: must be a number from 0 to 86400, not \"NaN\""},
      {kDriver + "--metrics-port 70000", "port"},
      {kDriver + "--listen 7070", "HOST:PORT"},
      {kDriver + "--bogus", "--bogus"},
      {"worker --rows 5", "--rows"},
  };
  for (const RefusedLine& refusal : refusals) {
    const auto command = parse(refusal.line);
    ASSERT_FALSE(command) << refusal.line;
    EXPECT_EQ(command.error().kind, ErrorKind::Invalid);
    EXPECT_THAT(command.error().message, HasSubstr(refusal.says)) << refusal.line;
    EXPECT_EQ(command.error().message.find('\n'), std::string::npos) << refusal.line;
  }
}

TEST(Options, NeedTheDriversAddress) {
  for (const std::string& line : {kDriver, std::string("worker")}) {
    const auto missing = parse(line, {});
    ASSERT_FALSE(missing);
    EXPECT_THAT(missing.error().message, HasSubstr("SLAQ_DRIVER_ADDRESS is not set"));
    const auto wrong = parse(line, {{"SLAQ_DRIVER_ADDRESS", "nowhere"}});
    ASSERT_FALSE(wrong);
    EXPECT_THAT(wrong.error().message, HasSubstr("HOST:PORT"));
  }
}

TEST(Address, IsHostAndPort) {
  EXPECT_EQ(net::parseAddress("a.b:1").value(), (net::Address{"a.b", 1}));
  EXPECT_EQ(net::parseAddress("[::1]:65535").value(), (net::Address{"::1", 65535}));
  EXPECT_EQ(net::parseAddress(":80").value(), (net::Address{"", 80}));
  for (const char* text : {"", "a", "a:", "a:b", "a:-1", "a:65536", "a:1x", "::1:80"}) {
    EXPECT_FALSE(net::parseAddress(text)) << text;
  }
}

}  // namespace
}  // namespace slaq::trainer
