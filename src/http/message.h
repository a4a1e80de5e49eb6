// Requests, answers and endpoints of HTTP as plain values.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "base/units.h"

namespace slaq::http {

struct HttpRequest {
  std::string method = "GET";
  std::string path;  // with its query, already encoded: "/api/v1/pods?limit=500"
  std::string contentType;
  std::string body;
  std::map<std::string, std::string> headers;
  // The time from the call to the last byte of the answer. A stream ends when no byte comes for this long.
  Seconds deadline{10};
  std::optional<std::size_t> maxBodyBytes = {};  // where it is less than the endpoint's
};

struct HttpResponse {
  int status = 0;
  std::string body;
  std::optional<Seconds> retryAfter;
  std::optional<Time> date = {};  // when it was sent, by the server's clock, in whole seconds
  std::string location = {};      // where a redirect leads to, as it was sent; nothing follows it by itself
};

// PEM texts by which a server is trusted, and by which it trusts this program.
struct Certificates {
  std::string caPem;
  std::string clientCertificatePem;
  std::string clientKeyPem;

  bool operator==(const Certificates&) const = default;
};

// Kept: files that were read a short while ago are not read again. Fresh: they are.
enum class Reading { Kept, Fresh };

// The address of a server and how to trust it.
struct HttpEndpoint {
  std::string url;    // "https://10.0.0.1:6443", "http://[fd00::1]:9090", "unix:/run/a.sock"; no path
  std::string caPem;  // trusted instead of the system's authorities, if not empty
  std::string clientCertificatePem;  // for mutual TLS, both or none
  std::string clientKeyPem;
  std::function<std::string()> bearerToken;  // called before each request; may be empty
  bool insecureSkipVerify = false;
  std::string serverName;                 // verified instead of the URL's host, if not empty
  std::size_t maxBodyBytes = 256u << 20;  // a longer answer is Malformed
  // "user:password" for Basic authentication, in place of a token; called before each request.
  std::function<std::string()> userAndPassword = {};
  std::map<std::string, std::string> headers = {};  // of each request, besides its own
  std::string proxyUrl = {};  // "http://user:password@proxy:3128": by which it is reached; empty: directly
  // The three PEM texts as they are now, where their files may be replaced while the program runs. Called
  // before each request, on any thread, and with Fresh after one whose server was not trusted.
  std::function<Certificates(Reading)> certificates = {};
};

}  // namespace slaq::http
