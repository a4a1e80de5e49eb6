#include "kube/events/event_recorder.h"

#include <gmock/gmock.h>

#include <condition_variable>
#include <mutex>
#include <vector>

#include "kube/support/cluster_fixture.h"

namespace slaq::kube::events {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Sentences that come on another thread.
class Lost {
 public:
  void add(const std::string& sentence) {
    const std::lock_guard lock(mutex_);
    sentences_.push_back(sentence);
    came_.notify_all();
  }
  std::vector<std::string> await(std::size_t count) {
    std::unique_lock lock(mutex_);
    came_.wait_for(lock, std::chrono::seconds(20), [&] { return sentences_.size() >= count; });
    return sentences_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable came_;
  std::vector<std::string> sentences_;
};

class EventRecorderTest : public ClusterTest {
 protected:
  void record(const std::string& job) {
    recorder.record({{"team-a", job}, "uid-" + job, {true, "NoMetrics", "No loss."}, clock.now()});
  }

  Lost lost;
  EventRecorder recorder{api, clock, [this](const std::string& sentence) { lost.add(sentence); }};
};

TEST_F(EventRecorderTest, TheSameReasonIsToldOnceForAMinute) {
  server.before = [](const http::HttpRequest& request) -> std::optional<Result<http::HttpResponse>> {
    const bool isOther = request.body.find("uid-c") != std::string::npos;
    return isOther ? refusal(422, "Invalid", "no") : refusal(403, "Forbidden", "events is forbidden");
  };
  for (const char* job : {"a", "a", "b", "c"}) record(job);
  EXPECT_THAT(lost.await(2), ElementsAre(HasSubstr("team-a/a was not sent an event"), HasSubstr("team-a/c")));
}

TEST_F(EventRecorderTest, ARepetitionThatIsRefusedIsTold) {
  server.before = [](const http::HttpRequest& request) -> std::optional<Result<http::HttpResponse>> {
    if (request.method != "PATCH") return std::nullopt;
    return refusal(403, "Forbidden", "events is forbidden");
  };
  record("a");
  record("a");
  EXPECT_THAT(lost.await(1), ElementsAre(HasSubstr("team-a/a was not sent an event")));
}

}  // namespace
}  // namespace slaq::kube::events
