// What an operations server serves, where, and to whom.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "base/units.h"

namespace slaq::telemetry {

struct Health {
  bool good = true;
  std::string reason;  // a sentence for a person, shown either way
};

// Called on the server's thread. One that is empty is a page that is not there.
struct OpsPages {
  std::function<Health()> healthy = {};       // false: restart me
  std::function<Health()> ready = {};         // false: not yet, or not now
  std::function<std::string()> metrics = {};  // Prometheus's text format 0.0.4
};

struct OpsOptions {
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
};

}  // namespace slaq::telemetry
