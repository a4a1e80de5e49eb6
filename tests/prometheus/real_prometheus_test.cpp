// Against the program itself (Debian's package, scripts/install-deps --test), so that nothing here rests on
// what we believe of its API.
#include <gmock/gmock.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <thread>

#include "base/clock.h"
#include "prometheus/cpu/cpu_use_source.h"
#include "prometheus/prometheus_source.h"
#include "prometheus/query_source.h"
#include "prometheus/series_choice.h"
#include "support/child_process.h"
#include "support/scripted_server.h"

namespace slaq::prom {
namespace {

using test::answering;
using ::testing::HasSubstr;

constexpr Seconds kDeadline{60};

// The loss is a function of the step, so that a mixture of two scrapes shows.
double lossAt(double step) { return 1 / (1 + step); }

// A trainer that makes a step for each scrape.
class Exporter {
 public:
  Exporter()
      : server_(answering([this](const auto&, auto& c) {
          c.reply(isUp ? 200 : 503, text(), "Content-Type: text/plain\r\n");
        })) {}
  std::string address() const { return server_.address(); }

  std::atomic<bool> isUp = true;
  std::atomic<std::size_t> shards = 0;  // so many series of the loss besides

 private:
  std::string text() {
    const int step = ++steps_;
    char loss[32];
    std::snprintf(loss, sizeof loss, "%.17g", lossAt(step));
    std::string lines = "slaq_training_loss " + std::string(loss) + "\nslaq_training_iterations_total " +
                        std::to_string(step) + "\n";
    for (const char* container : {"main", ""})
      lines += "container_cpu_usage_seconds_total{pod=\"logreg-workers-0-abcde\",container=\"" +
               std::string(container) + "\"} " + std::to_string(step) + "\n";
    for (std::size_t shard = 0; shard < shards; ++shard)
      lines += "slaq_training_loss{shard=\"" + std::to_string(shard) + "\"} 1\n";
    return lines;
  }
  std::atomic<int> steps_ = 0;
  test::ScriptedServer server_;
};

class RealPrometheus : public ::testing::Test {
 protected:
  void SetUp() override {
    if (test::findProgram("prometheus").empty()) {
      const char* ci = std::getenv("CI");
      ASSERT_FALSE(ci != nullptr && std::string(ci) == "true")
          << "CI needs prometheus: scripts/install-deps --test";
      std::cerr << "SKIPPED: no prometheus here; nothing is proven about its API. Run scripts/install-deps "
                   "--test\n";
      GTEST_SKIP();
    }
    begun_ = clock_.now();
    hugeJob_.isUp = false;
    writeConfiguration();
    start();
  }

  void TearDown() override {
    if (!HasFailure()) return;
    std::ifstream log(directory_.path() + "/log");
    std::cerr << log.rdbuf();
  }

  PrometheusOptions options(Seconds window) const {
    PrometheusOptions options;
    options.endpoint.url = "http://127.0.0.1:" + std::to_string(port_);
    options.window = window;
    options.scrapeInterval = Seconds(0.2);
    return options;
  }
  PrometheusSource source(Seconds window) const { return PrometheusSource(options(window), clock_); }

  LossRequest job(const std::string& name) const {
    return {{"team-a", name}, "uid-1", kDefaultLossMetric, kDefaultIterationMetric, begun_, std::nullopt};
  }

  LossRequest withQueries(const std::string& query, const std::string& iterations) const {
    LossRequest request = job("own");
    request.query = query;
    request.iterationQuery = iterations;
    return request;
  }

  QuerySource querySource() {
    QueryOptions queries;
    queries.endpoint.url = "http://127.0.0.1:" + std::to_string(port_);
    queries.step = Seconds(0.2);
    queries.deadline = kDeadline;  // on a busy machine
    return {queries, std::make_unique<PrometheusSource>(options(Seconds(60)), clock_)};
  }

