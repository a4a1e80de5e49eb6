// An HTTP client for an endpoint whose certificates may be replaced while the program runs
// (HttpEndpoint::certificates). When their texts change, later requests go through a new client.
#pragma once

#include <functional>
#include <memory>

#include "http/client.h"

namespace slaq::http {

using ClientFactory = std::function<std::unique_ptr<HttpClient>(const HttpEndpoint&)>;

// REQUIRES: the endpoint has `certificates`.
std::unique_ptr<HttpClient> makeRenewingClient(HttpEndpoint endpoint, ClientFactory make);

}  // namespace slaq::http
