// The sentence about a server that does not answer.
#pragma once

#include <string>

namespace slaq::cli::cluster {

// "the API server at https://10.0.0.1:6443 can't be reached: the connection is refused". `problem` is the
// HTTP client's message.
std::string unreachedSentence(const std::string& url, const std::string& problem);

}  // namespace slaq::cli::cluster
