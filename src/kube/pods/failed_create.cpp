#include "kube/pods/failed_create.h"

#include <algorithm>

#include "kube/json/json_fields.h"
#include "kube/json/metadata.h"

namespace slaq::kube::pods {
namespace {

// The time of the last occurrence, from either of the two APIs of events.
Time lastOf(const rapidjson::Value& event) {
  Time last;
  for (const auto& time : {json::timeAt(event, {"lastTimestamp"}), json::timeAt(event, {"eventTime"}),
                           json::timeAt(event, {"series", "lastObservedTime"})})
    last = std::max(last, time.value_or(Time()));
  return last;
}

// The Job controller's prefix to the API server's words.
constexpr std::string_view kPrefix = "Error creating: ";

}  // namespace

FailedCreate readFailedCreate(const rapidjson::Value& event) {
  const std::string said = json::stringAt(event, {"message"});
  const std::string_view words = said;
  return {.key = json::keyOf(event),
          .uid = json::uidOf(event),
          .resourceVersion = json::resourceVersionOf(event),
          .job = json::stringAt(event, {"involvedObject", "uid"}),
          .message = printable(words.starts_with(kPrefix) ? words.substr(kPrefix.size()) : words),
          .last = lastOf(event)};
}

}  // namespace slaq::kube::pods
