#include "kube/watch/watch_line.h"

#include "kube/json/json_fields.h"

namespace slaq::kube::watch {

using json::intAt;
using json::stringAt;

WatchEvent eventOf(const rapidjson::Document& line) {
  const std::string type = line.HasParseError() ? std::string() : stringAt(line, {"type"});
  const std::string version =
      line.HasParseError() ? std::string() : stringAt(line, {"object", "metadata", "resourceVersion"});
  const bool changed = type == "ADDED" || type == "MODIFIED" || type == "DELETED";
  if (changed && !version.empty()) return Changed{version};
  if (type == "BOOKMARK" && !version.empty()) return Bookmarked{version};
  if (type == "ERROR")
    return ErrorCame{intAt(line, {"object", "code"}), printable(stringAt(line, {"object", "message"}))};
  return ErrorCame{0, "an event that cannot be read"};
}

}  // namespace slaq::kube::watch
