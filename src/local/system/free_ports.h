// Finds TCP ports of this machine that are free.
#pragma once

#include <vector>

#include "base/result.h"

namespace slaq::local::system {

// Finds `count` different TCP ports that are free on every address. They lie outside of the range for
// outgoing connections, so that they stay free until their program binds them.
Result<std::vector<int>> findFreePorts(int count);

}  // namespace slaq::local::system
