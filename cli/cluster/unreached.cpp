#include "cli/cluster/unreached.h"

#include <string_view>

#include "http/unix_socket.h"

namespace slaq::cli::cluster {
namespace {

// Removes the request, with which the HTTP client's message begins.
std::string withoutRequest(const std::string& problem) {
  for (const std::string_view method : {"GET ", "POST ", "DELETE "}) {
    const auto end = problem.starts_with(method) ? problem.find(": ") : std::string::npos;
    if (end != std::string::npos) return problem.substr(end + 2);
  }
  return problem;
}

}  // namespace

std::string unreachedSentence(const std::string& url, const std::string& problem) {
  const auto socket = http::socketOf(url);
  const std::string server = socket ? "slaq serve at " + *socket : "the API server at " + url;
  return server + " can't be reached: " + withoutRequest(problem) +
         (socket ? "; start it with slaq serve" : "");
}

}  // namespace slaq::cli::cluster
