// Leader election by a coordination.k8s.io Lease, as a pure state machine. A lease does not stop a former
// leader from writing. So the leader asks `leading` right before each write, and every write carries a
// precondition. All times come from this process's monotonic clock; the times that others wrote into the
// Lease are never compared with it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "base/result.h"
#include "base/units.h"

namespace slaq::kube::leader {

struct LeaseTimes {
  Seconds duration{15};       // silence after which others may take the lease
  Seconds renewDeadline{10};  // silence after which its holder stops writing
  Seconds retry{2};

  // Kubernetes' own proportions.
  static LeaseTimes of(Seconds duration) { return {duration, duration * 2 / 3, duration * 2 / 15}; }
};

// The Lease object.
struct LeaseRecord {
  std::string holder;  // empty: released
  Seconds duration{15};
  int transitions = 0;
  std::string uid;
  std::string resourceVersion;

  bool operator==(const LeaseRecord&) const = default;
};

struct LeaseState {
  std::string self;
  LeaseTimes times;
  std::optional<LeaseRecord> seen;  // as it was last read or written
  Seconds seenAt{0};                // when this version of it was first seen
  bool held = false;
  bool taking = false;   // a write that takes the lease was sent and may have arrived, whatever came back
  Seconds renewedAt{0};  // when the request that renewed it last was begun
  int term = 0;          // grows when the lease is taken and others may have led meanwhile
};

struct LeaseTick {};  // the retry period is over
struct LeaseRead {
  std::optional<LeaseRecord> record;  // nothing: there is no Lease
};
struct LeaseWritten {
  LeaseRecord record;
  Seconds begun;  // when the request was sent; the lease may count from then on
};
struct LeaseFailed {  // the request under way failed
  ErrorKind kind;
};
using LeaseEvent = std::variant<LeaseTick, LeaseRead, LeaseWritten, LeaseFailed>;

struct ReadLease {};
struct CreateLease {
  LeaseRecord record;
};
struct UpdateLease {  // fails if the Lease has changed: the record's uid and version are preconditions
  LeaseRecord record;
  bool acquired = false;  // this process was not the holder before
};
struct AwaitTick {
  Seconds pause;
};
using LeaseEffect = std::variant<ReadLease, CreateLease, UpdateLease, AwaitTick>;

std::pair<LeaseState, LeaseEffect> step(LeaseState state, const LeaseEvent& event, Seconds now);

// The time until which the holder may write, monotonic. In the past if this process does not hold the lease.
Seconds leadsUntil(const LeaseState& state);

}  // namespace slaq::kube::leader
