// What is checked of a source of losses before anything is asked of it, and what it then sends.
#include "sources/loss_source.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "http/client.h"
#include "support/scripted_server.h"

namespace slaq::sources {
namespace {

using ::testing::HasSubstr;

class PrometheusConnection : public ::testing::Test {
 protected:
  PrometheusConnection() { std::filesystem::create_directories(folder_); }
  ~PrometheusConnection() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) const {
    const std::string path = folder_ + "/" + name;
    std::ofstream(path) << text;
    return path;
  }

  std::string refusalOf(const config::PrometheusLoss& loss) const {
    const auto source = makeLossSource(loss, Seconds(3), clock_);
    if (source) return "accepted";
    EXPECT_EQ(source.error().kind, ErrorKind::Invalid);
    return source.error().message;
  }

  // The Authorization that the server is sent.
  std::string sent(config::PrometheusLoss loss) const {
    std::string seen;
    test::ScriptedServer server(
        test::answering([&](test::ReceivedRequest request, test::Connection& connection) {
          seen = request.headers["authorization"];
          connection.reply(200, "");
        }));
    loss.serverAddress = server.url();
    const auto connection = prometheusServer(loss, clock_);
    if (!connection) return connection.error().message;
    const auto response = http::makeHttpClient(connection->endpoint)->send({});
    return response ? seen : response.error().message;
  }

  SystemClock clock_;
  std::string folder_ = ::testing::TempDir() + "slaq-sources-" +
                        ::testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(PrometheusConnection, IsRefusedWhereAFileCannotBeRead) {
  const std::string text = write("text", "jane");
  const std::string none = folder_ + "/none";
  const std::string empty = write("empty", "\n");
  const config::PrometheusLoss cases[] = {
      {.serverAddress = "http://p", .bearerTokenFile = none},
      {.serverAddress = "http://p", .usernameFile = none, .passwordFile = text},
      {.serverAddress = "http://p", .usernameFile = text, .passwordFile = none},
      {.serverAddress = "http://p", .caFile = none},
      {.serverAddress = "http://p", .clientCertificateFile = text, .clientKeyFile = none}};
  for (const auto& each : cases) EXPECT_THAT(refusalOf(each), HasSubstr(none));
  EXPECT_EQ(refusalOf({.serverAddress = "http://p", .bearerTokenFile = empty}), empty + " is empty");
  EXPECT_THAT(
      refusalOf({.serverAddress = "http://p", .usernameFile = write("colon", "a:b"), .passwordFile = text}),
      HasSubstr("holds a name with a colon"));
}

TEST_F(PrometheusConnection, IsRefusedWhereTheServerCannotBeAsked) {
  EXPECT_THAT(refusalOf({.serverAddress = "http://p:99999"}), HasSubstr("its port must be from 1 to 65535"));
  EXPECT_THAT(refusalOf({.serverAddress = "http://fd00::1:9090"}),
              HasSubstr("an IPv6 address stands in brackets"));
  EXPECT_THAT(refusalOf({.serverAddress = "https://p", .caFile = write("ca", "no PEM")}),
              HasSubstr("has no PEM certificate"));
  EXPECT_EQ(refusalOf({.serverAddress = "http://[fd00::1]:9090/prefix"}), "accepted");
}

TEST_F(PrometheusConnection, SendsWhatTheFilesHold) {
  EXPECT_EQ(sent({.bearerTokenFile = write("token", "abc\n")}), "Bearer abc");
  EXPECT_EQ(
      sent({.usernameFile = write("user", "Aladdin\n"), .passwordFile = write("password", "open sesame\n")}),
      "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
  EXPECT_EQ(sent({}), "");
}

TEST_F(PrometheusConnection, GoesByTheProxyOfTheEnvironment) {
  const auto environment = [](const char* name) {
    return std::string(name) == "HTTPS_PROXY" ? "http://proxy:3128"
           : std::string(name) == "NO_PROXY"  ? ".svc"
                                              : "";
  };
  const auto proxyOf = [&](const std::string& address) {
    return prometheusServer({.serverAddress = address}, clock_, environment)->endpoint.proxyUrl;
  };
  EXPECT_EQ(proxyOf("https://mimir.example/prometheus"), "http://proxy:3128");
  EXPECT_EQ(proxyOf("https://prometheus.monitoring.svc:9090"), "");
  EXPECT_EQ(proxyOf("http://mimir.example"), "");
}

}  // namespace
}  // namespace slaq::sources
