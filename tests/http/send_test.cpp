#include <gmock/gmock.h>

#include <atomic>
#include <thread>

#include "http/bounded_requests.h"

namespace slaq::http {
namespace {

using test::answering;
using test::Connection;
using test::ReceivedRequest;
using test::ScriptedServer;
using ::testing::HasSubstr;
using ::testing::Not;

std::unique_ptr<HttpClient> clientOf(const ScriptedServer& server) {
  return makeHttpClient(endpointOf(server));
}

Seconds elapsed(const std::function<void()>& action) {
  const auto start = std::chrono::steady_clock::now();
  action();
  return std::chrono::steady_clock::now() - start;
}

TEST(Send, GivesRequestAndAnswerUnchanged) {
  ReceivedRequest seen;
  ScriptedServer server(answering([&](const ReceivedRequest& request, Connection& connection) {
    seen = request;
    connection.reply(201, std::string("a\0b", 3));
  }));
  HttpRequest request{"PATCH",
                      "/api/v1/x?fieldSelector=a%3Db&limit=5",
                      "application/merge-patch+json",
                      "{\"a\":1}",
                      {{"X-Scope-OrgID", "team"}}};
  const auto response = clientOf(server)->send(request);
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->status, 201);
  EXPECT_EQ(response->body, std::string("a\0b", 3));
  EXPECT_EQ(seen.method, "PATCH");
  EXPECT_EQ(seen.path, "/api/v1/x?fieldSelector=a%3Db&limit=5");
  EXPECT_EQ(seen.headers["content-type"], "application/merge-patch+json");
  EXPECT_EQ(seen.headers["x-scope-orgid"], "team");
  EXPECT_EQ(seen.body, "{\"a\":1}");
}

TEST(Send, AsksForTheBearerTokenBeforeEachRequest) {
  std::vector<std::string> seen;
  ScriptedServer server(answering([&](ReceivedRequest request, Connection& connection) {
    seen.push_back(request.headers["authorization"]);
    connection.reply(200, "");
  }));
  int asked = 0;
  HttpEndpoint endpoint = endpointOf(server);
  endpoint.bearerToken = [&] { return "token-" + std::to_string(++asked) + "\n"; };
  const auto client = makeHttpClient(endpoint);
  ASSERT_TRUE(client->send({}));
  ASSERT_TRUE(client->send({}));
  EXPECT_THAT(seen, ::testing::ElementsAre("Bearer token-1", "Bearer token-2"));
}

TEST(Send, TellsUserAndPasswordOfTheMoment) {
  std::vector<std::string> seen;
  ScriptedServer server(answering([&](ReceivedRequest request, Connection& connection) {
    seen.push_back(request.headers["authorization"]);
    connection.reply(200, "");
  }));
  std::string password = "open sesame";
  HttpEndpoint endpoint = endpointOf(server);
  endpoint.userAndPassword = [&] { return "Aladdin:" + password; };
  const auto client = makeHttpClient(endpoint);
  ASSERT_TRUE(client->send({}));
  password = "";
  ASSERT_TRUE(client->send({}));
  EXPECT_THAT(seen, ::testing::ElementsAre("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==", "Basic QWxhZGRpbjo="));
}

TEST(Send, SendsTheHeadersOfTheEndpointWithEachRequest) {
  std::vector<std::string> seen;
  ScriptedServer server(answering([&](ReceivedRequest request, Connection& connection) {
    seen.push_back(request.headers["impersonate-user"] + " " + request.headers["x"]);
    connection.reply(200, "");
  }));
  HttpEndpoint endpoint = endpointOf(server);
  endpoint.headers = {{"Impersonate-User", "jane"}};
  const auto client = makeHttpClient(endpoint);
  ASSERT_TRUE(client->send({.headers = {{"X", "1"}}}));
  ASSERT_TRUE(client->send({}));
  EXPECT_THAT(seen, ::testing::ElementsAre("jane 1", "jane "));
}

TEST(Send, ReachesAnIPv6AddressByItsUrl) {
  std::string host;
  ScriptedServer server(answering([&](ReceivedRequest request, Connection& connection) {
                          host = request.headers["host"];
                          connection.reply(200, request.path);
                        }),
                        std::nullopt, test::Loopback::V6);
  HttpEndpoint endpoint;
  endpoint.url = server.url("[::1]");
  const auto response = makeHttpClient(endpoint)->send({.path = "/a?b=c"});
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->body, "/a?b=c");
  EXPECT_EQ(host, "[::1]:" + std::to_string(server.port()));
}

