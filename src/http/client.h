// HTTP as the adapters need it, behind one interface. Only this folder uses cpprestsdk, which implements it,
// so that the library can be replaced in one place.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "base/result.h"
#include "base/units.h"

namespace slaq {

struct HttpRequest {
  std::string method = "GET";
  std::string path;  // with its query, already encoded: "/api/v1/pods?limit=500"
  std::string contentType;
  std::string body;
  std::map<std::string, std::string> headers;
  // The time from the call to the last byte of the answer. A stream ends when no byte comes for this long.
  Seconds deadline{10};
};

struct HttpResponse {
  int status = 0;
  std::string body;
  std::optional<Seconds> retryAfter;
};

// The address of a server and how to trust it.
struct HttpEndpoint {
  std::string url;                   // "https://10.0.0.1:6443", no path; no IPv6 address
  std::string caPem;                 // trusted instead of the system's authorities, if not empty
  std::string clientCertificatePem;  // for mutual TLS, both or none
  std::string clientKeyPem;
  std::function<std::string()> bearerToken;  // called before each request; may be empty
  bool insecureSkipVerify = false;
  std::string serverName;                 // verified instead of the URL's host, if not empty
  std::size_t maxBodyBytes = 256u << 20;  // a longer answer is Malformed
};

// Any thread may call it; calls run concurrently.
class HttpClient {
 public:
  virtual ~HttpClient() = default;

  // Answers of any status are values; an error means that there was no whole answer (Transient) or that
  // the server can't be trusted (Forbidden). Never follows redirects.
  virtual Result<HttpResponse> send(const HttpRequest& request) = 0;

  // Reads an answer line by line as it arrives and calls `onLine` for each complete line on the calling
  // thread. It ends when `onLine` returns false, the stream ends, no byte comes for `deadline`, or a stop is
  // requested (within milliseconds). These are successes, without a body, if the head of the answer has come.
  // A broken connection is Transient, after the complete lines. A status other than 200 is returned with its
  // body and no line. An incomplete line is never delivered. A slow reader slows the sender down, and a line
  // longer than maxBodyBytes is Malformed.
  virtual Result<HttpResponse> stream(const HttpRequest& request,
                                      const std::function<bool(const std::string& line)>& onLine,
                                      std::stop_token stop) = 0;
};

std::unique_ptr<HttpClient> makeHttpClient(HttpEndpoint endpoint);

}  // namespace slaq
