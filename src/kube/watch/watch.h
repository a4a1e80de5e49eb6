// Follows one collection of the API: lists it page by page, watches it from the list's version on, and
// recovers from every failure. A pure state machine: the reflector gives it events and carries out its
// effects.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "kube/client/backoff.h"

namespace slaq::kube::watch {

enum class WatchPhase {
  Listing,   // a page is being fetched
  Watching,  // the stream is open, or being opened
  Pausing,   // before a new list or a new watch
};

struct WatchState {
  WatchPhase phase = WatchPhase::Pausing;
  std::string resourceVersion;  // where the watch (re)starts; empty: a list comes first
  int failures = 0;             // since the last stable watch
  Seconds since{0};             // when the phase began, monotonic

  bool operator==(const WatchState&) const = default;
};

// The time at which an event arrives, and a number in 0..1 for jitter.
struct Moment {
  Seconds now{0};
  double chance = 0.5;
};

struct Begun {};   // the start, or the end of a pause
struct PageCame {  // a page of the list
  std::string resourceVersion;
  std::string continueToken;
};
struct Changed {  // an object was added, modified or deleted
  std::string resourceVersion;
};
struct Bookmarked {
  std::string resourceVersion;
};
struct ErrorCame {  // an ERROR event in the stream
  int code = 0;
  std::string message;
};
struct StreamEnded {};  // in good order
struct ListWanted {};   // whatever the watch has brought
struct Failed {         // a list, or the watch as a whole
  Error error;
};

using WatchEvent =
    std::variant<Begun, PageCame, Changed, Bookmarked, ErrorCame, StreamEnded, ListWanted, Failed>;

struct FetchPage {
  std::string continueToken;
  bool operator==(const FetchPage&) const = default;
};
struct OpenWatch {
  std::string resourceVersion;
  bool operator==(const OpenWatch&) const = default;
};
struct Pause {
  Seconds duration;
  bool operator==(const Pause&) const = default;
};
// Effects for the sink that stores the objects. A list begins when its first page is asked for.
struct BeginList {
  bool operator==(const BeginList&) const = default;
};
struct TakeItems {
  bool operator==(const TakeItems&) const = default;
};
struct EndList {
  std::string resourceVersion;
  bool operator==(const EndList&) const = default;
};
struct TakeChange {
  bool operator==(const TakeChange&) const = default;
};
// For the log.
struct Log {
  std::string message;
  bool operator==(const Log&) const = default;
};

using WatchEffect = std::variant<FetchPage, OpenWatch, Pause, BeginList, TakeItems, EndList, TakeChange, Log>;
using WatchStep = std::pair<WatchState, std::vector<WatchEffect>>;

// At most one of the effects takes time, and it is the last: FetchPage, OpenWatch or Pause. In the middle of
// a stream, each of these ends the stream.
WatchStep step(WatchState state, const WatchEvent& event, const Moment& moment);

}  // namespace slaq::kube::watch