TEST(Send, GoesByAProxy) {
  ReceivedRequest seen;
  ScriptedServer proxy(answering([&](const ReceivedRequest& request, Connection& connection) {
    seen = request;
    connection.reply(200, "by proxy");
  }));
  HttpEndpoint endpoint;
  endpoint.url = "http://prometheus.example:9090";
  endpoint.proxyUrl = "http://jane:p%40ss@" + proxy.address();
  const auto response = makeHttpClient(endpoint)->send({.path = "/api/v1/query?query=up"});
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(seen.path, "http://prometheus.example:9090/api/v1/query?query=up");
  EXPECT_EQ(seen.headers["host"], "prometheus.example:9090");
  EXPECT_EQ(seen.headers["proxy-authorization"], "Basic amFuZTpwQHNz");
}

TEST(Check, SaysWhatNoRequestCouldDo) {
  const std::pair<HttpEndpoint, const char*> cases[] = {
      {{.url = "http://jane:secret@h:9090"}, "it holds a user, which is not sent from there"},
      {{.url = "http://h:99999"}, "its port must be from 1 to 65535"},
      {{.url = "http://::1:9090"}, "an IPv6 address stands in brackets, as in http://[fd00::1]:9090"},
      {{.url = "ftp://h"}, "its scheme must be http or https"},
      {{.url = "http://h", .proxyUrl = "socks5://p:1080"}, "a proxy must be one of http"},
      {{.url = "https://h", .caPem = "no PEM"}, "has no PEM certificate"}};
  for (const auto& [endpoint, why] : cases) {
    const auto checked = check(endpoint);
    ASSERT_FALSE(checked) << endpoint.url;
    EXPECT_EQ(checked.error().kind, ErrorKind::Invalid);
    EXPECT_THAT(checked.error().message, HasSubstr(why));
    EXPECT_THAT(makeHttpClient(endpoint)->send({}).error().message, HasSubstr(why));
  }
  EXPECT_TRUE(check({.url = "https://[fd00::1]:6443"}));
}

TEST(Check, TellsNoUserOrPassword) {
  const HttpEndpoint cases[] = {{.url = "http://jane:secret@h:9090"},
                                {.url = "http://:secret@h:9090"},
                                {.url = "ftp://jane:secret@h"},
                                {.url = "http://jane:secret@h:99999"},
                                {.url = "http://jane:secret@"},
                                {.url = "http://jane:secret@fd00::1:9090"},
                                {.url = "http://jane:secret/secret@h o:9090"},
                                {.url = "http://jane:secret@h:9090/%zz"},
                                {.url = "jane:secret@h"},
                                {.url = "http://h", .proxyUrl = "https://jane:secret@proxy:3128"},
                                {.url = "http://h", .proxyUrl = "http://jane:secret@proxy:99999"},
                                {.url = "http://h", .proxyUrl = "http://jane:secret@pro xy"}};
  for (const auto& endpoint : cases) {
    const auto checked = check(endpoint);
    ASSERT_FALSE(checked) << endpoint.url;
    for (const auto& said : {checked.error().message, makeHttpClient(endpoint)->send({}).error().message}) {
      EXPECT_THAT(said, Not(HasSubstr("secret")));
      EXPECT_THAT(said, Not(HasSubstr("jane")));
    }
  }
}

TEST(Send, KeepsItsConnection) {
  ScriptedServer server(answering([](const ReceivedRequest&, Connection& c) { c.reply(200, ""); }));
  const auto client = clientOf(server);
  // A connection is kept a moment after its answer is there; a request in between opens another.
  int requests = 0;
  while (server.connections() == requests && requests < 1000) {
    ASSERT_TRUE(client->send({}));
    ++requests;
  }
  EXPECT_LT(server.connections(), requests);
}

TEST(Send, EveryStatusIsAValue) {
  for (const int status : {400, 401, 404, 409, 410, 422, 429, 500, 503}) {
    ScriptedServer server(
        answering([&](const ReceivedRequest&, Connection& connection) { connection.reply(status, "why"); }));
    const auto response = clientOf(server)->send({});
    ASSERT_TRUE(response) << response.error().message;
    EXPECT_EQ(response->status, status);
    EXPECT_EQ(response->body, "why");
  }
}

