// Ports of this machine that nobody uses at the moment.
#pragma once

#include <vector>

#include "base/result.h"

namespace slaq::local::system {

// So many different TCP ports, free on every address and outside of the range from which the system itself
// takes ports for outgoing connections, so that they stay free until their program binds them.
Result<std::vector<int>> findFreePorts(int count);

}  // namespace slaq::local::system
