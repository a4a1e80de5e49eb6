// Where slaq serve listens on this machine.
#pragma once

#include <string>

namespace slaq::cli::flags {

// The machine's socket, /run/slaq/slaq.sock, where it is there or the caller is root; else the caller's own,
// in $XDG_RUNTIME_DIR, or in /tmp where that is not set.
std::string defaultSocket();

// Where a server of the caller listens: that of the machine for root, else one of the caller's own, in
// $XDG_RUNTIME_DIR, or in /tmp where that is not set.
std::string ownSocket();

// Whether there is a socket, with a server or without.
bool isSocket(const std::string& path);

}  // namespace slaq::cli::flags
