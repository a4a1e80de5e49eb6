// An HTTP client for a server whose certificate authority may be replaced while the program runs. When the CA
// file's text changes, later requests go through a new client that trusts the new text.
#pragma once

#include <functional>
#include <memory>

#include "base/clock.h"
#include "kube/auth/credentials.h"

namespace slaq::kube::auth {

using ClientFactory = std::function<std::unique_ptr<http::HttpClient>(http::HttpEndpoint)>;

// REQUIRES: `clock` outlives the client.
std::unique_ptr<http::HttpClient> rotatingClient(const Access& access, const Clock& clock,
                                                 ClientFactory make = http::makeHttpClient);

}  // namespace slaq::kube::auth
