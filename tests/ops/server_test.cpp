#include "ops/server.h"

#include <gmock/gmock.h>
#include <zlib.h>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <deque>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "http/client.h"
#include "support/certificates.h"
#include "support/scripted_server.h"
#include "support/stalled_clients.h"

namespace slaq::ops {
namespace {

using ::testing::HasSubstr;

Pages pages() {
  return {[] { return Health{}; },
          [] {
            return Health{true, "leader"};
          },
          [] { return "slaq_epochs_total 3\n"; }};
}

std::unique_ptr<Server> serve(Pages given, Options options = {}) {
  options.address = "127.0.0.1";
  auto server = Server::listen(options, std::move(given));
  if (!server) throw std::runtime_error(server.error().message);
  return std::move(*server);
}

// Without a host it is reached by both families, so that clusters of either can probe it.
void expectServed(const Server& server, const std::string& host) {
  http::HttpEndpoint endpoint;
  endpoint.url = "http://" + host + ":" + std::to_string(server.port());
  const auto response = makeHttpClient(endpoint)->send({.path = "/healthz"});
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->status, 200);
}

http::HttpResponse ask(const Server& server, const std::string& path, const std::string& method = "GET") {
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

std::string decompressed(std::string gzip, std::size_t size) {
  std::string text(size + 1, '\0');
  z_stream stream{};
  inflateInit2(&stream, 15 + 16);
  stream.next_in = reinterpret_cast<Bytef*>(gzip.data());
  stream.avail_in = static_cast<uInt>(gzip.size());
  stream.next_out = reinterpret_cast<Bytef*>(text.data());
  stream.avail_out = static_cast<uInt>(text.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  text.resize(stream.total_out);
  inflateEnd(&stream);
  return text;
}

TEST(OpsServer, ServesIPv4WithoutAnAddress) {
  const auto server = Server::listen({.address = ""}, pages());
  ASSERT_TRUE(server) << server.error().message;
  expectServed(**server, "127.0.0.1");
}

TEST(OpsServer, ServesIPv6WithoutAnAddress) {
  const auto server = Server::listen({.address = ""}, pages());
  ASSERT_TRUE(server) << server.error().message;
  expectServed(**server, "[::1]");
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

TEST(OpsServer, CompressesMetricsForWhoTakesThat) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "slaq_job_loss{training_job=\"" + std::to_string(i) + "\"} 0.5\n";
  Pages given = pages();
  given.metrics = [&] { return text; };
  const auto server = serve(given);
  http::HttpEndpoint endpoint;
  endpoint.url = "http://127.0.0.1:" + std::to_string(server->port());
  http::HttpRequest request;
  request.path = "/metrics";
  request.headers = {{"Accept-Encoding", "gzip"}};
  auto answer = makeHttpClient(endpoint)->send(request);
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_LT(answer->body.size(), text.size() / 5);
  EXPECT_EQ(decompressed(answer->body, text.size()), text);
  EXPECT_EQ(ask(*server, "/metrics").body, text);
}

TEST(OpsServer, SaysWhyItIsNotReady) {
  Pages given = pages();
  given.healthy = [] { return Health{false, "no epoch for 120 s"}; };
  given.ready = [] { return Health{false, ""}; };
  const auto server = serve(given);
  EXPECT_EQ(ask(*server, "/healthz").status, 503);
  EXPECT_EQ(ask(*server, "/healthz").body, "no epoch for 120 s\n");
  EXPECT_EQ(ask(*server, "/readyz").status, 503);
}

TEST(OpsServer, AsksAnewEachTime) {
  int scrapes = 0;
  Pages given = pages();
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

// Counts up for each reader by itself, one at a time.
Events counting(int last) {
  return [last, count = 0]() mutable -> std::optional<std::string> {
    return count < last ? std::optional(std::to_string(++count)) : std::nullopt;
  };
}

// One reader of events.
class Reader {
 public:
  explicit Reader(int port, const std::string& header = "") : socket_(context_) {
    socket_.connect({boost::asio::ip::make_address("127.0.0.1"), static_cast<unsigned short>(port)});
    boost::asio::write(socket_, boost::asio::buffer("GET /events HTTP/1.1\r\nHost: a\r\n" + header + "\r\n"));
  }

  // Waits for that text, and returns what the server sent up to it.
  std::string until(const std::string& text) {
    std::string told;
    const auto size = boost::asio::read_until(socket_, boost::asio::dynamic_buffer(told_), text);
    told = told_.substr(0, size);
    told_.erase(0, size);
    return told;
  }

  // The number of bytes until the server ends the connection.
  std::size_t rest() {
    boost::system::error_code end;
    boost::asio::read(socket_, boost::asio::dynamic_buffer(told_), end);
    return told_.size();
  }

 private:
  boost::asio::io_context context_;
  boost::asio::ip::tcp::socket socket_;
  std::string told_;
};

TEST(OpsServer, TellsEachReaderOfEventsAllOfThem) {
  const auto server = serve({.events = [] { return counting(3); }});
  Reader first(server->port());
  const auto head = first.until("\r\n\r\n");
  EXPECT_THAT(head, HasSubstr("Content-Type: text/event-stream\r\n"));
  EXPECT_THAT(head, testing::Not(HasSubstr("Content-Length")));
  EXPECT_EQ(first.until("data: 3\n\n"), "data: 1\n\ndata: 2\n\ndata: 3\n\n");
  Reader second(server->port());
  second.until("\r\n\r\n");
  EXPECT_EQ(second.until("data: 1\n\n"), "data: 1\n\n");
}

TEST(OpsServer, TellsAHundredReadersOfEventsAndAnswersOthers) {
  Pages given = pages();
  given.events = [] { return counting(1000000); };
  const auto server = serve(given);
  std::deque<Reader> readers;
  for (int i = 0; i < 100; ++i) readers.emplace_back(server->port()).until("data: 1\n\n");
  EXPECT_EQ(ask(*server, "/metrics").status, 200);
  for (auto& reader : readers) reader.until("data: 3\n\n");
}

// One event is of more than a socket takes at once.
TEST(OpsServer, TellsLargeEventsWhole) {
  const std::string large(8 << 20, 'x');
  const auto server = serve({.events = [&]() -> Events {
    return [&, told = false]() mutable {
      return std::exchange(told, true) ? std::nullopt : std::optional(large + "end");
    };
  }});
  EXPECT_GT(Reader(server->port()).until("end\n\n").size(), large.size());
}

TEST(OpsServer, EndsTheConnectionWhereAnEventThrows) {
  const auto server = serve({.healthy = [] { return Health{}; },
                             .events = []() -> Events {
                               return []() -> std::optional<std::string> { throw std::runtime_error("no"); };
                             }});
  EXPECT_THROW(Reader(server->port()).until("data:"), boost::system::system_error);
  EXPECT_EQ(ask(*server, "/healthz").status, 200);
}

// The client begins to read when the server waits for it already.
TEST(OpsServer, EndsWhenReadersOfEventsHaveGotThemAll) {
  const std::string large(8 << 20, 'x');
  auto server = serve({.events = [&]() -> Events {
    return [&, left = 3]() mutable { return left-- > 0 ? std::optional(large) : std::nullopt; };
  }});
  Reader reader(server->port());
  reader.until("data: ");
  std::thread ending([&] { server->endEvents(Seconds(60)); });
  EXPECT_EQ(reader.rest(),
            3 * large.size() + 2 * std::string("data: ").size() + 3 * std::string("\n\n").size());
  ending.join();
}

TEST(OpsServer, DoesNotWaitForeverForReadersOfEvents) {
  const std::string large(64 << 20, 'x');
  auto server = serve({.events = [&]() -> Events { return [&] { return std::optional(large); }; }});
  Reader stalled(server->port());
  stalled.until("data: ");
  server->endEvents(Seconds(0.1));
}

TEST(OpsServer, TellsNoPageOfAnotherSiteOfEvents) {
  const auto server = serve({.events = [] { return counting(1); }});
  for (const std::string site : {"cross-site", "same-site"}) {
    const auto raw = test::exchangeRaw(
        server->port(), "GET /events HTTP/1.1\r\nHost: x\r\nSec-Fetch-Site: " + site + "\r\n\r\n");
    EXPECT_EQ(raw.substr(9, 3), "403") << site;
  }
  for (const std::string site : {"same-origin", "none"})
    Reader(server->port(), "Sec-Fetch-Site: " + site + "\r\n").until("data: 1\n\n");
}

TEST(OpsServer, ServesAPage) {
  const auto server = serve({.web = [] { return "<p>"; }});
  EXPECT_EQ(ask(*server, "/").body, "<p>");
  const auto raw = test::exchangeRaw(server->port(), "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  for (const char* header : {"Content-Type: text/html; charset=utf-8\r\n", "X-Frame-Options: DENY\r\n",
                             "X-Content-Type-Options: nosniff\r\n"})
    EXPECT_THAT(raw, HasSubstr(header));
  EXPECT_EQ(ask(*server, "/events").status, 404);
}

TEST(OpsServer, AnswersOnlyToItsNames) {
  const auto server = serve(pages(), {.hosts = {"localhost", "::1"}});
  const auto statusFor = [&](const std::string& host) {
    return test::exchangeRaw(server->port(), "GET /healthz HTTP/1.1\r\nHost: " + host + "\r\n\r\n")
        .substr(9, 3);
  };
  for (const char* host : {"localhost", "localhost:8484", "[::1]:8484", "[::1]"})
    EXPECT_EQ(statusFor(host), "200") << host;
  for (const char* host : {"slaq.example", "localhost.example:80", "", "[::1"})
    EXPECT_EQ(statusFor(host), "403") << host;
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

TEST(OpsServer, HasNoPageThatItIsNotGiven) {
  const auto server = serve({.healthy = [] { return Health{}; }});
  EXPECT_EQ(ask(*server, "/healthz").status, 200);
  EXPECT_EQ(ask(*server, "/metrics").status, 404);
  EXPECT_EQ(ask(*server, "/metrics").body, "Here is /healthz.\n");
}

// More than it keeps at once, in each state in which a client can stall.
TEST(OpsServer, AnswersHoweverManyClientsStall) {
  const auto server = serve(pages());
  for (const std::string sent : {"", "GET /metr", "GET /metrics HTTP/1.1\r\nHost: x\r\n"}) {
    const test::StalledClients clients(server->port(), 300, sent);
    EXPECT_EQ(ask(*server, "/healthz").status, 200) << sent;
  }
}

// It takes longer for all than the server waits for a step.
TEST(OpsServer, LetsAClientReadSlowlyThatGoesOnReading) {
  const std::string text(20 << 20, 'x');
  Pages given = pages();
  given.metrics = [&] { return text; };
  const auto server = serve(given, {.patience = Seconds(3)});
  boost::asio::io_context context;
  boost::asio::ip::tcp::socket socket(context);
  socket.open(boost::asio::ip::tcp::v4());
  socket.set_option(boost::asio::socket_base::receive_buffer_size(64 * 1024));
  socket.connect({boost::asio::ip::make_address("127.0.0.1"), static_cast<unsigned short>(server->port())});
  boost::asio::write(socket, boost::asio::buffer(std::string("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n")));
  std::string part(1 << 20, '\0');
  std::size_t read = 0;
  for (boost::system::error_code end; !end;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    read += boost::asio::read(socket, boost::asio::buffer(part), end);
  }
  EXPECT_GT(read, text.size());
}

TEST(OpsServer, ReadsNoEndlessRequest) {
  const auto server = serve(pages());
  const std::string endless(1 << 20, 'x');
  EXPECT_EQ(test::exchangeRaw(server->port(), "GET /metrics?" + endless), "");
  EXPECT_EQ(test::exchangeRaw(server->port(), "POST / HTTP/1.1\r\nContent-Length: 999999\r\n\r\n" + endless),
            "");
  EXPECT_EQ(ask(*server, "/healthz").status, 200);
}

TEST(OpsServer, AsksWhoMayRead) {
  const auto authorize = [](const std::string& token) -> Result<void> {
    if (token == "good") return {};
    if (token == "other") return failure(ErrorKind::Forbidden, "other has no right");
    if (token == "down") return failure(ErrorKind::Transient, "nobody knows");
    return failure(ErrorKind::Invalid, "who is that");
  };
  const auto server = serve(pages(), {.authorize = authorize});
  const auto statusWith = [&](const std::string& header) {
    http::HttpRequest request;
    request.path = "/metrics";
    if (!header.empty()) request.headers["Authorization"] = header;
    return http::makeHttpClient({.url = "http://127.0.0.1:" + std::to_string(server->port())})
        ->send(request)
        ->status;
  };
  EXPECT_EQ(statusWith("Bearer good"), 200);
  EXPECT_EQ(statusWith("Bearer other"), 403);
  EXPECT_EQ(statusWith("Bearer down"), 503);
  EXPECT_EQ(statusWith("Bearer bad"), 401);
  EXPECT_EQ(statusWith("Basic good"), 401);
  EXPECT_EQ(statusWith(""), 401);
}

// PEM files of a server's certificate.
class EncryptedOpsServer : public ::testing::Test {
 protected:
  EncryptedOpsServer() { write(authority); }

  void write(const test::Authority& by) const {
    const test::Identity identity = by.sign({.subjectAltName = "IP:127.0.0.1"});
    std::ofstream(options.certificateFile) << identity.certificatePem;
    std::ofstream(options.keyFile) << identity.keyPem;
  }

  Result<http::HttpResponse> askTrusting(const Server& server, const test::Authority& trusted) const {
    http::HttpRequest request;
    request.path = "/metrics";
    return http::makeHttpClient(
               {.url = "https://127.0.0.1:" + std::to_string(server.port()), .caPem = trusted.pem()})
        ->send(request);
  }

  const std::string folder =
      ::testing::TempDir() + ::testing::UnitTest::GetInstance()->current_test_info()->name();
  const Options options{
      .address = "127.0.0.1", .certificateFile = folder + ".crt", .keyFile = folder + ".key"};
  const test::Authority authority;
};

TEST_F(EncryptedOpsServer, ServesOverTlsAlone) {
  const auto server = serve(pages(), options);
  const auto answer = askTrusting(*server, authority);
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->body, "slaq_epochs_total 3\n");
  EXPECT_FALSE(askTrusting(*server, test::Authority()));
  EXPECT_EQ(test::exchangeRaw(server->port(), "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n").find("slaq"),
            std::string::npos);
}

TEST_F(EncryptedOpsServer, TakesACertificateThatWasReplaced) {
  const auto server = serve(pages(), options);
  ASSERT_TRUE(askTrusting(*server, authority));
  const test::Authority next;
  write(next);
  EXPECT_TRUE(askTrusting(*server, next));
  EXPECT_FALSE(askTrusting(*server, authority));
  std::ofstream(options.certificateFile) << "half a file";
  EXPECT_FALSE(askTrusting(*server, next));
  write(next);
  EXPECT_TRUE(askTrusting(*server, next));
}

TEST_F(EncryptedOpsServer, RefusesFilesThatAreNoCertificateWithItsKey) {
  const auto messageFor = [&](const std::string& certificate, const std::string& key) {
    const auto server =
        Server::listen({.address = "127.0.0.1", .certificateFile = certificate, .keyFile = key}, pages());
    return server ? "" : server.error().message;
  };
  EXPECT_THAT(messageFor("/none.crt", options.keyFile), HasSubstr("/none.crt is no PEM certificate"));
  EXPECT_THAT(messageFor(options.certificateFile, "/none.key"), HasSubstr("/none.key is no PEM key of"));
  std::ofstream(options.keyFile) << authority.sign({.subjectAltName = "IP:127.0.0.1"}).keyPem;
  EXPECT_THAT(messageFor(options.certificateFile, options.keyFile), HasSubstr("is no PEM key of"));
}

TEST(OpsServer, AThrowingPageIsAnAnswerToo) {
  Pages given = pages();
  given.metrics = []() -> std::string { throw std::runtime_error("no registry"); };
  const auto server = serve(given);
  EXPECT_EQ(ask(*server, "/metrics").status, 500);
  EXPECT_EQ(ask(*server, "/healthz").status, 200);
}

TEST(OpsServer, APortThatIsTakenIsAnError) {
  const auto first = serve(pages());
  const auto second = Server::listen({.address = "127.0.0.1", .port = first->port()}, pages());
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message, HasSubstr("127.0.0.1:" + std::to_string(first->port())));
  EXPECT_FALSE(Server::listen({.address = "192.0.2.1"}, pages())) << "an address of nobody";
  EXPECT_FALSE(Server::listen({.address = "nowhere"}, pages())) << "no address";
}

TEST(OpsServer, LeavesItsPortFree) {
  int port = 0;
  {
    const auto server = serve(pages());
    port = server->port();
    EXPECT_EQ(ask(*server, "/healthz").status, 200);
  }
  const auto again = Server::listen({.address = "127.0.0.1", .port = port}, pages());
  EXPECT_TRUE(again) << again.error().message;
}

}  // namespace
}  // namespace slaq::ops
