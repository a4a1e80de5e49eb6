// HTTP as the adapters need it, behind one interface. Only this folder uses cpprestsdk, which implements it,
// so that the library can be replaced in one place. Unix sockets, which that library does not know, are
// Boost.Beast's.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "base/result.h"
#include "http/message.h"

namespace slaq::http {

// Any thread may call it; calls run concurrently.
class HttpClient {
 public:
  virtual ~HttpClient() = default;

  // Answers of any status are values; an error means that there was no whole answer (Transient) or that
  // the server can't be trusted (Forbidden). Never follows redirects.
  virtual Result<HttpResponse> send(const HttpRequest& request) = 0;

  // Reads an answer line by line as it arrives and calls `onLine` for each complete line on the calling
  // thread. It ends when `onLine` returns false, the stream ends, or a stop is requested (within
  // milliseconds). These are successes, without a body, if the head of the answer has come. A broken
  // connection is Transient, after the complete lines, and so is one on which no byte comes for `deadline`. A
  // status other than 200 is returned with its body and no line. An incomplete line is never delivered. A
  // slow reader slows the sender down, and a line longer than maxBodyBytes is Malformed. Over a Unix socket
  // it is Invalid.
  virtual Result<HttpResponse> stream(const HttpRequest& request,
                                      const std::function<bool(const std::string& line)>& onLine,
                                      std::stop_token stop) = 0;
};

// Requests to an endpoint whose URL or PEM texts can't be used fail, each with what `check` says of it.
std::unique_ptr<HttpClient> makeHttpClient(const HttpEndpoint& endpoint);

using ClientFactory = std::function<std::unique_ptr<HttpClient>(const HttpEndpoint&)>;

// A client for an endpoint whose certificates may be replaced while the program runs. When their texts
// change, later requests go through a new client by `make`. makeHttpClient uses it for such an endpoint.
// REQUIRES: the endpoint has `certificates`.
std::unique_ptr<HttpClient> makeRenewingClient(HttpEndpoint endpoint, ClientFactory make);

// Invalid when the endpoint's URL, its proxy's or one of its PEM texts can't be used. Nothing is sent.
Result<void> check(const HttpEndpoint& endpoint);

}  // namespace slaq::http