  template <class Condition>
  bool eventually(Condition condition) {
    const auto end = std::chrono::steady_clock::now() + kDeadline;
    while (!condition()) {
      if (std::chrono::steady_clock::now() > end || !prometheus_->running()) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return true;
  }

  SystemClock clock_;
  Time begun_;
  int port_ = 0;
  Exporter hugeJob_;

 private:
  void writeConfiguration() {
    std::ofstream(directory_.path() + "/prometheus.yml")
        << "global: {scrape_interval: 200ms, scrape_timeout: 200ms}\n"
           "scrape_configs:\n"
           "- job_name: training\n"
           "  static_configs:\n"
           "  - targets: ['"
        << exporter_.address()
        << "']\n"
           "    labels: {namespace: team-a, slaq_io_job: logreg, slaq_io_job_uid: uid-1, slaq_io_role: "
           "driver}\n"
           "  - targets: ['"
        << other_.address()
        << "']\n"
           "    labels: {namespace: team-a, slaq_io_job: reused, slaq_io_job_uid: uid-0}\n"
           "  - targets: ['"
        << hugeJob_.address()
        << "']\n"
           "    labels: {namespace: team-b, slaq_io_job: logreg, slaq_io_job_uid: uid-2}\n";
  }

  void start() {
    port_ = test::freePort();
    prometheus_.emplace(
        std::vector<std::string>{"prometheus", "--config.file=" + directory_.path() + "/prometheus.yml",
                                 "--storage.tsdb.path=" + directory_.path() + "/data",
                                 "--query.max-samples=" + std::to_string(4 * kMostSeriesOfAJob),
                                 "--web.listen-address=127.0.0.1:" + std::to_string(port_)},
        directory_.path() + "/log");
    http::HttpEndpoint endpoint;
    endpoint.url = "http://127.0.0.1:" + std::to_string(port_);
    const auto client = makeHttpClient(endpoint);
    http::HttpRequest ready;
    ready.path = "/-/ready";
    ASSERT_TRUE(eventually([&] {
      const auto response = client->send(ready);
      return response && response->status == 200;
    })) << "prometheus does not start";
  }

  Exporter exporter_;
  Exporter other_;
  test::TemporaryDirectory directory_;
  std::optional<test::ChildProcess> prometheus_;
};

void expectUnmixed(const JobLoss& loss) {
  Time last{};
  for (const LossSample& sample : loss.samples) {
    EXPECT_EQ(sample.loss.value(), lossAt(sample.iteration.value())) << "loss and iteration of one scrape";
    EXPECT_GT(sample.time, last);
    last = sample.time;
  }
}

TEST_F(RealPrometheus, TellsTheCpuTimeThatPodsHaveUsed) {
  CpuUseOptions cpu;
  cpu.endpoint.url = options(Seconds(60)).endpoint.url;
  cpu.interval = Seconds(0);
  cpu.pause = Seconds(0);
  cpu.deadline = kDeadline;
  CpuUseSource uses(cpu, std::make_unique<PrometheusSource>(options(Seconds(60)), clock_));
  LossRequest request = job("logreg");
  request.pods = "logreg-workers-";
  std::optional<CpuUse> first;
  ASSERT_TRUE(eventually([&] {
    const auto report = uses.collect({request}, clock_.now());
    const auto now = report ? report->at(request.job).cpuUsed : std::nullopt;
    if (!first) first = now;
    return now && now->used > first->used && now->time > first->time;
  }));
}

TEST_F(RealPrometheus, GivesEveryRawSample) {
  auto prometheus = source(Seconds(60));
  JobLoss loss;
  ASSERT_TRUE(eventually([&] {
    const auto report = prometheus.collect({job("logreg")}, clock_.now());
    if (report) loss = report->at({"team-a", "logreg"});
    return loss.samples.size() >= 8;
  })) << loss.problem.value_or("");
  expectUnmixed(loss);
  for (std::size_t i = 1; i < loss.samples.size(); ++i) {
    EXPECT_GT(loss.samples[i].iteration, loss.samples[i - 1].iteration)
        << "each scrape is a sample of its own";
  }
}

TEST_F(RealPrometheus, GivesHistoryAndThenRawSamples) {
  // Old enough that the history has some points, each of the least step of a second.
  auto whole = source(Seconds(60));
  ASSERT_TRUE(eventually([&] {
    const auto report = whole.collect({job("logreg")}, clock_.now());
    if (!report) return false;
    const auto& samples = report->at({"team-a", "logreg"}).samples;
    return !samples.empty() && samples.back().time - samples.front().time > Seconds(5);
  }));
  JobLoss loss;
  Time now;
  std::ptrdiff_t raw = 0;
  // A source knows no history when it begins; on a busy machine single scrapes may fail.
  ASSERT_TRUE(eventually([&] {
    auto prometheus = source(Seconds(1));
    now = clock_.now();
    const auto report = prometheus.collect({job("logreg")}, now);
    if (!report) return false;
    loss = report->at({"team-a", "logreg"});
    raw = std::count_if(loss.samples.begin(), loss.samples.end(),
                        [&](const LossSample& sample) { return sample.time >= now - Seconds(1.2); });
    return raw >= 2;
  })) << loss.problem.value_or("");
  expectUnmixed(loss);
  EXPECT_GE(static_cast<std::ptrdiff_t>(loss.samples.size()) - raw, 2) << "history";
  EXPECT_LT(loss.samples.front().time, now - Seconds(2));
}

TEST_F(RealPrometheus, SaysWhatItLooksForInVain) {
  auto prometheus = source(Seconds(60));
  LossReport report;
  ASSERT_TRUE(eventually([&] {
    auto collected = prometheus.collect({job("reused"), job("unknown"), job("logreg")}, clock_.now());
    if (collected) report = std::move(*collected);
    const auto& problem = report[{"team-a", "reused"}].problem;
    return problem && problem->find("earlier job") != std::string::npos;
  }));
  const JobKey unknown{"team-a", "unknown"};
  EXPECT_THAT(report[unknown].problem.value_or(""), HasSubstr("no series slaq_training_loss"));
}

TEST_F(RealPrometheus, OneJobWithTooManySeriesHarmsNoOtherOfItsName) {
  hugeJob_.shards = kMostSeriesOfAJob + 500;
  hugeJob_.isUp = true;
  auto prometheus = source(Seconds(60));
  LossRequest huge = job("logreg");
  huge.job.ns = "team-b";
  huge.uid = "uid-2";
  LossReport report;
  ASSERT_TRUE(eventually([&] {
    auto collected = prometheus.collect({job("logreg"), huge}, clock_.now());
    if (collected) report = std::move(*collected);
    return report[huge.job].problem.value_or("").find("series of its metrics") != std::string::npos &&
           !report[job("logreg").job].samples.empty();
  })) << report[huge.job].problem.value_or("")
      << report[job("logreg").job].problem.value_or("");
}

TEST_F(RealPrometheus, EvaluatesAJobsOwnQueriesAtTheSameScrapes) {
  auto queries = querySource();
  JobLoss loss;
  ASSERT_TRUE(eventually([&] {
    const auto report =
        queries.collect({withQueries("max(slaq_training_loss{slaq_io_job='logreg'})  # mine",
                                     "sum(slaq_training_iterations_total{slaq_io_job='logreg'})")},
                        clock_.now());
    if (report) loss = report->at({"team-a", "own"});
    return loss.samples.size() >= 8;
  })) << loss.problem.value_or("");
  expectUnmixed(loss);
}

TEST_F(RealPrometheus, SaysWhatIsWrongWithAJobsOwnQueries) {
  auto queries = querySource();
  const auto problemOf = [&](const std::string& query, const std::string& iterations) {
    const auto report = queries.collect({withQueries(query, iterations)}, clock_.now());
    return report ? report->at({"team-a", "own"}).problem.value_or("") : report.error().message;
  };
  const std::string good = "max(slaq_training_iterations_total)";
  const std::string two = "spec.loss.query gives 2 series; aggregate them, such as max(...)";
  ASSERT_TRUE(eventually([&] { return problemOf("slaq_training_loss", good) == two; }));
  EXPECT_EQ(problemOf(good, "vector(1)"), "");
  EXPECT_EQ(problemOf(good, "max(no_such_series)"), "spec.loss.iterationQuery gives no series");
  EXPECT_THAT(
      problemOf("maxi(\nslaq_training_loss)", good),
      HasSubstr("Prometheus refuses spec.loss.query, line 1, column 1: parse error: unknown function"));
  EXPECT_THAT(problemOf(good, "1 +\n+ }"),
              HasSubstr("Prometheus refuses spec.loss.iterationQuery, line 2, column 3: parse error"));
  EXPECT_THAT(problemOf("max(slaq_training_loss", good), HasSubstr("Prometheus refuses spec.loss.query"));
  EXPECT_THAT(problemOf("7", good), HasSubstr("expected type instant vector"));
}

TEST_F(RealPrometheus, ExplainsAQueryThatItRefuses) {
  PrometheusOptions options;
  options.labels.job = "no-label";  // not a name in PromQL
  options.endpoint.url = "http://127.0.0.1:" + std::to_string(port_);
  const auto report = PrometheusSource(options, clock_).collect({job("logreg")}, clock_.now());
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().kind, ErrorKind::Invalid);
  EXPECT_THAT(report.error().message, HasSubstr("parse error"));
}

}  // namespace
}  // namespace slaq::prom
