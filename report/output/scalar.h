// A value that a training logs under a name.
#pragma once

#include <functional>
#include <string_view>

namespace slaq::report {

// Name, step and value. The name is valid during the call.
using TellScalar = std::function<void(std::string_view, double, double)>;

}  // namespace slaq::report
