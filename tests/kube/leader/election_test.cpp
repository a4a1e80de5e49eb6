#include "kube/leader/election.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>

#include "kube/support/fake_server.h"

namespace slaq::kube::leader {
namespace {

using ::testing::HasSubstr;

// How often each request was refused, until it is enough.
class Refusals {
 public:
  std::optional<Result<http::HttpResponse>> refuse() {
    const std::lock_guard lock(mutex_);
    ++count_;
    changed_.notify_all();
    return refusal(403, "Forbidden", "leases is forbidden");
  }
  void await(int count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return count_ >= count; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int count_ = 0;
};

TEST(Election, SaysOnceWhyNobodyCanLead) {
  FakeServer server;
  Refusals refusals;
  server.before = [&](const http::HttpRequest&) { return refusals.refuse(); };
  client::Api api{server, {.tries = 1}};
  const SystemClock clock;
  std::vector<std::string> told;
  {
    const Election election(api, {client::kLeases, "slaq-system", "slaq"}, "me", clock,
                            {.retry = Seconds(0.001)}, {},
                            [&](const std::string& sentence) { told.push_back(sentence); });
    refusals.await(5);
    EXPECT_FALSE(election.leading());
  }
  ASSERT_EQ(told.size(), 1u);
  EXPECT_THAT(told[0], HasSubstr("slaq-system/slaq cannot be read: "));
  EXPECT_THAT(told[0], HasSubstr("leases is forbidden"));
}

}  // namespace
}  // namespace slaq::kube::leader
