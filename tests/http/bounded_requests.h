// Requests of tests to their own server, and how long tests wait for what must come.
#pragma once

#include "http/client.h"
#include "support/scripted_server.h"

namespace slaq::http {

// Far above what anything here takes, far below what a hang would.
inline constexpr Seconds kBound{20};

inline HttpEndpoint endpointOf(const test::ScriptedServer& server) {
  HttpEndpoint endpoint;
  endpoint.url = server.url();
  return endpoint;
}

}  // namespace slaq::http
