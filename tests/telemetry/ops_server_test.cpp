#include "telemetry/ops_server.h"

#include <gmock/gmock.h>

#include <stdexcept>

#include "http/client.h"
#include "support/scripted_server.h"

namespace slaq::telemetry {
namespace {

using ::testing::HasSubstr;

OpsPages pages() {
  return {[] { return Health{}; },
          [] {
            return Health{true, "leader"};
          },
          [] { return "slaq_epochs_total 3\n"; }};
}

std::unique_ptr<OpsServer> serve(OpsPages given) {
  auto server = OpsServer::listen("127.0.0.1", 0, std::move(given));
  if (!server) throw std::runtime_error(server.error().message);
  return std::move(*server);
}

http::HttpResponse ask(const OpsServer& server, const std::string& path, const std::string& method = "GET") {
  http::HttpEndpoint endpoint;
  endpoint.url = "http://127.0.0.1:" + std::to_string(server.port());
  http::HttpRequest request;
  request.method = method;
  request.path = path;
  if (method == "POST") request.body = "x";
  auto response = makeHttpClient(endpoint)->send(request);
  if (!response) throw std::runtime_error(response.error().message);
  return *response;
}

TEST(OpsServer, ServesItsThreePages) {
  const auto server = serve(pages());
  EXPECT_GT(server->port(), 0);
  EXPECT_EQ(ask(*server, "/healthz").status, 200);
  EXPECT_EQ(ask(*server, "/healthz").body, "ok\n");
  EXPECT_EQ(ask(*server, "/readyz").body, "leader\n");
  EXPECT_EQ(ask(*server, "/metrics").body, "slaq_epochs_total 3\n");
  EXPECT_EQ(ask(*server, "/metrics?format=text").status, 200);
}

TEST(OpsServer, SaysWhyItIsNotReady) {
  OpsPages given = pages();
  given.healthy = [] { return Health{false, "no epoch for 120 s"}; };
  given.ready = [] { return Health{false, ""}; };
  const auto server = serve(given);
  EXPECT_EQ(ask(*server, "/healthz").status, 503);
  EXPECT_EQ(ask(*server, "/healthz").body, "no epoch for 120 s\n");
  EXPECT_EQ(ask(*server, "/readyz").status, 503);
}

TEST(OpsServer, AsksAnewEachTime) {
  int scrapes = 0;
  OpsPages given = pages();
  given.metrics = [&] { return "slaq_scrapes_total " + std::to_string(++scrapes) + "\n"; };
  const auto server = serve(given);
  EXPECT_EQ(ask(*server, "/metrics").body, "slaq_scrapes_total 1\n");
  EXPECT_EQ(ask(*server, "/metrics").body, "slaq_scrapes_total 2\n");
}

TEST(OpsServer, KnowsNoOtherPageAndNoOtherMethod) {
  const auto server = serve(pages());
  for (const std::string path :
       {"/", "/metricsx", "/metrics/x", "/healthz/", "/etc/passwd", "/.%2e/etc/passwd"}) {
    EXPECT_EQ(ask(*server, path).status, 404) << path;
  }
  for (const std::string method : {"POST", "PUT", "DELETE", "PATCH", "OPTIONS"}) {
    EXPECT_EQ(ask(*server, "/metrics", method).status, 405) << method;
  }
}

TEST(OpsServer, AnswersHeadWithoutABody) {
  const auto server = serve(pages());
  const http::HttpResponse response = ask(*server, "/metrics", "HEAD");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "");
}

TEST(OpsServer, SaysWhatItsTextIs) {
  const auto server = serve(pages());
  const auto raw = [&](const std::string& head) {
    return test::exchangeRaw(server->port(), head + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  };
  EXPECT_THAT(raw("GET /metrics"), HasSubstr("Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n"));
  EXPECT_THAT(raw("GET /healthz"), HasSubstr("Content-Type: text/plain; charset=utf-8\r\n"));
  EXPECT_THAT(raw("POST /metrics"), HasSubstr("Allow: GET, HEAD\r\n"));
  const std::string head = raw("HEAD /metrics");
  EXPECT_THAT(head, HasSubstr("Content-Length: 20\r\n"));
  EXPECT_TRUE(head.ends_with("\r\n\r\n")) << head;
}

TEST(OpsServer, AThrowingPageIsAnAnswerToo) {
  OpsPages given = pages();
  given.metrics = []() -> std::string { throw std::runtime_error("no registry"); };
  const auto server = serve(given);
  EXPECT_EQ(ask(*server, "/metrics").status, 500);
  EXPECT_EQ(ask(*server, "/healthz").status, 200);
}

TEST(OpsServer, APortThatIsTakenIsAnError) {
  const auto first = serve(pages());
  const auto second = OpsServer::listen("127.0.0.1", first->port(), pages());
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message, HasSubstr("127.0.0.1:" + std::to_string(first->port())));
  EXPECT_FALSE(OpsServer::listen("192.0.2.1", 0, pages())) << "an address of nobody";
  EXPECT_FALSE(OpsServer::listen("127.0.0.1", 70000, pages()));
}

TEST(OpsServer, LeavesItsPortFree) {
  int port = 0;
  {
    const auto server = serve(pages());
    port = server->port();
    EXPECT_EQ(ask(*server, "/healthz").status, 200);
  }
  const auto again = OpsServer::listen("127.0.0.1", port, pages());
  EXPECT_TRUE(again) << again.error().message;
}

}  // namespace
}  // namespace slaq::telemetry
