#include "kube/watch/watch.h"

#include "kube/client/match.h"

namespace slaq::kube::watch {
namespace {

// A watch that lasted this long is stable, and earlier failures no longer count. It is less than the silence
// after which a watch is considered dead, so that the pauses of a quiet collection do not grow.
constexpr Seconds kStableWatch{80};
constexpr Seconds kTooShort{1};  // a stream that ends sooner, even in good order, is not asked for at once
constexpr int kGone = 410;

WatchState entering(WatchState state, WatchPhase phase, const Moment& moment) {
  state.phase = phase;
  state.since = moment.now;
  return state;
}

bool wasStable(const WatchState& state, const Moment& moment) {
  return state.phase == WatchPhase::Watching && moment.now - state.since >= kStableWatch;
}

WatchStep list(WatchState state, const Moment& moment) {
  return {entering(std::move(state), WatchPhase::Listing, moment), {BeginList{}, FetchPage{}}};
}

WatchStep watch(WatchState state, const Moment& moment) {
  const OpenWatch open{state.resourceVersion};
  return {entering(std::move(state), WatchPhase::Watching, moment), {open}};
}

WatchStep pause(WatchState state, std::string why, const Moment& moment) {
  if (wasStable(state, moment)) state.failures = 0;
  ++state.failures;
  const Seconds duration = client::Backoff{}.after(state.failures, moment.chance);
  return {entering(std::move(state), WatchPhase::Pausing, moment), {Log{std::move(why)}, Pause{duration}}};
}

// The known version is too old to continue from, so a list comes next. The store keeps its objects until
// then.
WatchStep relist(WatchState state, std::string why, const Moment& moment) {
  state.resourceVersion.clear();
  return pause(std::move(state), std::move(why), moment);
}

WatchStep onPage(WatchState state, const PageCame& page, const Moment& moment) {
  std::vector<WatchEffect> effects{TakeItems{}};
  if (!page.continueToken.empty()) {
    effects.emplace_back(FetchPage{page.continueToken});
    return {std::move(state), std::move(effects)};
  }
  effects.emplace_back(EndList{page.resourceVersion});
  // The watch starts at the list's version and not at an item's, so that no change is missed.
  state.resourceVersion = page.resourceVersion;
  auto [next, opening] = watch(std::move(state), moment);
  effects.insert(effects.end(), opening.begin(), opening.end());
  return {std::move(next), std::move(effects)};
}

// A watch that breaks starts again from this version.
WatchStep onVersion(WatchState state, const std::string& version, std::vector<WatchEffect> effects) {
  state.resourceVersion = version;
  return {std::move(state), std::move(effects)};
}

WatchStep onErrorEvent(WatchState state, const ErrorCame& error, const Moment& moment) {
  const std::string why =
      error.code == kGone ? "the watch's version is too old: " : "the watch reports an error: ";
  return relist(std::move(state), why + error.message, moment);
}

WatchStep onEnd(WatchState state, const Moment& moment) {
  if (moment.now - state.since < kTooShort) return pause(std::move(state), "the watch ended at once", moment);
  if (wasStable(state, moment)) state.failures = 0;
  return watch(std::move(state), moment);
}

WatchStep onFailure(WatchState state, const Error& error, const Moment& moment) {
  // A list that fails, for example because its continue token is too old, starts again from its first page.
  const bool again = state.phase == WatchPhase::Watching && error.kind == ErrorKind::Transient;
  return again ? pause(std::move(state), error.message, moment)
               : relist(std::move(state), error.message, moment);
}

}  // namespace

WatchStep step(WatchState state, const WatchEvent& event, const Moment& moment) {
  return std::visit(
      client::Match{
          [&](const Begun&) {
            return state.resourceVersion.empty() ? list(std::move(state), moment)
                                                 : watch(std::move(state), moment);
          },
          [&](const PageCame& page) { return onPage(std::move(state), page, moment); },
          [&](const Changed& change) {
            return onVersion(std::move(state), change.resourceVersion, {TakeChange{}});
          },
          [&](const Bookmarked& mark) { return onVersion(std::move(state), mark.resourceVersion, {}); },
          [&](const ErrorCame& error) { return onErrorEvent(std::move(state), error, moment); },
          [&](const StreamEnded&) { return onEnd(std::move(state), moment); },
          [&](const ListWanted&) { return list(std::move(state), moment); },
          [&](const Failed& failed) { return onFailure(std::move(state), failed.error, moment); }},
      event);
}

}  // namespace slaq::kube::watch
