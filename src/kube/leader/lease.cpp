#include "kube/leader/lease.h"

#include "kube/client/match.h"

namespace slaq::kube::leader {
namespace {

using Step = std::pair<LeaseState, LeaseEffect>;

Step await(LeaseState state) {
  const Seconds pause = state.times.retry;
  return {std::move(state), AwaitTick{pause}};
}

bool othersAlive(const LeaseState& state, Seconds now) {
  if (!state.seen || state.seen->holder.empty() || state.seen->holder == state.self) return false;
  return now - state.seenAt < state.seen->duration;
}

LeaseRecord ownRecord(const LeaseState& state) {
  LeaseRecord out = state.seen.value_or(LeaseRecord{});
  if (out.holder != state.self && state.seen) ++out.transitions;
  out.holder = state.self;
  out.duration = state.times.duration;
  return out;
}

Step write(LeaseState state) {
  state.taking = state.taking || state.seen->holder != state.self;
  const UpdateLease update{ownRecord(state), state.taking};
  return {std::move(state), update};
}

Step onTick(LeaseState state, Seconds now) {
  if (now >= leadsUntil(state)) state.held = false;
  // The leader knows the lease's version and renews it without reading it first.
  if (state.held) return write(std::move(state));
  return {std::move(state), ReadLease{}};
}

Step onNoLease(LeaseState state, Seconds now) {
  state.held = false;
  // The Lease was deleted. A holder that is alive creates it again, so wait until its time is over.
  if (othersAlive(state, now)) return await(std::move(state));
  state.seen.reset();
  state.taking = true;
  const CreateLease create{ownRecord(state)};
  return {std::move(state), create};
}

Step onRead(LeaseState state, const LeaseRead& read, Seconds now) {
  if (!read.record) return onNoLease(std::move(state), now);
  if (state.seen != read.record) {
    state.seen = read.record;
    state.seenAt = now;
  }
  if (state.seen->holder != state.self) state.held = state.taking = false;
  if (othersAlive(state, now)) return await(std::move(state));
  return write(std::move(state));
}

Step onWritten(LeaseState state, const LeaseWritten& written) {
  if (std::exchange(state.taking, false)) ++state.term;
  state.seen = written.record;
  state.seenAt = written.begun;
  state.held = true;
  state.renewedAt = written.begun;
  return await(std::move(state));
}

Step onFailure(LeaseState state, ErrorKind kind) {
  // The Lease was deleted: it has no holder until it is created again.
  if (kind == ErrorKind::NotFound) state.held = false;
  // Another client wrote the Lease: read at once who holds it.
  if (kind == ErrorKind::Conflict || kind == ErrorKind::NotFound) return {std::move(state), ReadLease{}};
  return await(std::move(state));
}

}  // namespace

Seconds leadsUntil(const LeaseState& state) {
  return state.held ? state.renewedAt + state.times.renewDeadline : Seconds(-1e18);
}

Step step(LeaseState state, const LeaseEvent& event, Seconds now) {
  return std::visit(
      client::Match{[&](const LeaseTick&) { return onTick(std::move(state), now); },
                    [&](const LeaseRead& read) { return onRead(std::move(state), read, now); },
                    [&](const LeaseWritten& written) { return onWritten(std::move(state), written); },
                    [&](const LeaseFailed& failed) { return onFailure(std::move(state), failed.kind); }},
      event);
}

}  // namespace slaq::kube::leader
