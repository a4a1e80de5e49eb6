// What the operations server answers to a request. Pure, but for the pages themselves.
#pragma once

#include <string>
#include <string_view>

#include "telemetry/ops_options.h"

namespace slaq::telemetry {

struct OpsRequest {
  std::string_view method;
  std::string_view target;         // a path, and a query that does not count
  std::string_view authorization;  // the header; empty without one
  std::string_view encodings;      // Accept-Encoding, likewise
};

struct OpsAnswer {
  int status = 200;
  std::string body;
  const char* type = "text/plain; charset=utf-8";
  bool isGzip = false;  // the body is compressed
};

// What a page throws is an answer too.
OpsAnswer answerTo(const OpsRequest& request, const OpsOptions& options, const OpsPages& pages);

}  // namespace slaq::telemetry
