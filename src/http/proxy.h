// By which proxy a server is reached, as HTTP_PROXY, HTTPS_PROXY and NO_PROXY say, in capitals or small
// letters. The meaning of NO_PROXY is that of Go's programs, which most programs of a cluster are.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace slaq::http {

// The value of a variable; empty if there is none.
using Environment = std::function<std::string(const char* name)>;
std::string processEnvironment(const char* name);

// The proxy's URL; empty for a server that is reached directly, as those of this machine always are.
std::string proxyFor(const std::string& url, const Environment& environment);

// NO_PROXY, a list with commas, names the host: by "*", by its name, by a domain it is in ("example.com",
// ".example.com"), by its address or a network of it ("10.0.0.0/8"), each also with ":PORT".
bool isExcluded(const std::string& host, int port, std::string_view noProxy);

}  // namespace slaq::http
