// The one loop around epochs, with a host that says what time it is.
#include "loop/epoch_runner.h"

#include <gtest/gtest.h>

#include "scheduler/policies/registry.h"

namespace slaq::loop {
namespace {

// Each epoch takes longer than the time between two, as where there are very many jobs.
class Overloaded final : public EpochHost {
 public:
  Seconds now() const override { return now_; }
  bool isOver() const override { return epochs_ == 5; }
  Result<void> runEpoch() override {
    EXPECT_TRUE(looked_) << epochs_;
    looked_ = false;
    now_ += Seconds(10);
    ++epochs_;
    return {};
  }
  std::optional<Seconds> pendingEvent() override { return std::nullopt; }
  bool waitUntil(Seconds then) override {
    now_ = std::max(now_, then);
    return false;
  }
  void lookForEvents() override { looked_ = true; }

 private:
  Seconds now_{0};
  int epochs_ = 0;
  bool looked_ = false;
};

TEST(EpochRunner, LooksForEventsBeforeEachEpochHoweverLongTheLastOneTook) {
  scheduler::Settings settings;
  settings.policy = scheduler::findPolicy("LookAhead");
  settings.epoch = Seconds(3);
  Overloaded host;
  EXPECT_TRUE(EpochRunner(settings, host).run());
  EXPECT_TRUE(host.isOver());
}

}  // namespace
}  // namespace slaq::loop
