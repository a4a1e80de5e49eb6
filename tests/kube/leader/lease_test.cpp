#include "kube/leader/lease.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <tuple>

#include "kube/client/match.h"

namespace slaq::kube::leader {
namespace {

// A Lease on a server, and candidates that try for it, in virtual time.
class World {
 public:
  struct Candidate {
    LeaseState state;
    Seconds next{0};
    bool cutOff = false;
    bool leading = false;
  };

  Candidate& join(const std::string& name) {
    Candidate& out = candidates[name];
    out.state.self = name;
    out.next = now;
    return out;
  }

  // Runs everybody until `end`, a tenth of a second at a time.
  void runTo(double end) {
    for (; now.count() < end - 1e-9; now += Seconds(0.1)) {
      for (auto& [name, candidate] : candidates) {
        if (now >= candidate.next) tryOnce(candidate);
      }
      noteLeaders();
    }
  }

  bool leads(const std::string& name) const { return now < leadsUntil(candidates.at(name).state); }

  std::optional<LeaseRecord> lease;
  std::map<std::string, Candidate> candidates;
  Seconds now{0};
  std::size_t mostLeaders = 0;

 private:
  void tryOnce(Candidate& candidate) {
    LeaseEvent event = LeaseTick{};
    for (int requests = 0; requests < 10; ++requests) {
      auto [state, effect] = step(candidate.state, event, now);
      candidate.state = state;
      if (const auto* await = std::get_if<AwaitTick>(&effect)) {
        candidate.next = now + await->pause;
        return;
      }
      event = candidate.cutOff ? LeaseEvent{LeaseFailed{ErrorKind::Transient}} : serve(effect);
    }
    FAIL() << "a candidate asks without a pause";
  }

  LeaseEvent serve(const LeaseEffect& effect) {
    return std::visit(client::Match{[&](const ReadLease&) -> LeaseEvent { return LeaseRead{lease}; },
                                    [&](const CreateLease& create) -> LeaseEvent {
                                      if (lease) return LeaseFailed{ErrorKind::Conflict};
                                      return store(create.record);
                                    },
                                    [&](const UpdateLease& update) -> LeaseEvent {
                                      if (!lease) return LeaseFailed{ErrorKind::NotFound};
                                      if (update.record.resourceVersion != lease->resourceVersion) {
                                        return LeaseFailed{ErrorKind::Conflict};
                                      }
                                      return store(update.record);
                                    },
                                    [&](const AwaitTick&) -> LeaseEvent { return LeaseTick{}; }},
                      effect);
  }

  LeaseEvent store(LeaseRecord record) {
    record.resourceVersion = std::to_string(++version_);
    lease = record;
    return LeaseWritten{record, now};
  }

  void noteLeaders() {
    std::size_t leaders = 0;
    for (const auto& [name, candidate] : candidates) leaders += leads(name) ? 1 : 0;
    mostLeaders = std::max(mostLeaders, leaders);
  }

