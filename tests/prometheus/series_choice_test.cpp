// Programs that export several series of a metric: what is read of them, from Prometheus and from pods alike.
#include "prometheus/series_choice.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>
#include <stdexcept>

#include "prometheus/answers.h"
#include "prometheus/matching.h"
#include "prometheus/scrape/exposition.h"
#include "prometheus/scrape/scrape_source.h"

namespace slaq::prom {
namespace {

using test::answerOf;
using test::sample;
using test::WrittenSeries;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const LossRequest kRequest{{"ns", "job"}, "uid", "loss", "steps", Time{}, std::nullopt};

// One line of an exposition, its labels without braces.
struct Line {
  std::string metric;
  std::vector<std::pair<std::string, std::string>> labels;
  std::string value;
};

JobLoss fromPods(const std::vector<Line>& lines) {
  std::string text;
  for (const auto& line : lines) {
    text += line.metric + "{";
    for (const auto& [name, value] : line.labels) text += name + "=\"" + value + "\",";
    text += "} " + line.value + "\n";
  }
  auto found = readLoss(text, kRequest, Time(Seconds(1)));
  if (!found) throw std::runtime_error(found.error().message);
  return {.samples = {found->sample}, .notice = found->notice};
}

// What Prometheus has after it scraped the same at the second `time` from the pod.
std::vector<WrittenSeries> scraped(const std::vector<Line>& lines, double time = 1,
                                   const std::string& pod = "p") {
  std::vector<WrittenSeries> all;
  for (const auto& line : lines) {
    WrittenSeries series{line.metric, line.labels, {{time, line.value}}};
    const auto isEmpty = [](const auto& label) { return label.second.empty(); };
    std::erase_if(series.labels, isEmpty);
    const WrittenSeries target{"",
                               {{"instance", pod + ":9464"},
                                {"namespace", "ns"},
                                {"pod", pod},
                                {"slaq_io_job", "job"},
                                {"slaq_io_job_uid", "uid"}},
                               {}};
    series.labels.insert(series.labels.end(), target.labels.begin(), target.labels.end());
    all.push_back(series);
  }
  return all;
}

JobLoss fromPrometheus(const std::vector<WrittenSeries>& all,
                       SeriesMatching::Origin origin = SeriesMatching::Origin::Raw) {
  SeriesMatching matching({&kRequest}, {});
  const auto matrix = readMatrix(answerOf(all));
  if (!matrix) throw std::runtime_error(matrix.error().message);
  matching.add(*matrix, origin);
  return matching.lossOf(kRequest);
}

struct Case {
  std::string name;
  std::vector<Line> lines;
  double loss;
  double iteration;
  std::string notice;  // a part of it; empty: there is none
};

const std::vector<Case> kCases = {
    {"no labels", {{"loss", {}, "1"}, {"steps", {}, "10"}}, 1, 10, ""},
    {"two processes",
     {{"loss", {{"pid", "102"}}, "2"},
      {"steps", {{"pid", "102"}}, "20"},
      {"loss", {{"pid", "101"}}, "1"},
      {"steps", {{"pid", "101"}}, "10"}},
     1,
     10,
     "2 series of loss, which differ in pid (\"101\" and \"102\"), and {pid=\"101\"} is read"},
    {"phases of the loss alone",
     {{"loss", {{"phase", "train"}}, "1"}, {"loss", {{"phase", "eval"}}, "2"}, {"steps", {}, "10"}},
     2,
     10,
     "{phase=\"eval\"} is read; export only one of them, or give each a name of its own and write one into "
     "spec.loss.metric"},
    {"phases of the iterations alone",
     {{"loss", {}, "1"}, {"steps", {{"phase", "train"}}, "10"}, {"steps", {{"phase", "eval"}}, "20"}},
     1,
     20,
     "spec.loss.iterationMetric"},
    {"a label of the loss alone", {{"loss", {{"run", "7"}}, "1"}, {"steps", {}, "10"}}, 1, 10, ""},
    {"a label of the iterations alone", {{"loss", {}, "1"}, {"steps", {{"run", "7"}}, "10"}}, 1, 10, ""},
    {"labels that contradict",
     {{"loss", {{"phase", "eval"}}, "1"}, {"steps", {{"phase", "train"}}, "10"}},
     1,
     10,
     ""},
    {"the loss with the labels of the iterations",
     {{"loss", {{"phase", "eval"}}, "1"},
      {"loss", {{"phase", "train"}}, "2"},
      {"steps", {{"phase", "train"}}, "10"}},
     2,
     10,
     ""},
    {"the loss without labels, as the iterations",
     {{"loss", {{"phase", "eval"}}, "1"}, {"loss", {}, "2"}, {"steps", {}, "10"}},
     2,
     10,
     ""},
    {"fewest labels first",
     {{"loss", {{"phase", "eval"}}, "1"}, {"loss", {}, "2"}, {"steps", {{"rank", "0"}}, "10"}},
     2,
     10,
     ""},
    {"an empty label is none",
     {{"loss", {{"phase", ""}}, "1"}, {"loss", {{"phase", "a"}}, "2"}, {"steps", {}, "10"}},
     1,
     10,
     ""},
    {"more values than a sentence holds",
     {{"loss", {{"r", "4"}}, "4"},
      {"loss", {{"r", "3"}}, "3"},
      {"loss", {{"r", "2"}}, "2"},
      {"loss", {{"r", "1"}}, "1"},
      {"loss", {{"r", "0"}}, "0"},
      {"steps", {}, "10"}},
     0,
     10,
     "r (\"0\", \"1\", \"2\" and 2 others)"},
    {"two labels",
     {{"loss", {{"a", "1"}, {"b", "2"}}, "1"}, {"loss", {{"a", "2"}, {"b", "1"}}, "2"}, {"steps", {}, "10"}},
     1,
     10,
     "a (\"1\" and \"2\") and in b (\"1\" and \"2\"), and {a=\"1\",b=\"2\"} is read"},
};

TEST(SeriesChoice, BothSourcesReadTheSameWhateverTheOrderOfTheLines) {
  for (const auto& each : kCases) {
    auto lines = each.lines;
    std::mt19937 random(7);
    for (int turn = 0; turn < 4; ++turn) {
      for (const auto& [source, found] :
           {std::pair("pods", fromPods(lines)), std::pair("Prometheus", fromPrometheus(scraped(lines)))}) {
        ASSERT_EQ(found.samples.size(), 1u)
            << each.name << ", " << source << ": " << found.problem.value_or("");
        EXPECT_EQ(found.samples[0].loss, Loss(each.loss)) << each.name << ", " << source;
        EXPECT_EQ(found.samples[0].iteration, Iterations(each.iteration)) << each.name << ", " << source;
        EXPECT_EQ(found.notice.has_value(), !each.notice.empty()) << each.name << ", " << source;
        EXPECT_THAT(found.notice.value_or(""), HasSubstr(each.notice)) << each.name << ", " << source;
      }
      std::ranges::shuffle(lines, random);
    }
  }
}

// Each of one metric is compared with each of the other.
TEST(SeriesChoice, PodsMayExportAsManySeriesAsPrometheusMayHave) {
  for (const bool isBeyond : {false, true}) {
    std::string text = "steps 10\n";
    for (int i = 0; i < (isBeyond ? 3000 : 2999); ++i) text += "loss{i=\"" + std::to_string(i) + "\"} 1\n";
    const auto found = readLoss(text, kRequest, Time(Seconds(1)));
    ASSERT_EQ(found.has_value(), !isBeyond);
    EXPECT_EQ(found ? "" : found.error().message,
              isBeyond ? "its pods export 3001 series of its metrics, where a job may have 3000; export one "
                         "series of each metric from each pod, without further labels"
                       : "");
  }
}

TEST(SeriesChoice, TheInitialLossIsThatOfTheSeriesThatIsRead) {
  const std::vector<Line> lines = {{"loss", {{"pid", "2"}}, "2"},
                                   {"steps", {{"pid", "2"}}, "20"},
                                   {"loss", {{"pid", "1"}}, "1"},
                                   {"steps", {{"pid", "1"}}, "10"},
                                   {kInitialLossMetric, {{"pid", "2"}}, "9"},
                                   {kInitialLossMetric, {{"pid", "1"}}, "8"}};
  EXPECT_EQ(fromPods(lines).samples.at(0).initial, Loss(8));
  EXPECT_EQ(fromPrometheus(scraped(lines)).samples.at(0).initial, Loss(8));
}

TEST(SeriesChoice, TwoPodsAreNoLabelsOfTheProgram) {
  auto all = scraped({{"loss", {}, "1"}, {"steps", {}, "10"}}, 1, "p");
  const auto other = scraped({{"loss", {}, "2"}, {"steps", {}, "20"}}, 1, "q");
  all.insert(all.end(), other.begin(), other.end());
  EXPECT_FALSE(fromPrometheus(all).notice);
  // At the steps of a history all pods are at one time, also where nothing tells targets apart.
  for (auto& series : all)
    std::erase_if(series.labels, [](const auto& each) { return each.first == "instance"; });
  EXPECT_FALSE(fromPrometheus(all, SeriesMatching::Origin::History).notice);
}

TEST(SeriesChoice, OneSeriesOfAProgramFollowsAnother) {
  auto all = scraped({{"loss", {{"epoch", "1"}}, "5"}, {"steps", {}, "10"}}, 1);
  const auto next = scraped({{"loss", {{"epoch", "2"}}, "4"}}, 2);
  all.insert(all.end(), next.begin(), next.end());
  all[1].points.emplace_back(2, "20");
  const auto found = fromPrometheus(all);
  EXPECT_THAT(found.samples, ::testing::ElementsAre(sample(1, 10, 5), sample(2, 20, 4)));
  EXPECT_FALSE(found.notice);
}

TEST(SeriesChoice, OneSeriesOfTheIterationsFollowsAnother) {
  auto all = scraped({{"loss", {}, "5"}, {"steps", {{"epoch", "1"}}, "10"}}, 1);
  const auto next = scraped({{"steps", {{"epoch", "2"}}, "20"}}, 2);
  all.insert(all.end(), next.begin(), next.end());
  all[0].points.emplace_back(2, "4");
  const auto found = fromPrometheus(all);
  EXPECT_THAT(found.samples, ::testing::ElementsAre(sample(1, 10, 5), sample(2, 20, 4)));
  EXPECT_FALSE(found.notice);
}

TEST(SeriesChoice, NoNewsHasNoNotice) {
  LossRequest late = kRequest;
  late.since = Time(Seconds(5));
  SeriesMatching matching({&late}, {});
  const auto matrix = readMatrix(answerOf(scraped(kCases[1].lines)));
  matching.add(*matrix, SeriesMatching::Origin::Raw);
  EXPECT_THAT(matching.lossOf(late).samples, IsEmpty());
  EXPECT_FALSE(matching.lossOf(late).notice);
}

}  // namespace
}  // namespace slaq::prom
