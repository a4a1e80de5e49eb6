// The sockets on which slaq serve and slaq run listen on this machine.
#pragma once

#include <string>
#include <vector>

namespace slaq::cli::flags {

// The machine's socket, /run/slaq/slaq.sock, if it exists or the caller is root; else the caller's own, in
// $XDG_RUNTIME_DIR, or in /tmp if that is not set.
std::string defaultSocket();

// The socket for a server that the caller starts: the machine's for root, else the caller's own, in
// $XDG_RUNTIME_DIR, or in /tmp if that is not set.
std::string ownSocket();

// The socket for a slaq run that the caller starts, beside ownSocket(), and the one for a run that starts
// while another one listens there.
std::string runSocket();
std::string secondRunSocket();

// The socket for a command that names none: defaultSocket(), or the socket of a run if only runs listen.
std::string meantSocket();

// The sockets of the caller's other runs, on which a slaq run listens, besides `meant`.
std::vector<std::string> otherRunSockets(const std::string& meant);

// True if the path is a socket, with or without a server.
bool isSocket(const std::string& path);

}  // namespace slaq::cli::flags
