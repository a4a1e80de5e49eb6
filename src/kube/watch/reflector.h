// Keeps a sink true to one collection of the API, on a thread of its own: the I/O around the state machine
// of watch.h.
#pragma once

#include <rapidjson/document.h>

#include <functional>
#include <random>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "kube/client/api.h"
#include "kube/watch/watch.h"

namespace slaq::kube::watch {

// Where objects go. Called on the reflector's thread.
class ObjectSink {
 public:
  virtual ~ObjectSink() = default;
  // Between the two every object of the collection comes once; what did not come is gone.
  virtual void beginList() = 0;
  virtual void endList() = 0;
  virtual void upsert(const rapidjson::Value& object) = 0;
  virtual void remove(const rapidjson::Value& object) = 0;
};

class Reflector {
 public:
  // `say` gets a sentence whenever following the collection is interrupted.
  // REQUIRES: `api`, `sink` and `clock` outlive this.
  Reflector(client::Api& api, client::Target target, client::Selector selector, ObjectSink& sink,
            const Clock& clock, std::function<void(const std::string&)> say);
  // Stops within milliseconds, or when the list under way has come.
  ~Reflector() = default;

 private:
  using Effects = std::vector<WatchEffect>;

  void run(std::stop_token stop);
  // Carries out effects and returns those that follow from how it went.
  Effects perform(const Effects& effects, std::stop_token stop);
  Effects fetch(const FetchPage& page);
  Effects follow(const OpenWatch& open, std::stop_token stop);
  // Empty unless the line ends the stream.
  Effects onLine(const std::string& line);
  Effects advance(const WatchEvent& event);
  void takeItems();
  double chance() { return std::uniform_real_distribution<double>(0, 1)(random_); }

  client::Api& api_;
  client::Target target_;
  client::Selector selector_;
  ObjectSink& sink_;
  const Clock& clock_;
  std::function<void(const std::string&)> say_;
  std::mt19937 random_{std::random_device{}()};
  WatchState state_;
  rapidjson::Document page_;
  std::jthread thread_;  // the last member: it uses all others
};

}  // namespace slaq::kube::watch
