#include "kube/watch/reflector.h"

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include "kube/cluster/store.h"
#include "kube/support/fake_server.h"
#include "kube/support/jobs.h"

namespace slaq::kube::watch {
namespace {

// Waits for a condition, generously; false when it never came.
bool eventually(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

std::string event(const std::string& type, const std::string& object) {
  return quoted("{'type':'" + type + "','object':") + object + "}";
}

std::string versioned(const std::string& text, int version) {
  return std::string(text).replace(text.find("\"uid\""), 0,
                                   "\"resourceVersion\":\"" + std::to_string(version) + "\",");
}

const std::string kGone = quoted("{'kind':'Status','code':410,'message':'too old'}");

class ReflectorTest : public testing::Test {
 protected:
  // Each watch gets the next of `streams`; later ones none.
  void follow(std::vector<std::vector<std::string>> streams) {
    server.lines = [streams, next = std::size_t{0}](const http::HttpRequest&) mutable {
      return next < streams.size() ? streams[next++] : std::vector<std::string>{};
    };
    reflector.emplace(api, client::Target{client::kTrainingJobs, "team-a"}, client::Selector{},
                      store.trainingJobs(), clock, [](const std::string&, bool) {});
    reflector->start();
  }

  bool known() { return store.job({"team-a", "logreg"}).has_value(); }
  int lists() {
    for (const auto& each : server.takeRequests()) listed += each.starts_with("GET ") ? 1 : 0;
    return listed;
  }

  int listed = 0;
  FakeServer server;
  SystemClock clock;
  client::Api api{server};
  cluster::Store store;
  std::optional<Reflector> reflector;
};

TEST_F(ReflectorTest, BringsTheListAndThenChanges) {
  server.put(kJobPath, jobText());
  follow({{event("MODIFIED", versioned(jobText(true, "uid-2"), 500))}});
  EXPECT_TRUE(eventually([&] { return known() && store.job({"team-a", "logreg"})->uid == "uid-2"; }));
}

TEST_F(ReflectorTest, BringsCreationAndDeletion) {
  follow({{event("ADDED", versioned(jobText(), 500)), "", event("BOOKMARK", versioned(jobText(), 501))},
          {event("DELETED", versioned(jobText(), 502))}});
  EXPECT_TRUE(eventually([&] { return known(); }));
  EXPECT_TRUE(eventually([&] { return !known(); }));
}

TEST_F(ReflectorTest, AnErrorEventLeadsToANewList) {
  follow({{event("ADDED", versioned(jobText(), 500)), event("ERROR", kGone)}});
  // The second list is empty: the job was deleted meanwhile.
  EXPECT_TRUE(eventually([&] { return lists() >= 2 && !known(); }));
}

TEST_F(ReflectorTest, ListsAnewWhatItsWatchHasNotBrought) {
  follow({});
  ASSERT_TRUE(eventually([&] { return lists() == 1; }));
  server.put(kJobPath, jobText());
  const Seconds asked = clock.monotonic();
  EXPECT_LT(reflector->listed(), asked);
  reflector->listSince(asked);
  EXPECT_TRUE(eventually([&] { return reflector->listed() >= asked; }));
  EXPECT_TRUE(known());
}

// A list of tens of thousands of pods takes seconds.
TEST_F(ReflectorTest, DoesNotListAgainWhatWasAskedForSinceThen) {
  const Seconds began = clock.monotonic();
  std::atomic<int> watches = 0;
  server.before = [&](const http::HttpRequest& request) -> std::optional<Result<http::HttpResponse>> {
    if (request.path.find("watch=true") != std::string::npos) ++watches;
    return std::nullopt;
  };
  follow({});
  ASSERT_TRUE(eventually([&] { return reflector->listed() >= began; }));
  reflector->listSince(began);
  const int seen = watches;
  ASSERT_TRUE(eventually([&] { return watches > seen + 1; }));
  reflector.reset();
  EXPECT_EQ(lists(), 1);
}

TEST_F(ReflectorTest, EventsThatCannotBeReadLeadToANewList) {
  for (const std::string line : {"{", "[]", "7", R"({"type":"ADDED"})", R"({"type":"ODD","object":{}})"}) {
    reflector.reset();
    listed = 0;
    follow({{line}});
    EXPECT_TRUE(eventually([&] { return lists() >= 2; })) << line;
  }
}

// The time is the test's: only what the server says ends a silence.
class SilenceTest : public ReflectorTest {
 protected:
  class Later final : public Clock {
   public:
    Time now() const override { return Time(monotonic()); }
    Seconds monotonic() const override { return Seconds(time.load()); }
    std::atomic<double> time{1000};
  };
  Later later;
};

TEST_F(SilenceTest, EndsWithEachWordOfTheServer) {
  std::atomic<bool> answers = true;
  server.before = [&](const http::HttpRequest&) -> std::optional<Result<http::HttpResponse>> {
    if (answers) return std::nullopt;
    return Result<http::HttpResponse>(failure(ErrorKind::Transient, "nobody answers"));
  };
  server.put(kJobPath, jobText());
  Reflector quiet(api, {client::kTrainingJobs, "team-a"}, {}, store.trainingJobs(), later,
                  [](const std::string&, bool) {});
  quiet.start();
  ASSERT_TRUE(eventually([&] { return known(); }));
  answers = false;
  later.time = 1200;
  EXPECT_GE(quiet.silence(), Seconds(200));
  answers = true;
  EXPECT_TRUE(eventually([&] { return quiet.silence() == Seconds(0); }));
}

TEST_F(SilenceTest, LeadsToANewList) {
  server.before = [&](const http::HttpRequest& request) -> std::optional<Result<http::HttpResponse>> {
    if (request.path.find("watch=true") == std::string::npos) return std::nullopt;
    later.time = later.time + 90;
    return Result<http::HttpResponse>(failure(ErrorKind::Transient, "nothing came for 90 s"));
  };
  reflector.emplace(api, client::Target{client::kTrainingJobs, "team-a"}, client::Selector{},
                    store.trainingJobs(), later, [](const std::string&, bool) {});
  reflector->start();
  EXPECT_TRUE(eventually([&] { return lists() >= 2; }));
  reflector.reset();
}

TEST_F(ReflectorTest, TellsOnceThatTheServerDoesNotKnowTheKind) {
  server.before = [](const http::HttpRequest&) {
    return Result<http::HttpResponse>(refusal(404, "NotFound", "no such kind"));
  };
  std::mutex mutex;
  std::vector<std::string> told;
  int interruptions = 0;
  reflector.emplace(api, client::Target{client::kTrainingJobs, "team-a"}, client::Selector{},
                    store.trainingJobs(), clock, [&](const std::string& sentence, bool isNews) {
                      const std::lock_guard lock(mutex);
                      ++interruptions;
                      if (isNews) told.push_back(sentence);
                    });
  reflector->start();
  EXPECT_TRUE(eventually([&] { return lists() >= 3; }));
  reflector.reset();
  ASSERT_THAT(told, testing::SizeIs(1));
  EXPECT_GE(interruptions, 2);
  EXPECT_THAT(told.front(), testing::HasSubstr("knows no /apis/slaq.io/v1alpha1/trainingjobs;"));
  EXPECT_THAT(told.front(), testing::HasSubstr("kubectl apply -f crds/"));
}

TEST_F(ReflectorTest, StopsInTheMiddleOfAPause) {
  server.before = [](const http::HttpRequest&) {
    return Result<http::HttpResponse>(refusal(404, "NotFound", "no such kind"));
  };
  follow({});
  EXPECT_TRUE(eventually([&] { return lists() >= 3; }));  // pauses are seconds long by now
  reflector.reset();                                      // returns, or the test hangs
  EXPECT_FALSE(store.synced());
}

}  // namespace
}  // namespace slaq::kube::watch
