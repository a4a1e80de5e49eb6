// The pages, the addresses and the permitted readers of an operations server.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/units.h"

namespace slaq::ops {

struct Health {
  bool good = true;
  std::string reason;  // a sentence for a person, shown either way
};

// The events for one client. Each call returns the next one, a text without line ends, or nothing at the
// moment.
using Events = std::function<std::optional<std::string>()>;

// Each function is called on the server's thread. Where one is empty, its page does not exist.
struct Pages {
  std::function<Health()> healthy = {};       // false: restart the process
  std::function<Health()> ready = {};         // false: not yet, or not now
  std::function<std::string()> metrics = {};  // Prometheus's text format 0.0.4
  std::function<std::string()> web = {};      // HTML, at /
  std::function<Events()> events = {};  // server-sent events for the page at /, a new source for each client
};

struct Options {
  std::string address;  // "127.0.0.1", "::1"; empty: all addresses, of IPv6 and of IPv4
  int port = 0;         // 0 takes any free port
  Seconds patience{5};  // for a client that stalls
  // PEM files of a certificate chain and its key, for HTTPS. They are read again for each connection, so that
  // they can be replaced. Both or none.
  std::string certificateFile = {};
  std::string keyFile = {};
  // Checks whether the holder of this bearer token may read; called on the server's thread. Invalid: the
  // token is not known. Forbidden: its holder may not read. Any other error: it could not be checked. When
  // empty, every client may read.
  std::function<Result<void>(const std::string& token)> authorize = {};
  // The names of this server that requests may have in their header Host. Without this check a page of
  // another site could read this server's pages through a name that resolves to this machine. When empty,
  // every name is accepted.
  std::vector<std::string> hosts = {};
};

}  // namespace slaq::ops
