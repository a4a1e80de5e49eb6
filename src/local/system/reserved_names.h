// Names on this machine that only one process can have at a time.
#pragma once

#include <string>

#include "local/system/files.h"

namespace slaq::local::system {

// Binds a socket to the name in Linux's abstract namespace, which has no files. The kernel gives a name to
// one process at a time, and frees it when that process ends or closes the socket. Like ports, the names
// belong to the network namespace. If the result is closed, errno says why: EADDRINUSE if another process has
// the name.
Descriptor takeName(const std::string& name);

}  // namespace slaq::local::system
