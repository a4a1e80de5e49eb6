#include "kube/watch/watch.h"

#include "kube/client/match.h"

namespace slaq::kube::watch {
namespace {

// A watch that lasted so long has proved itself: its failures are forgotten. Less than the silence that ends
// a watch, so that a quiet collection is not waited for longer and longer.
constexpr Seconds kPeace{80};
constexpr Seconds kTooShort{1};  // a stream that ends sooner, even in good order, is not asked for at once
constexpr int kGone = 410;

WatchState entering(WatchState state, WatchPhase phase, const Moment& moment) {
  state.phase = phase;
  state.since = moment.now;
  return state;
}

bool watchedInPeace(const WatchState& state, const Moment& moment) {
  return state.phase == WatchPhase::Watching && moment.now - state.since >= kPeace;
}

WatchStep list(WatchState state, const Moment& moment) {
  state.firstPage = true;
  return {entering(std::move(state), WatchPhase::Listing, moment), {FetchPage{}}};
}

WatchStep watch(WatchState state, const Moment& moment) {
  const OpenWatch open{state.resourceVersion};
  return {entering(std::move(state), WatchPhase::Watching, moment), {open}};
}

WatchStep pause(WatchState state, std::string why, const Moment& moment) {
  if (watchedInPeace(state, moment)) state.failures = 0;
  ++state.failures;
  const Seconds duration = client::Backoff{}.after(state.failures, moment.chance);
  return {entering(std::move(state), WatchPhase::Pausing, moment), {Say{std::move(why)}, Pause{duration}}};
}

// What was known is too old to go on from: the next thing is a list. The store keeps what it has till then.
WatchStep relist(WatchState state, std::string why, const Moment& moment) {
  state.resourceVersion.clear();
  return pause(std::move(state), std::move(why), moment);
}

WatchStep onPage(WatchState state, const PageCame& page, const Moment& moment) {
  std::vector<WatchEffect> effects;
  if (state.firstPage) effects.emplace_back(BeginList{});
  state.firstPage = false;
  effects.emplace_back(TakeItems{});
  if (!page.continueToken.empty()) {
    effects.emplace_back(FetchPage{page.continueToken});
    return {std::move(state), std::move(effects)};
  }
  effects.emplace_back(EndList{});
  // From the list's version on, not an item's: nothing between the two is missed.
  state.resourceVersion = page.resourceVersion;
  auto [next, opening] = watch(std::move(state), moment);
  effects.insert(effects.end(), opening.begin(), opening.end());
  return {std::move(next), std::move(effects)};
}

WatchStep onErrorEvent(WatchState state, const ErrorCame& error, const Moment& moment) {
  const std::string why =
      error.code == kGone ? "the watch's version is too old: " : "the watch reports an error: ";
  return relist(std::move(state), why + error.message, moment);
}

WatchStep onEnd(WatchState state, const Moment& moment) {
  if (moment.now - state.since < kTooShort) return pause(std::move(state), "the watch ended at once", moment);
  if (watchedInPeace(state, moment)) state.failures = 0;
  return watch(std::move(state), moment);
}

WatchStep onFailure(WatchState state, const Error& error, const Moment& moment) {
  // A list's continue token that is too old starts the list anew; so does whatever else ends a list.
  const bool again = state.phase == WatchPhase::Watching && error.kind == ErrorKind::Transient;
  return again ? pause(std::move(state), error.message, moment)
               : relist(std::move(state), error.message, moment);
}

}  // namespace

WatchStep step(WatchState state, const WatchEvent& event, const Moment& moment) {
  return std::visit(
      client::Match{[&](const Begun&) {
                      return state.resourceVersion.empty() ? list(std::move(state), moment)
                                                           : watch(std::move(state), moment);
                    },
                    [&](const PageCame& page) { return onPage(std::move(state), page, moment); },
                    [&](const Changed& change) {
                      state.resourceVersion = change.resourceVersion;
                      return WatchStep{std::move(state), {TakeChange{}}};
                    },
                    [&](const Bookmarked& mark) {
                      state.resourceVersion = mark.resourceVersion;
                      return WatchStep{std::move(state), {}};
                    },
                    [&](const ErrorCame& error) { return onErrorEvent(std::move(state), error, moment); },
                    [&](const StreamEnded&) { return onEnd(std::move(state), moment); },
                    [&](const Failed& failed) { return onFailure(std::move(state), failed.error, moment); }},
      event);
}

}  // namespace slaq::kube::watch
