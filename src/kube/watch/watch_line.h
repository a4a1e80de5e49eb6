// A line of a watch's stream as an event of its state machine.
#pragma once

#include <rapidjson/document.h>

#include "kube/watch/watch.h"

namespace slaq::kube::watch {

// `line` need not be JSON: a line that can't be read is an ErrorCame. Changed means that there is an object
// with a version under "object".
WatchEvent eventOf(const rapidjson::Document& line);

}  // namespace slaq::kube::watch
