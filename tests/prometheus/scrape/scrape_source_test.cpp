#include "prometheus/scrape/scrape_source.h"

#include <gmock/gmock.h>

#include <atomic>
#include <thread>

#include "support/scripted_server.h"

namespace slaq::prom {
namespace {

using test::answering;
using test::Connection;
using test::ReceivedRequest;
using test::ScriptedServer;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr Seconds kBound{20};

LossRequest scrapedJob(const std::string& name, const std::optional<std::string>& endpoint,
                       const std::string& uid = "uid") {
  return {{"ns", name}, uid, "loss", "steps_total", Time{}, endpoint};
}

// A trainer that makes one step for each scrape.
class Trainer {
 public:
  Trainer()
      : server_(answering([this](const ReceivedRequest&, Connection& c) { c.reply(200, exposition()); })) {}
  std::string address() const { return server_.address(); }
  int steps() const { return steps_; }

 private:
  std::string exposition() {
    const int step = ++steps_;
    return "# TYPE loss gauge\nloss " + std::to_string(1.0 / step) + "\nsteps_total " + std::to_string(step) +
           "\n";
  }
  std::atomic<int> steps_ = 0;
  ScriptedServer server_;
};

ScrapeOptions fast() {
  ScrapeOptions options;
  options.interval = Seconds(0.005);
  return options;
}

// Collects until the job's answer satisfies; the last answer either way.
template <class Satisfies>
JobLoss collectUntil(ScrapeSource& source, const std::vector<LossRequest>& jobs, Satisfies satisfies) {
  const auto end = std::chrono::steady_clock::now() + kBound;
  while (true) {
    JobLoss loss = source.collect(jobs, Time{})->at(jobs.front().job);
    if (satisfies(loss) || std::chrono::steady_clock::now() > end) return loss;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

TEST(ScrapeSource, GathersBetweenTwoCollects) {
  const SystemClock clock;
  Trainer trainer;
  ScrapeSource source(fast(), clock);
  const Time before = clock.now();
  const auto enough = [](const JobLoss& loss) { return loss.samples.size() >= 5; };
  const JobLoss loss = collectUntil(source, {scrapedJob("a", trainer.address())}, enough);
  ASSERT_GE(loss.samples.size(), 5u) << loss.problem.value_or("");
  EXPECT_FALSE(loss.problem);
  Time last = before;
  double iteration = 0;
  for (const LossSample& sample : loss.samples) {
    EXPECT_GE(sample.time, last);
    EXPECT_EQ(sample.iteration.value(), iteration + 1) << "each scrape is kept";
    EXPECT_NEAR(sample.loss.value(), 1.0 / sample.iteration.value(), 1e-6);
    last = sample.time;
    iteration = sample.iteration.value();
  }
}

TEST(ScrapeSource, GivesOnlyWhatIsAskedFor) {
  const SystemClock clock;
  Trainer trainer;
  ScrapeSource source(fast(), clock);
  LossRequest request = scrapedJob("a", trainer.address());
  const auto enough = [](const JobLoss& loss) { return loss.samples.size() >= 3; };
  const JobLoss first = collectUntil(source, {request}, enough);
  ASSERT_GE(first.samples.size(), 3u);
  request.since = first.samples[1].time;
  const JobLoss second = source.collect({request}, Time{})->at(request.job);
  ASSERT_FALSE(second.samples.empty());
  EXPECT_EQ(second.samples.front(), first.samples[1]);
}

TEST(ScrapeSource, StopsScrapingAJobThatIsNoLongerAskedFor) {
  const SystemClock clock;
  Trainer gone;
  Trainer staying;
  ScrapeSource source(fast(), clock);
  const auto some = [](const JobLoss& loss) { return !loss.samples.empty(); };
  collectUntil(source, {scrapedJob("gone", gone.address()), scrapedJob("staying", staying.address())}, some);
  ASSERT_TRUE(source.collect({scrapedJob("staying", staying.address())}, Time{}));
  const int steps = gone.steps();
  const int mark = staying.steps();
  collectUntil(source, {scrapedJob("staying", staying.address())},
               [&](const JobLoss&) { return staying.steps() >= mark + 20; });
  EXPECT_GE(staying.steps(), mark + 20);
  EXPECT_LE(gone.steps(), steps + 1) << "at most the scrape that was under way";
}

TEST(ScrapeSource, SaysWhyThereIsNothing) {
  const SystemClock clock;
  ScriptedServer broken(answering([](const ReceivedRequest&, Connection& c) { c.reply(500, "oops"); }));
  ScriptedServer lacking(answering([](const ReceivedRequest&, Connection& c) { c.reply(200, "other 1\n"); }));
  ScriptedServer html(answering([](const ReceivedRequest&, Connection& c) { c.reply(200, "<html>\n"); }));
  std::string nobody;
  {
    nobody = ScriptedServer([](Connection&) {}).address();
  }
  ScrapeSource source(fast(), clock);
  const std::vector<std::pair<std::optional<std::string>, std::string>> cases = {
      {broken.address(), "500"}, {lacking.address(), "no metric loss"}, {html.address(), "line 1"},
      {nobody, "refused"},       {std::nullopt, "no chief runs"},       {"no address at all", "URL"}};
  for (const auto& [endpoint, why] : cases) {
    const auto says = [&why = why](const JobLoss& loss) {
      return loss.problem && loss.problem->find(why) != std::string::npos;
    };
    const JobLoss loss = collectUntil(source, {scrapedJob("a", endpoint)}, says);
    EXPECT_THAT(loss.problem.value_or(""), HasSubstr(why));
    EXPECT_THAT(loss.samples, IsEmpty());
  }
}

TEST(ScrapeSource, SaysWhatToWriteWhereSlaqReportHasFoundNothing) {
  LossRequest request = scrapedJob("a", "127.0.0.1:1");
  request.isReported = true;
  EXPECT_THAT(readLoss("other 1\n", request, Time()).error().message,
              HasSubstr("in what its program writes; --metric names it, --pattern describes its line"));
}

// Answers /metrics with a redirect there, and the metrics at `at`.
ScriptedServer redirecting(const std::string& there, const std::string& at) {
  return ScriptedServer(answering([=](const ReceivedRequest& request, Connection& c) {
    if (request.path == at) return c.reply(200, "loss 1\nsteps_total 2\n");
    const std::string own = "http://" + request.headers.at("host");
    return c.reply(307, "",
                   "Location: " + (there.starts_with("OWN") ? own + there.substr(3) : there) + "\r\n");
  }));
}

TEST(ScrapeSource, FollowsRedirectsOnTheSameHost) {
  const SystemClock clock;
  const std::pair<const char*, const char*> cases[] = {{"/metrics/", "/metrics/"},
                                                       {"OWN/stats/prometheus", "/stats/prometheus"},
                                                       {"other?format=text", "/other?format=text"},
                                                       {"?format=text", "/metrics?format=text"},
                                                       {"/a:b", "/a:b"}};
  for (const auto& [there, at] : cases) {
    auto server = redirecting(there, at);
    ScrapeSource source(fast(), clock);
    const auto ends = [](const JobLoss& loss) { return !loss.samples.empty(); };
    const JobLoss loss = collectUntil(source, {scrapedJob("a", server.address())}, ends);
    ASSERT_FALSE(loss.samples.empty()) << there << ": " << loss.problem.value_or("");
    EXPECT_EQ(loss.samples[0].loss, Loss(1)) << there;
  }
}

TEST(ScrapeSource, SaysWhereARedirectLeadsThatItDoesNotFollow) {
  const SystemClock clock;
  for (const std::string there :
       {"http://other.example.com/metrics", "//other.example.com/metrics", "https://login/", "/metrics"}) {
    auto server = redirecting(there, "nowhere");
    ScrapeSource source(fast(), clock);
    const auto says = [](const JobLoss& loss) {
      return loss.problem && loss.problem->find("redirects") != std::string::npos;
    };
    const JobLoss loss = collectUntil(source, {scrapedJob("a", server.address())}, says);
    EXPECT_THAT(loss.problem.value_or(""), HasSubstr("redirects to '" + there + "', which is not followed"));
  }
}

// It would be no help to a program that does.
TEST(ScrapeSource, SaysToServeMetricsOnlyWhereNobodyAnswers) {
  const SystemClock clock;
  ScriptedServer large(
      answering([](const ReceivedRequest&, Connection& c) { c.reply(200, std::string(5u << 20, '#')); }));
  std::string nobody;
  {
    nobody = ScriptedServer([](Connection&) {}).address();
  }
  ScrapeSource source(fast(), clock);
  for (const auto& [address, isHelped] : {std::pair(large.address(), false), std::pair(nobody, true)}) {
    const auto says = [](const JobLoss& loss) {
      return loss.problem && loss.problem->find("not read yet") == std::string::npos;
    };
    const JobLoss loss = collectUntil(source, {scrapedJob("a", address)}, says);
    const std::string problem = loss.problem.value_or("");
    EXPECT_EQ(problem.find("SLAQ_METRICS_PORT") != std::string::npos, isHelped) << problem;
  }
}

// They would reach a terminal, a condition and an event.
TEST(ScrapeSource, FollowsNoRedirectWithControlCharacters) {
  const SystemClock clock;
  auto server = redirecting("/\x1b[2Jmetrics\x7f", "nowhere");
  ScrapeSource source(fast(), clock);
  const auto says = [](const JobLoss& loss) {
    return loss.problem && loss.problem->find("not read yet") == std::string::npos;
  };
  const JobLoss loss = collectUntil(source, {scrapedJob("a", server.address())}, says);
  EXPECT_THAT(loss.problem.value_or(""),
              HasSubstr("redirects to '/\\x1b[2Jmetrics\\x7f', which is not followed"));
}

TEST(ScrapeSource, ASilentEndpointHoldsUpNoOther) {
  const SystemClock clock;
  ScriptedServer silent([](Connection& c) { (c.receive(), c.waitForClose()); });
  Trainer trainer;
  ScrapeOptions options = fast();
  options.deadline = Seconds(1);
  ScrapeSource source(options, clock);
  const auto enough = [](const JobLoss& loss) { return loss.samples.size() >= 20; };
  const JobLoss loss = collectUntil(
      source, {scrapedJob("a", trainer.address()), scrapedJob("silent", silent.address())}, enough);
  EXPECT_GE(loss.samples.size(), 20u);
}

TEST(ScrapeSource, ASilentEndpointIsAskedEverMoreSeldom) {
  const SystemClock clock;
  std::atomic<int> asked = 0;
  ScriptedServer silent([&](Connection& c) { (c.receive(), ++asked, c.waitForClose()); });
  ScrapeOptions options = fast();
  options.deadline = Seconds(0.1);
  ScrapeSource source(options, clock);
  const auto begun = std::chrono::steady_clock::now();
  collectUntil(source, {scrapedJob("silent", silent.address())}, [&](const JobLoss&) { return asked >= 5; });
  EXPECT_EQ(asked, 5);
  // The pauses are of 0.1, 0.2, 0.4 and 0.8 s at least.
  EXPECT_GE(std::chrono::steady_clock::now() - begun, std::chrono::milliseconds(1500));
}

TEST(ScrapeSource, AnEndpointWithoutALossIsAskedAsOften) {
  const SystemClock clock;
  std::atomic<int> asked = 0;
  ScriptedServer server(
      answering([&](const ReceivedRequest&, Connection& c) { (++asked, c.reply(404, "")); }));
  ScrapeSource source(fast(), clock);
  collectUntil(source, {scrapedJob("a", server.address())}, [&](const JobLoss&) { return asked >= 50; });
  EXPECT_GE(asked, 50);
}

TEST(ScrapeSource, AnotherJobOfTheNameStartsAfresh) {
  const SystemClock clock;
  Trainer first;
  ScriptedServer second(
      answering([](const ReceivedRequest&, Connection& c) { c.reply(200, "loss 9\nsteps_total 0\n"); }));
  ScrapeSource source(fast(), clock);
  const auto some = [](const JobLoss& loss) { return !loss.samples.empty(); };
  ASSERT_FALSE(collectUntil(source, {scrapedJob("a", first.address(), "uid-1")}, some).samples.empty());
  const JobLoss loss = collectUntil(source, {scrapedJob("a", second.address(), "uid-2")}, some);
  ASSERT_FALSE(loss.samples.empty());
  EXPECT_THAT(loss.samples, Each(::testing::Field(&LossSample::loss, Loss(9))));
}

TEST(ScrapeSource, AnotherMetricStartsAfresh) {
  const SystemClock clock;
  ScriptedServer server(answering(
      [](const ReceivedRequest&, Connection& c) { c.reply(200, "loss 9\naccuracy 1\nsteps_total 0\n"); }));
  ScrapeSource source(fast(), clock);
  const auto some = [](const JobLoss& loss) { return !loss.samples.empty(); };
  LossRequest request = scrapedJob("a", server.address());
  ASSERT_FALSE(collectUntil(source, {request}, some).samples.empty());
  request.metric = "accuracy";
  const JobLoss loss = collectUntil(source, {request}, some);
  EXPECT_THAT(loss.samples, Each(::testing::Field(&LossSample::loss, Loss(1))));
}

TEST(ScrapeSource, AMovedChiefKeepsItsSamples) {
  const SystemClock clock;
  auto first = std::make_unique<Trainer>();
  Trainer second;
  ScrapeSource source(fast(), clock);
  const auto enough = [](const JobLoss& loss) { return loss.samples.size() >= 3; };
  const JobLoss before = collectUntil(source, {scrapedJob("a", first->address())}, enough);
  ASSERT_GE(before.samples.size(), 3u);
  first.reset();
  const JobLoss after = collectUntil(source, {scrapedJob("a", second.address())}, [&](const JobLoss& loss) {
    return second.steps() > 0 && loss.samples.size() > before.samples.size();
  });
  ASSERT_GT(after.samples.size(), before.samples.size());
  EXPECT_EQ(after.samples.front(), before.samples.front());
}

TEST(ScrapeSource, KeepsTwoSamplesOfAValueThatStandsStillAndBoundsTheRest) {
  const SystemClock clock;
  std::atomic<int> scrapes = 0;
  ScriptedServer still(answering([&](const ReceivedRequest&, Connection& c) {
    ++scrapes;
    c.reply(200, "loss NaN\nsteps_total 4\n");
  }));
  ScrapeOptions options = fast();
  options.samplesKept = 5;
  ScrapeSource source(options, clock);
  JobLoss loss =
      collectUntil(source, {scrapedJob("a", still.address())}, [&](const JobLoss&) { return scrapes >= 10; });
  EXPECT_EQ(loss.samples.size(), 2u) << "when it was first and when it was last seen";

  Trainer moving;
  const auto passed = [](const JobLoss& now) {
    return !now.samples.empty() && now.samples.back().iteration.value() > 9;
  };
  loss = collectUntil(source, {scrapedJob("b", moving.address())}, passed);
  EXPECT_EQ(loss.samples.size(), 5u);
}

}  // namespace
}  // namespace slaq::prom
