#include "kube/leader/election.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <future>
#include <mutex>
#include <utility>

#include "kube/support/fake_server.h"
#include "kube/support/manual_clock.h"

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

// A server with a Lease without a holder. Each renewal takes 12 s of that clock.
class SlowServer : public http::HttpClient {
 public:
  explicit SlowServer(ManualClock& clock) : clock_(clock) {}

  Result<http::HttpResponse> send(const http::HttpRequest& request) override {
    const bool renews = request.method == "PATCH";
    if (renews) clock_.advance(Seconds(12));
    http::HttpResponse response;
    response.status = 200;
    response.body =
        std::string(R"({"metadata":{"uid":"u","resourceVersion":"1"},"spec":{"holderIdentity":")") +
        (renews ? "me" : "") + R"(","leaseDurationSeconds":15}})";
    return response;
  }
  Result<http::HttpResponse> stream(const http::HttpRequest&, const std::function<bool(const std::string&)>&,
                                    std::stop_token) override {
    return failure(ErrorKind::Transient, "nothing to watch");
  }

 private:
  ManualClock& clock_;
};

// The server may have counted the lease from any time after the request.
TEST(Election, LeadsForALimitedTimeFromTheRequestOfARenewal) {
  ManualClock clock;
  SlowServer server(clock);
  client::Api api{server, {.tries = 1}};
  std::promise<const Election*> made;
  std::promise<bool> leads;  // asked on the election's thread, when it has the lease
  const Election election(
      api, {client::kLeases, "slaq-system", "slaq"}, "me", clock, {.retry = Seconds(60)},
      [&, itself = made.get_future().share(), isAsked = false](bool, const std::string&) mutable {
        if (!std::exchange(isAsked, true)) leads.set_value(itself.get()->leading());
      });
  made.set_value(&election);
  EXPECT_FALSE(leads.get_future().get());  // it may write for 10 s
}

}  // namespace
}  // namespace slaq::kube::leader
