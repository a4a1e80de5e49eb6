// The socket on which slaq serve listens on this machine.
#pragma once

#include <string>

namespace slaq::cli::flags {

// The machine's socket, /run/slaq/slaq.sock, if it exists or the caller is root; else the caller's own, in
// $XDG_RUNTIME_DIR, or in /tmp if that is not set.
std::string defaultSocket();

// The socket for a server that the caller starts: the machine's for root, else the caller's own, in
// $XDG_RUNTIME_DIR, or in /tmp if that is not set.
std::string ownSocket();

// True if the path is a socket, with or without a server.
bool isSocket(const std::string& path);

}  // namespace slaq::cli::flags