TEST(Send, ReadsRetryAfterInSeconds) {
  const std::map<std::string, std::optional<Seconds>> cases = {
      {"Retry-After: 7\r\n", Seconds(7)},
      {"retry-after: 0\r\n", Seconds(0)},
      {"Retry-After: Wed, 21 Oct 2026 07:28:00 GMT\r\n", std::nullopt},
      {"Retry-After: -3\r\n", std::nullopt},
      {"", std::nullopt}};
  for (const auto& [header, expected] : cases) {
    ScriptedServer server(answering(
        [&](const ReceivedRequest&, Connection& connection) { connection.reply(429, "", header); }));
    const auto response = clientOf(server)->send({});
    ASSERT_TRUE(response) << response.error().message;
    EXPECT_EQ(response->retryAfter, expected) << header;
  }
}

TEST(Send, ReadsTheServersClock) {
  const std::map<std::string, std::optional<Time>> cases = {
      {"Date: Wed, 21 Oct 2026 07:28:03 GMT\r\n", *parseRfc3339("2026-10-21T07:28:03Z")},
      {"Date: yesterday\r\n", std::nullopt},
      {"", std::nullopt}};
  for (const auto& [header, expected] : cases) {
    ScriptedServer server(answering(
        [&](const ReceivedRequest&, Connection& connection) { connection.reply(200, "", header); }));
    const auto response = clientOf(server)->send({});
    ASSERT_TRUE(response) << response.error().message;
    EXPECT_EQ(response->date, expected) << header;
  }
}

TEST(Send, DoesNotFollowRedirects) {
  ScriptedServer elsewhere(
      answering([](const ReceivedRequest&, Connection& connection) { connection.reply(200, "stolen"); }));
  ScriptedServer server(answering([&](const ReceivedRequest&, Connection& connection) {
    connection.reply(302, "", "Location: " + elsewhere.url() + "/\r\n");
  }));
  const auto response = clientOf(server)->send({});
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->status, 302);
  EXPECT_EQ(elsewhere.connections(), 0);
}

TEST(Send, ReadsAChunkedBody) {
  ScriptedServer server(answering([](const ReceivedRequest&, Connection& connection) {
    connection.startStream();
    for (int i = 0; i < 100; ++i) connection.chunk(std::string(1000, 'x'));
    connection.endStream();
  }));
  const auto response = clientOf(server)->send({});
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->body, std::string(100000, 'x'));
}

TEST(Send, RefusesABodyPastTheCap) {
  const std::map<std::string, ScriptedServer::Script> cases = {
      {"announced",
       answering([](const ReceivedRequest&, Connection& c) { c.reply(200, std::string(2000, 'x')); })},
      {"endless", answering([](const ReceivedRequest&, Connection& c) {
         c.startStream();
         while (c.chunk(std::string(700, 'x'))) {
         }
       })}};
  for (const auto& [name, script] : cases) {
    ScriptedServer server(script);
    HttpEndpoint endpoint = endpointOf(server);
    endpoint.maxBodyBytes = 1000;
    const auto response = makeHttpClient(endpoint)->send({});
    ASSERT_FALSE(response) << name;
    EXPECT_EQ(response.error().kind, ErrorKind::Malformed) << name;
    EXPECT_THAT(response.error().message, HasSubstr("longer than 1000 bytes"));
  }
}

// Servers that never come to an end, each in its way.
std::map<std::string, ScriptedServer::Script> tarPits() {
  return {{"says nothing", [](Connection& c) { (c.receive(), c.waitForClose()); }},
          {"never accepts the request",
           [](Connection& c) {
             c.waitForClose();
             c.waitForClose();
           }},
          {"drips its header",
           [](Connection& c) {
             c.receive();
             c.write("HTTP/1.1 200 OK\r\nX-Drip: ");
             while (c.write("x")) std::this_thread::sleep_for(std::chrono::milliseconds(10));
           }},
          {"drips its body",
           [](Connection& c) {
             c.receive();
             c.write("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");
             while (c.write("x")) std::this_thread::sleep_for(std::chrono::milliseconds(10));
           }},
          {"drips chunks", [](Connection& c) {
             c.receive();
             c.startStream();
             while (c.chunk("x")) std::this_thread::sleep_for(std::chrono::milliseconds(10));
           }}};
}

