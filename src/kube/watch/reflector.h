// Keeps a sink equal to one collection of the API, on a thread of its own. It does the I/O for the state
// machine of watch.h.
#pragma once

#include <rapidjson/document.h>

#include <atomic>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <random>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "kube/client/api.h"
#include "kube/client/log_throttle.h"
#include "kube/watch/watch.h"

namespace slaq::kube::watch {

// Receives the objects. Called on the reflector's thread.
class ObjectSink {
 public:
  virtual ~ObjectSink() = default;
  // Called before a list is asked for, and once more if that failed.
  virtual void beginList() = 0;
  // Since beginList, every object of the collection has come once, as it was at this version. All others were
  // gone by then.
  virtual void endList(const std::string& resourceVersion) = 0;
  virtual void upsert(const rapidjson::Value& object) = 0;
  virtual void remove(const rapidjson::Value& object) = 0;
};

// Gets a sentence with the reason, on the reflector's thread. It is no news if it was the last one reported,
// less than a minute ago.
using Interrupted = std::function<void(const std::string& sentence, bool isNews)>;

class Reflector {
 public:
  // `interrupted` is called whenever the watch is interrupted. Nothing is asked for before start().
  // REQUIRES: `api`, `sink` and `clock` outlive this.
  Reflector(client::Api& api, client::Target target, client::Selector selector, ObjectSink& sink,
            const Clock& clock, Interrupted interrupted);
  // Stops within milliseconds, or after the list under way.
  ~Reflector() = default;

  // Lists, and then watches. REQUIRES: called once.
  void start();
  // How long ago the API server last said anything about the collection, even that nothing changed. Until it
  // does so for the first time, the time since the start. Any thread may ask.
  Seconds silence() const { return clock_.monotonic() - Seconds(heard_.load()); }
  // Lists again, however current the watch may be, unless a list was asked for since `then`. Any thread may
  // ask.
  void listSince(Seconds then);
  // When the newest complete list was asked for, on the monotonic clock; long ago if there is none. All that
  // the API server knew by then is known. Any thread may ask.
  Seconds listed() const { return Seconds(listed_.load()); }
  // False until the first list. False also while lists fail because the server does not know the kind or does
  // not allow it.
  bool isListed() const { return isListed_.load(); }
  std::string_view plural() const { return target_.resource.plural; }

 private:
  using Effects = std::vector<WatchEffect>;

  void run(std::stop_token stop);
  // Carries out effects and returns those that follow from the outcome.
  Effects perform(const Effects& effects, std::stop_token stop);
  Effects fetch(const FetchPage& page);
  Effects follow(const OpenWatch& open, std::stop_token stop);
  void beginList();
  void endList(const std::string& resourceVersion);
  // Stops the stream that begins. Empty if a list is wanted instead.
  std::optional<std::stop_source> beginStream();
  bool isListWanted();
  // Empty unless the line ends the stream.
  Effects onLine(const std::string& line);
  Effects advance(const WatchEvent& event);
  void takeItems();
  void tell(const std::string& sentence);
  void hear() { heard_ = clock_.monotonic().count(); }
  double chance() { return std::uniform_real_distribution<double>(0, 1)(random_); }

  client::Api& api_;
  client::Target target_;
  client::Selector selector_;
  ObjectSink& sink_;
  const Clock& clock_;
  Interrupted interrupted_;
  client::LogThrottle throttle_;
  std::mt19937 random_{std::random_device{}()};
  WatchState state_;
  rapidjson::Document page_;
  std::atomic<double> heard_;  // when the server last said anything, in seconds on the monotonic clock
  std::atomic<double> listed_ = -std::numeric_limits<double>::infinity();
  std::atomic<bool> isListed_ = false;
  std::mutex mutex_;
  // Under the mutex:
  Seconds asked_{-std::numeric_limits<double>::infinity()};  // when the newest list was asked for
  bool listWanted_ = false;
  std::stop_source stream_;
  std::jthread thread_;  // the last member: it uses all others
};

}  // namespace slaq::kube::watch
