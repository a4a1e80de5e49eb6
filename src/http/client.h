// HTTP as the adapters need it, behind one interface. cpprestsdk implements it in this folder and is seen
// nowhere else, so that it can be replaced in one place.
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
  // From the call to the last byte of the answer. For streams: silence for so long ends the stream.
  Seconds deadline{10};
};

struct HttpResponse {
  int status = 0;
  std::string body;
  std::optional<Seconds> retryAfter;
};

// How to reach and trust a server.
struct HttpEndpoint {
  std::string url;                   // "https://10.0.0.1:6443", no path; no IPv6 address
  std::string caPem;                 // trusted instead of the system's authorities, if not empty
  std::string clientCertificatePem;  // for mutual TLS, both or none
  std::string clientKeyPem;
  std::function<std::string()> bearerToken;  // asked before each request, so that it may rotate; may be empty
  bool insecureSkipVerify = false;
  std::string serverName;                 // verified instead of the URL's host, if not empty
  std::size_t maxBodyBytes = 256u << 20;  // a longer answer is Malformed
};

// Any thread may call it; calls run side by side.
class HttpClient {
 public:
  virtual ~HttpClient() = default;

  // Answers of any status are values; an error means that there was no whole answer (Transient) or that
  // the server can't be trusted (Forbidden). Never follows redirects.
  virtual Result<HttpResponse> send(const HttpRequest& request) = 0;

  // Reads an answer line by line as it arrives and calls `onLine` for each whole line, on the calling
  // thread, until it returns false, the stream ends, it is silent for `deadline`, or `stop` is asked for
  // (within milliseconds). These are good ends, returned without a body, once the head of the answer has
  // come; a cut connection is Transient, after the lines that came whole. A status other than 200 is
  // returned with its body and no line. Half a line is never delivered; a reader that is slow holds the
  // sender back, and a line longer than maxBodyBytes is Malformed.
  virtual Result<HttpResponse> stream(const HttpRequest& request,
                                      const std::function<bool(const std::string& line)>& onLine,
                                      std::stop_token stop) = 0;
};

std::unique_ptr<HttpClient> makeHttpClient(HttpEndpoint endpoint);

}  // namespace slaq
