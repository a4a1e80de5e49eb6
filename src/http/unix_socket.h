// HTTP over a Unix stream socket, for a server of the same machine. Each request has a connection of its own.
// The kernel tells the server who asks, so credentials of the endpoint are not sent.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "http/message.h"

namespace slaq::http {

// "/run/a.sock" of "unix:/run/a.sock"; nothing for a URL of another scheme.
std::optional<std::string> socketOf(const std::string& url);

// Invalid where the path is not absolute, or longer than the kernel takes.
Result<void> checkSocketPath(const std::string& path);

// Sends the request to the socket at `path` and waits for the whole answer, as HttpClient::send does. What it
// says of an error does not name the request. REQUIRES: checkSocketPath(path).
Result<HttpResponse> sendToSocket(const HttpEndpoint& endpoint, const std::string& path,
                                  const HttpRequest& request);

}  // namespace slaq::http
