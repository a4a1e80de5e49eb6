// What the head of an HTTP answer says: its status and the headers that callers ask for.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "http/message.h"

namespace slaq::http {

// Without its body. `header` gives the value of a header, if it was sent. One that is malformed counts as
// missing.
HttpResponse headOf(int status, const std::function<std::optional<std::string>(const char* name)>& header);

}  // namespace slaq::http
