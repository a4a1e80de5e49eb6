#include "prometheus/scrape/exposition.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "prometheus/scrape/scrape_source.h"

namespace slaq::prom {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

struct Sample {
  std::string name;
  std::vector<std::pair<std::string, std::string>> labels;
  double value = 0;
};

std::vector<Sample> samplesIn(const std::string& text) {
  std::vector<Sample> samples;
  const auto read = readExposition(text, [&](const ExposedSample& sample) {
    samples.push_back({std::string(sample.name), sample.labels, sample.value});
  });
  EXPECT_TRUE(read) << read.error().message;
  return samples;
}

TEST(Exposition, ReadsEveryKindOfValue) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<std::pair<std::string, double>> cases = {{"a 1", 1},
                                                             {"a -1.5e-07", -1.5e-07},
                                                             {"a +Inf", infinity},
                                                             {"a -Inf", -infinity},
                                                             {"a Inf", infinity},
                                                             {"a 1e3", 1000},
                                                             {"a\t2\t", 2},
                                                             {"  a   3  ", 3},
                                                             {"a{} 4", 4},
                                                             {"a 5 1700000000000", 5},
                                                             {"a 6 1.7e9", 6},
                                                             {"a 7 # {trace_id=\"x\"} 0.5", 7},
                                                             {"a 8\r", 8},
                                                             {"a 9 1.7e9 # {} 1", 9},
                                                             {"a{b=\"c\",} 10", 10},
                                                             {"a +11", 11}};
  for (const auto& [text, value] : cases) {
    const auto samples = samplesIn(text);
    ASSERT_EQ(samples.size(), 1u) << text;
    EXPECT_EQ(samples[0].name, "a") << text;
    EXPECT_EQ(samples[0].value, value) << text;
  }
  EXPECT_TRUE(std::isnan(samplesIn("a NaN")[0].value));
}

TEST(Exposition, ReadsLabelsWithEscapes) {
  const auto samples = samplesIn(R"(m:x_1{a="1", b = "q\"u\\o\nte" ,c="}, #"} 0.5)");
  ASSERT_EQ(samples.size(), 1u);
  EXPECT_EQ(samples[0].name, "m:x_1");
  EXPECT_THAT(samples[0].labels, ElementsAre(Pair("a", "1"), Pair("b", "q\"u\\o\nte"), Pair("c", "}, #")));
}

TEST(Exposition, SkipsCommentsAndEmptyLines) {
  EXPECT_THAT(samplesIn(""), IsEmpty());
  EXPECT_THAT(samplesIn("# HELP a Text { with \" anything\n\n  # TYPE a gauge\n#\n# EOF\n"), IsEmpty());
  EXPECT_EQ(samplesIn("# TYPE a gauge\na 1\nb 2").size(), 2u);
}

TEST(Exposition, NamesTheLineThatItCannotRead) {
  for (const std::string line :
       {"a", "a{", "a{b=\"c\"", "a{b=c} 1", "a{b=\"c} 1", "1a 2", "{} 1", "a one", "a 1 x", "a 1 2 3",
        "a{b=\"c\" d=\"e\"} 1", "a{,} 1", "<html>", "a ++1", "a +-1", "\x1b[31m", "a{b=\"\\", "a 1.5.2"}) {
    const auto read = readExposition("good 1\n# comment\n" + line + "\n", [](const ExposedSample&) {});
    ASSERT_FALSE(read) << line;
    EXPECT_EQ(read.error().kind, ErrorKind::Malformed);
    EXPECT_THAT(read.error().message, HasSubstr("line 3")) << line;
    EXPECT_EQ(read.error().message.find('\x1b'), std::string::npos);
  }
}

LossRequest request() { return {{"ns", "job"}, "uid", "loss", "steps_total", Time{}, std::nullopt}; }

TEST(ReadLoss, TakesTheTwoMetricsAndNoOthers) {
  const auto found =
      readLoss("other 1\nloss{x=\"1\"} 0.5\nsteps_total 40\nlossy 9\n", request(), Time(Seconds(7)));
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->sample, (LossSample{Time(Seconds(7)), Iterations(40), Loss(0.5)}));
}

TEST(ReadLoss, SaysWhichMetricIsMissing) {
  EXPECT_THAT(readLoss("steps_total 1\n", request(), {}).error().message, HasSubstr("no metric loss"));
  EXPECT_EQ(readLoss("loss 1\n", request(), {}).error().message,
            "there is no metric steps_total; export the number of iterations that are done under that name");
  EXPECT_THAT(readLoss("other 1\ntrain_loss 1\nepochs 1\n", request(), {}).error().message,
              HasSubstr("; if train_loss is meant, write spec.loss.metric: train_loss"));
  EXPECT_THAT(readLoss("loss 1\ntraining_steps 2\n", request(), {}).error().message,
              HasSubstr("; if training_steps is meant, write spec.loss.iterationMetric: training_steps"));
  EXPECT_EQ(readLoss("loss 1\nsteps_total x\n", request(), {}).error().kind, ErrorKind::Malformed);
}

}  // namespace
}  // namespace slaq::prom
