// The lines of a watch, and what its state machine makes of them.
#include <algorithm>
#include <string>

#include "fuzz/checks.h"
#include "http/lines.h"
#include "kube/client/match.h"
#include "kube/json/json_fields.h"
#include "kube/objects/training_job.h"
#include "kube/watch/collection.h"
#include "kube/watch/watch_line.h"

namespace slaq::fuzz {
namespace {

using namespace kube::watch;

bool takesTime(const WatchEffect& effect) {
  return std::holds_alternative<FetchPage>(effect) || std::holds_alternative<OpenWatch>(effect) ||
         std::holds_alternative<Pause>(effect);
}

void checkEffect(const WatchEffect& effect) {
  if (const auto* log = std::get_if<Log>(&effect)) checkSentence(log->message);
  if (const auto* pause = std::get_if<Pause>(&effect))
    check(pause->duration > Seconds(0) && pause->duration < Seconds(600), "a pause is in bounds");
  if (const auto* open = std::get_if<OpenWatch>(&effect))
    check(!open->resourceVersion.empty(), "a watch begins at a version");
}

// Follows one stream until an event ends it.
class Stream {
 public:
  bool take(const std::string& line) {
    const auto document = kube::json::parseJson(line);
    const auto event = eventOf(document);
    auto [next, effects] = step(state_, event, {Seconds(++now_), 0.5});
    state_ = std::move(next);
    for (std::size_t i = 0; i < effects.size(); ++i) {
      checkEffect(effects[i]);
      check(!takesTime(effects[i]) || i + 1 == effects.size(), "only the last effect takes time");
    }
    if (std::holds_alternative<Changed>(event)) keep(document);
    return effects.empty() || !takesTime(effects.back());
  }

 private:
  void keep(const rapidjson::Document& line) {
    const auto* object = kube::json::at(line, {"object"});
    check(object != nullptr, "a change has an object");
    auto job = kube::objects::readStoredJob(*object);
    const auto key = job.key;
    if (kube::json::stringAt(line, {"type"}) == "DELETED") {
      jobs_.remove(key, job.uid, job.resourceVersion);
      check(!jobs_.find(key) || jobs_.find(key)->uid != job.uid, "what is deleted is gone");
    } else {
      jobs_.update(std::move(job));
    }
  }

  WatchState state_{.phase = WatchPhase::Watching, .resourceVersion = "1"};
  Collection<kube::objects::StoredJob> jobs_;
  double now_ = 0;
};

}  // namespace
}  // namespace slaq::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace slaq;
  fuzz::Stream stream;
  http::LineCutter lines(4096);
  static_cast<void>(
      lines.feed(fuzz::textOf(data, size), [&](const std::string& line) { return stream.take(line); }));
  return 0;
}