  int version_ = 0;
};

TEST(Lease, IsTakenByTheFirstAndKept) {
  World world;
  world.join("a");
  world.runTo(1);
  world.join("b");
  world.runTo(60);
  EXPECT_TRUE(world.leads("a"));
  EXPECT_FALSE(world.leads("b"));
  EXPECT_EQ(world.lease->transitions, 0);
  EXPECT_EQ(world.mostLeaders, 1u);
}

TEST(Lease, PassesOnWhenItsHolderIsCutOffWhichStopsInTime) {
  World world;
  world.join("a");
  world.runTo(1);
  world.join("b");
  world.runTo(10);
  world.candidates["a"].cutOff = true;
  world.runTo(21);
  EXPECT_FALSE(world.leads("a"));  // since its renew deadline, before anybody else may begin
  world.runTo(40);
  EXPECT_TRUE(world.leads("b"));
  EXPECT_EQ(world.lease->transitions, 1);
  world.candidates["a"].cutOff = false;
  world.runTo(80);
  EXPECT_TRUE(world.leads("b"));
  EXPECT_EQ(world.mostLeaders, 1u);
}

// The write that takes the lease arrives, and its answer is lost: others may have led before.
TEST(Lease, BeginsATermAlsoWhereTheAnswerToTheFirstWriteIsLost) {
  for (const bool isNew : {true, false}) {
    LeaseState state{.self = "a", .times = {}};
    LeaseRecord record{.holder = "b", .resourceVersion = "1"};
    std::tie(state, std::ignore) = step(state, LeaseTick{}, Seconds(0));
    auto [asked, effect] = step(state, LeaseRead{isNew ? std::optional<LeaseRecord>() : record}, Seconds(0));
    if (!isNew) {
      std::tie(asked, std::ignore) = step(asked, LeaseTick{}, Seconds(20));
      std::tie(asked, effect) = step(asked, LeaseRead{record}, Seconds(20));
    }
    EXPECT_EQ(std::holds_alternative<CreateLease>(effect), isNew);
    std::tie(state, std::ignore) = step(asked, LeaseFailed{ErrorKind::Transient}, Seconds(21));
    std::tie(state, std::ignore) = step(state, LeaseTick{}, Seconds(23));
    record = {.holder = "a", .resourceVersion = "2"};
    std::tie(state, effect) = step(state, LeaseRead{record}, Seconds(23));
    ASSERT_TRUE(std::holds_alternative<UpdateLease>(effect));
    EXPECT_TRUE(std::get<UpdateLease>(effect).acquired);
    record.resourceVersion = "3";
    std::tie(state, std::ignore) = step(state, LeaseWritten{record, Seconds(23)}, Seconds(23));
    EXPECT_EQ(state.term, 1);
    std::tie(state, std::ignore) = step(state, LeaseWritten{record, Seconds(25)}, Seconds(25));
    EXPECT_EQ(state.term, 1) << "a renewal";
  }
}

TEST(Lease, SurvivesACutShorterThanTheRenewDeadline) {
  World world;
  world.join("a");
  world.runTo(1);
  world.join("b");
  world.runTo(10);
  world.candidates["a"].cutOff = true;
  world.runTo(17);
  EXPECT_TRUE(world.leads("a"));
  world.candidates["a"].cutOff = false;
  world.runTo(60);
  EXPECT_TRUE(world.leads("a"));
  EXPECT_EQ(world.mostLeaders, 1u);
}

TEST(Lease, IsMadeAgainByItsHolderWhenSomebodyDeletesIt) {
  World world;
  world.join("a");
  world.runTo(1);
  world.join("b");
  world.runTo(10);
  world.lease.reset();
  world.runTo(13);
  ASSERT_TRUE(world.lease);
  EXPECT_EQ(world.lease->holder, "a");
  EXPECT_TRUE(world.leads("a"));
  EXPECT_EQ(world.mostLeaders, 1u);
}

TEST(Lease, ATermGoesOnOverALapseInWhichNobodyElseLed) {
  World world;
  world.join("a");
  world.runTo(10);
  const int term = world.candidates["a"].state.term;
  world.candidates["a"].cutOff = true;
  world.runTo(40);
  EXPECT_FALSE(world.leads("a"));
  world.candidates["a"].cutOff = false;
  world.runTo(50);
  EXPECT_TRUE(world.leads("a"));
  EXPECT_EQ(world.candidates["a"].state.term, term);
}

TEST(Lease, ATermEndsWhenAnotherLed) {
  World world;
  world.join("a");
  world.runTo(1);
  const int term = world.candidates["a"].state.term;
  world.join("b");
  world.candidates["a"].cutOff = true;
  world.runTo(40);
  ASSERT_TRUE(world.leads("b"));
  world.candidates["a"].cutOff = false;
  world.candidates["b"].cutOff = true;
  world.runTo(80);
  ASSERT_TRUE(world.leads("a"));
  EXPECT_GT(world.candidates["a"].state.term, term);
}

TEST(Lease, IsLeftToWhoeverStoleIt) {
  World world;
  world.join("a");
  world.runTo(10);
  world.lease->holder = "thief";
  world.lease->resourceVersion = "stolen";
  world.runTo(13);
  EXPECT_FALSE(world.leads("a"));
  EXPECT_EQ(world.lease->holder, "thief");
  world.runTo(40);  // the thief is silent for 15 s
  EXPECT_TRUE(world.leads("a"));
}

TEST(Lease, IsTakenAtOnceWhenReleased) {
  World world;
  world.join("a");
  world.runTo(1);
  world.join("b");
  world.runTo(10);
  world.candidates.erase("a");
  world.lease->holder.clear();
  world.lease->resourceVersion = "released";
  world.runTo(13);
  EXPECT_TRUE(world.leads("b"));
}

TEST(Lease, OfADeadHolderIsWaitedForInFullByANewcomer) {
  World world;
  world.lease = LeaseRecord{"dead", Seconds(15), 4, "u", "7"};
  world.join("a");
  world.runTo(14.9);
  EXPECT_FALSE(world.leads("a"));
  world.runTo(18);
  EXPECT_TRUE(world.leads("a"));
  EXPECT_EQ(world.lease->transitions, 5);
}

TEST(Lease, IsKeptThroughAConflictThatIsNobodys) {
  World world;
  world.join("a");
  world.runTo(10);
  world.lease->resourceVersion = "annotated";
  world.runTo(30);
  EXPECT_TRUE(world.leads("a"));
}

TEST(Lease, ThatWasStoppedForLongIsNotLedWith) {
  World world;
  world.join("a");
  world.runTo(10);
  world.now += Seconds(20);  // SIGSTOP, SIGCONT
  EXPECT_FALSE(world.leads("a"));
}

}  // namespace
}  // namespace slaq::kube::leader
