#include "http/proxy.h"

#include <gtest/gtest.h>

#include <map>

namespace slaq::http {
namespace {

Environment of(std::map<std::string, std::string> variables) {
  return [variables = std::move(variables)](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? "" : found->second;
  };
}

TEST(Proxy, IsThatOfTheScheme) {
  const auto environment = of({{"HTTP_PROXY", "http://plain:3128"}, {"https_proxy", "tls:3129"}});
  EXPECT_EQ(proxyFor("http://prometheus.example:9090", environment), "http://plain:3128");
  EXPECT_EQ(proxyFor("https://prometheus.example", environment), "http://tls:3129");
  EXPECT_EQ(proxyFor("http://prometheus.example:9090", of({})), "");
  EXPECT_EQ(proxyFor("h", environment), "") << "what is no URL is refused by others";
}

TEST(Proxy, IsNotForThisMachineOrWhatIsExcluded) {
  const auto environment = of({{"HTTP_PROXY", "http://p"}, {"NO_PROXY", ".svc, 10.0.0.0/8"}});
  for (const char* url : {"http://localhost:9090", "http://127.0.0.1:9090", "http://[::1]:9090",
                          "http://prometheus.monitoring.svc:9090/prefix", "http://10.1.2.3:9090"})
    EXPECT_EQ(proxyFor(url, environment), "") << url;
  EXPECT_EQ(proxyFor("http://prometheus.monitoring:9090", environment), "http://p");
  EXPECT_EQ(proxyFor("http://[fd00::1]:9090", environment), "http://p");
}

TEST(Proxy, ExcludesAsGosProgramsDo) {
  struct {
    const char* host;
    int port;
    const char* list;
    bool isExcluded;
  } const cases[] = {{"a.example.com", 80, "example.com", true},
                     {"example.com", 80, "example.com", true},
                     {"example.com", 80, ".example.com", false},
                     {"a.example.com", 80, " .EXAMPLE.com ", true},
                     {"a.example.com", 80, "*.example.com", true},
                     {"example.com", 80, "*.example.com", false},
                     {"a.example.com", 81, "*.example.com:80", false},
                     {"badexample.com", 80, "example.com", false},
                     {"a.example.com", 80, "b.com,,a.example.com:80", true},
                     {"a.example.com", 81, "a.example.com:80", false},
                     {"anything", 80, "*", true},
                     {"anything", 80, "", false},
                     {"10.1.2.3", 80, "10.1.2.3", true},
                     {"10.1.2.3", 80, "10.1.0.0/16", true},
                     {"10.2.2.3", 80, "10.1.0.0/16", false},
                     {"fd00::5", 80, "fd00::/8", true},
                     {"fd00::5", 80, "10.0.0.0/8,fd00::5", true},
                     {"fd00::5", 443, "[fd00::5]:443", true},
                     {"fd00::5", 80, "[fd00::5]:443", false}};
  for (const auto& each : cases)
    EXPECT_EQ(isExcluded(each.host, each.port, each.list), each.isExcluded) << each.host << " " << each.list;
}

}  // namespace
}  // namespace slaq::http
