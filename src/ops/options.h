// What an operations server serves, where, and to whom.
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

// What one client is told as it happens: the next event, a text without line ends, or nothing at the moment.
using Events = std::function<std::optional<std::string>()>;

// Called on the server's thread. One that is empty is a page that is not there.
struct Pages {
  std::function<Health()> healthy = {};       // false: restart me
  std::function<Health()> ready = {};         // false: not yet, or not now
  std::function<std::string()> metrics = {};  // Prometheus's text format 0.0.4
  std::function<std::string()> web = {};      // HTML, at /
  std::function<Events()> events = {};        // of that page: server-sent events, for each client its own
};

struct Options {
  std::string address;  // "127.0.0.1", "::1"; empty: all addresses, of IPv6 and of IPv4
  int port = 0;         // 0 takes a free one
  Seconds patience{5};  // with a client that stalls
  // PEM files of a certificate chain and its key, for HTTPS. They are read again for each connection, so that
  // they can be replaced. Both or none.
  std::string certificateFile = {};
  std::string keyFile = {};
  // Whether who shows this bearer token may read; called on the server's thread. Invalid: nobody knows the
  // token; Forbidden: its owner may not; else it could not be found out. When empty, everybody may.
  std::function<Result<void>(const std::string& token)> authorize = {};
  // The names of this server, in requests' header Host. Else a page of anybody's could read this one's, by a
  // name that it lets stand for this machine's address. When empty, every name will do.
  std::vector<std::string> hosts = {};
};

}  // namespace slaq::ops
