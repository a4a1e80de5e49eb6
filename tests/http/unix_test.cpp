// Requests over a Unix socket.
#include <gmock/gmock.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "http/bounded_requests.h"
#include "local/support.h"
#include "serve/connections.h"
#include "serve/request_loop.h"

namespace slaq::http {
namespace {

using ::testing::HasSubstr;

// Answers each request by a function.
class UnixServer {
 public:
  explicit UnixServer(serve::RequestLoop::Answer answer)
      : loop_(serve::listenOn(path()), 100, std::move(answer)) {}

  std::string path() const { return (directory_ / "a.sock").string(); }
  HttpEndpoint endpoint() const { return {.url = "unix:" + path()}; }

 private:
  const local::TemporaryDirectory directory_;
  serve::RequestLoop loop_;
};

serve::RequestLoop::Answer sending(std::string text) {
  return [text = std::move(text)](int client, const serve::Request&) {
    ::send(client, text.data(), text.size(), MSG_NOSIGNAL);
  };
}

TEST(UnixSend, GivesRequestAndAnswerUnchanged) {
  serve::Request seen;
  const UnixServer server([&](int client, const serve::Request& request) {
    seen = request;
    serve::answerWith(client, "201 Created\r\nRetry-After: 3", "text/plain", std::string("a\0b", 3));
  });
  HttpEndpoint endpoint = server.endpoint();
  endpoint.headers = {{"X-From", "here"}};
  const auto response = makeHttpClient(endpoint)->send(
      {"POST", "/api/v1/x?limit=5", "application/json", "{\"a\":1}", {{"X-Mine", "yes"}}});
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->status, 201);
  EXPECT_EQ(response->body, std::string("a\0b", 3));
  EXPECT_EQ(response->retryAfter, Seconds(3));
  EXPECT_THAT(seen.head, HasSubstr("POST /api/v1/x?limit=5 HTTP/1.1\r\n"));
  EXPECT_EQ(serve::headerOf(seen, "content-type"), "application/json");
  EXPECT_EQ(serve::headerOf(seen, "x-from"), "here");
  EXPECT_EQ(serve::headerOf(seen, "x-mine"), "yes");
  EXPECT_EQ(seen.body, "{\"a\":1}");
}

TEST(UnixSend, MayBeRepeated) {
  int count = 0;
  const UnixServer server([&](int client, const serve::Request&) {
    serve::answerWith(client, "200 OK", "text/plain", std::to_string(++count));
  });
  const auto client = makeHttpClient(server.endpoint());
  EXPECT_EQ(client->send({}).value().body, "1");
  EXPECT_EQ(client->send({}).value().body, "2");
}

TEST(UnixSend, SaysWhatConnectSaid) {
  const local::TemporaryDirectory directory;
  const std::string path = (directory / "a.sock").string();
  const auto client = makeHttpClient({.url = "unix:" + path});
  const auto nothing = client->send({.path = "/x?y"});
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().kind, ErrorKind::Transient);
  EXPECT_EQ(nothing.error().message, "GET unix:" + path + "/x: No such file or directory");
  ::close(serve::listenOn(path));
  EXPECT_THAT(client->send({}).error().message, HasSubstr("the connection is refused"));
}

TEST(UnixSend, EndsAtItsDeadline) {
  const UnixServer server([](int client, const serve::Request&) {
    pollfd gone{client, POLLIN, 0};
    ::poll(&gone, 1, -1);  // until the client gives up
  });
  const auto response = makeHttpClient(server.endpoint())->send({.deadline = Seconds(0.2)});
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().kind, ErrorKind::Transient);
  EXPECT_THAT(response.error().message, HasSubstr("no whole answer within 0.2 s"));
}

TEST(UnixSend, DoesNotWaitForEverForAServerThatTakesNoConnection) {
  const local::TemporaryDirectory directory;
  const std::string path = (directory / "a.sock").string();
  const int listening = serve::listenOn(path);
  ::listen(listening, 0);
  const auto client = makeHttpClient({.url = "unix:" + path});
  std::string said;
  for (int i = 0; i < 3; ++i) said = client->send({.deadline = Seconds(0.1)}).error().message;
  EXPECT_THAT(said, HasSubstr("the server takes no connection"));
  ::close(listening);
}

TEST(UnixSend, TakesNoLongerAnswerThanAllowed) {
  const UnixServer server([](int client, const serve::Request&) {
    serve::answerWith(client, "200 OK", "text/plain", std::string(1000, 'x'));
  });
  HttpEndpoint endpoint = server.endpoint();
  endpoint.maxBodyBytes = 1000;
  EXPECT_EQ(makeHttpClient(endpoint)->send({}).value().body.size(), 1000u);
  const auto response = makeHttpClient(endpoint)->send({.maxBodyBytes = 999});
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().kind, ErrorKind::Malformed);
  EXPECT_THAT(response.error().message, HasSubstr("the answer is longer than 999 bytes"));
}

TEST(UnixSend, KnowsWhatIsNoAnswer) {
  const UnixServer garbage(sending("nothing that a server says\r\n\r\n"));
  const auto read = makeHttpClient(garbage.endpoint())->send({});
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().kind, ErrorKind::Malformed);
  const UnixServer cut(sending("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"));
  const auto half = makeHttpClient(cut.endpoint())->send({});
  ASSERT_FALSE(half);
  EXPECT_EQ(half.error().kind, ErrorKind::Transient);
  EXPECT_THAT(half.error().message, HasSubstr("the connection broke"));
}

TEST(UnixSend, GivesTheAnswerToARequestThatWasNotReadToItsEnd) {
  const UnixServer server([](int client, const serve::Request&) {
    serve::answerWith(client, "413 Payload Too Large", "text/plain", "too much");
  });
  HttpRequest request{.method = "POST"};
  request.body = std::string(8u << 20, 'x');
  const auto response = makeHttpClient(server.endpoint())->send(request);
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->status, 413);
  EXPECT_EQ(response->body, "too much");
}

TEST(UnixEndpoint, IsCheckedWithoutAServer) {
  EXPECT_TRUE(check({.url = "unix:/run/slaq/slaq.sock"}));
  for (const std::string& path : {std::string(), std::string("slaq.sock"), "/" + std::string(108, 'x')}) {
    const auto checked = check({.url = "unix:" + path});
    ASSERT_FALSE(checked) << path;
    EXPECT_EQ(checked.error().kind, ErrorKind::Invalid);
    EXPECT_EQ(makeHttpClient({.url = "unix:" + path})->send({}).error(), checked.error());
  }
}

TEST(UnixEndpoint, HasNoStreams) {
  const auto client = makeHttpClient({.url = "unix:/nowhere"});
  const auto line = [](const std::string&) { return true; };
  EXPECT_EQ(client->stream({}, line, {}).error().kind, ErrorKind::Invalid);
}

}  // namespace
}  // namespace slaq::http