TEST(Send, EndsAtTheDeadlineWhateverTheServerDoes) {
  for (const auto& [name, script] : tarPits()) {
    ScriptedServer server(script);
    HttpRequest request;
    request.deadline = Seconds(0.3);
    const auto client = clientOf(server);
    Result<HttpResponse> response;
    const Seconds took = elapsed([&] { response = client->send(request); });
    ASSERT_FALSE(response) << name;
    EXPECT_EQ(response.error().kind, ErrorKind::Transient) << name;
    EXPECT_THAT(response.error().message, HasSubstr("no whole answer within 0.3 s")) << name;
    EXPECT_GE(took, Seconds(0.3)) << name;
    EXPECT_LT(took, kBound) << name;
  }
}

TEST(Send, ABrokenAnswerIsAnError) {
  const std::map<std::string, std::pair<std::string, ErrorKind>> cases = {
      {"closed at once", {"", ErrorKind::Transient}},
      {"cut in the header", {"HTTP/1.1 200 OK\r\nContent-Le", ErrorKind::Transient}},
      {"cut in the body", {"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", ErrorKind::Transient}},
      {"cut in a chunk",
       {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\nabc", ErrorKind::Transient}},
      {"cut between chunks",
       {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", ErrorKind::Transient}},
      {"no chunk size",
       {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nhello\r\n", ErrorKind::Malformed}},
      {"not HTTP", {"SSH-2.0-OpenSSH_9.2\r\n\r\n", ErrorKind::Malformed}}};
  for (const auto& [name, expected] : cases) {
    ScriptedServer server([&bytes = expected.first](Connection& connection) {
      connection.receive();
      connection.write(bytes);
    });
    const auto response = clientOf(server)->send({});
    ASSERT_FALSE(response) << name;
    EXPECT_EQ(response.error().kind, expected.second) << name << ": " << response.error().message;
  }
}

TEST(Send, ARefusedConnectionIsTransient) {
  std::string url;
  {
    url = ScriptedServer([](Connection&) {}).url();
  }
  HttpEndpoint endpoint;
  endpoint.url = url;
  const auto response = makeHttpClient(endpoint)->send({});
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().kind, ErrorKind::Transient);
  EXPECT_EQ(response.error().message, "GET " + url + ": the connection is refused");
}

TEST(Send, SaysWhatIsWrongWithTheAddress) {
  for (const std::string url : {"", "localhost:80", "ftp://localhost", "http://", "http://::1:80"}) {
    HttpEndpoint endpoint;
    endpoint.url = url;
    const auto response = makeHttpClient(endpoint)->send({});
    ASSERT_FALSE(response) << url;
    EXPECT_EQ(response.error().kind, ErrorKind::Invalid) << url << ": " << response.error().message;
  }
}

TEST(Send, RefusesAPathThatIsNotEncoded) {
  ScriptedServer server(answering([](const ReceivedRequest&, Connection& c) { c.reply(200, ""); }));
  HttpRequest request;
  request.path = "/a path with spaces";
  const auto response = clientOf(server)->send(request);
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().kind, ErrorKind::Invalid);
}

TEST(Send, CallsRunSideBySide) {
  // Each answer waits until all requests are there, so that one after the other would never end.
  constexpr int kCalls = 8;
  std::atomic<int> arrived = 0;
  ScriptedServer server(answering([&](const ReceivedRequest& request, Connection& connection) {
    ++arrived;
    while (arrived < kCalls) std::this_thread::yield();
    connection.reply(200, request.path);
  }));
  const auto client = clientOf(server);
  std::atomic<int> right = 0;
  {
    std::vector<std::jthread> callers;
    for (int i = 0; i < kCalls; ++i) {
      callers.emplace_back([&, i] {
        HttpRequest request;
        request.path = "/" + std::to_string(i);
        const auto response = client->send(request);
        if (response && response->body == request.path) ++right;
        arrived = kCalls;  // so that a failed call does not hang the others
      });
    }
  }
  EXPECT_EQ(right, kCalls);
}

TEST(Send, AClientMayGoWhileAnAbandonedRequestIsUnderWay) {
  ScriptedServer server([](Connection& c) { (c.receive(), c.waitForClose()); });
  HttpRequest request;
  request.deadline = Seconds(0.05);
  for (int i = 0; i < 20; ++i) EXPECT_FALSE(clientOf(server)->send(request));
}

}  // namespace
}  // namespace slaq::http
