// Answers to the requests to an operations server. Pure, except for the pages themselves.
#pragma once

#include <string>
#include <string_view>

#include "ops/options.h"

namespace slaq::ops {

struct Request {
  std::string_view method;
  std::string_view target;         // a path, and a query that is ignored
  std::string_view authorization;  // the header; empty without one
  std::string_view encodings;      // Accept-Encoding, likewise
  std::string_view host;           // Host, likewise
  std::string_view site = {};      // Sec-Fetch-Site, likewise: which site's page asks, as the browser says
};

struct Answer {
  int status = 200;
  std::string body;
  const char* type = "text/plain; charset=utf-8";
  bool isGzip = false;  // the body is compressed
  Events events = {};   // are sent instead of a body
};

// An exception from a page becomes an answer too.
Answer answerTo(const Request& request, const Options& options, const Pages& pages);

}  // namespace slaq::ops
