#include <gmock/gmock.h>

#include <atomic>
#include <future>
#include <thread>

#include "http/bounded_requests.h"

namespace slaq::http {
namespace {

using test::answering;
using test::Connection;
using test::ReceivedRequest;
using test::ScriptedServer;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Watched {
  std::vector<std::string> lines;
  Result<HttpResponse> result;
};

Watched watch(const HttpEndpoint& endpoint, Seconds silence = kBound, std::size_t wanted = SIZE_MAX) {
  Watched watched;
  HttpRequest request;
  request.path = "/watch";
  request.deadline = silence;
  watched.result = makeHttpClient(endpoint)->stream(request,
                                                    [&](const std::string& line) {
                                                      watched.lines.push_back(line);
                                                      return watched.lines.size() < wanted;
                                                    },
                                                    {});
  return watched;
}

TEST(Stream, JoinsLinesOverChunksUntilTheEnd) {
  ScriptedServer server([](Connection& c) {
    c.receive();
    c.startStream();
    c.chunk("one\ntw");
    c.chunk("o\nth");
    c.chunk("ree\n");
    c.endStream();
  });
  const Watched watched = watch(endpointOf(server));
  ASSERT_TRUE(watched.result) << watched.result.error().message;
  EXPECT_EQ(watched.result->status, 200);
  EXPECT_THAT(watched.lines, ElementsAre("one", "two", "three"));
}

TEST(Stream, DeliversALineBeforeTheNextOneIsSent) {
  std::promise<void> delivered;
  ScriptedServer server([&, known = delivered.get_future().share()](Connection& c) {
    c.receive();
    c.startStream();
    c.chunk("first\n");
    known.wait_for(kBound);
    c.chunk("second\n");
    c.endStream();
  });
  const auto client = makeHttpClient(endpointOf(server));
  std::vector<std::string> lines;
  const auto result = client->stream({},
                                     [&](const std::string& line) {
                                       if (lines.empty()) delivered.set_value();
                                       lines.push_back(line);
                                       return true;
                                     },
                                     {});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_THAT(lines, ElementsAre("first", "second"));
}

TEST(Stream, NeverDeliversHalfALineAtACut) {
  const std::map<std::string, std::vector<std::string>> cases = {
      {"in the middle of a chunk", {"6\r\nwhole\n\r\n", "a\r\nhal"}},
      {"after a chunk that ends within a line", {"6\r\nwhole\n\r\n", "4\r\nhalf\r\n"}}};
  for (const auto& [name, pieces] : cases) {
    ScriptedServer server([&pieces](Connection& c) {
      c.receive();
      c.startStream();
      for (const auto& piece : pieces) c.write(piece);
    });
    const Watched watched = watch(endpointOf(server));
    ASSERT_FALSE(watched.result) << name;
    EXPECT_EQ(watched.result.error().kind, ErrorKind::Transient) << name;
    EXPECT_THAT(watched.lines, ElementsAre("whole")) << name;
  }
}

TEST(Stream, ALineWithoutItsNewlineIsNotWhole) {
  ScriptedServer server([](Connection& c) {
    c.receive();
    c.startStream();
    c.chunk("whole\nhalf");
    c.endStream();
  });
  EXPECT_THAT(watch(endpointOf(server)).lines, ElementsAre("whole"));
}

TEST(Stream, EndsWhenNoMoreIsWanted) {
  std::promise<void> closed;
  ScriptedServer server([&](Connection& c) {
    c.receive();
    c.startStream();
    c.chunk("one\ntwo\nthree\n");
    c.waitForClose();
    closed.set_value();
  });
  const Watched watched = watch(endpointOf(server), kBound, 2);
  ASSERT_TRUE(watched.result) << watched.result.error().message;
  EXPECT_THAT(watched.lines, ElementsAre("one", "two"));
  EXPECT_EQ(closed.get_future().wait_for(kBound), std::future_status::ready) << "the connection is closed";
}

TEST(Stream, SilenceAfterALineIsAnError) {
  ScriptedServer server([](Connection& c) {
    c.receive();
    c.startStream();
    c.chunk("one\n");
    c.waitForClose();
  });
  Watched watched;
  for (int tries = 0; tries < 20 && watched.lines.empty(); ++tries)
    watched = watch(endpointOf(server), Seconds(0.3));  // the line itself may come too late on a busy machine
  ASSERT_FALSE(watched.result);
  EXPECT_EQ(watched.result.error().kind, ErrorKind::Transient);
  EXPECT_THAT(watched.result.error().message, HasSubstr("nothing came for 0.3 s"));
  EXPECT_THAT(watched.lines, ElementsAre("one"));
}

TEST(Stream, SilenceBeforeTheHeadIsAnError) {
  ScriptedServer server([](Connection& c) { (c.receive(), c.waitForClose()); });
  const Watched watched = watch(endpointOf(server), Seconds(0.3));
  ASSERT_FALSE(watched.result);
  EXPECT_EQ(watched.result.error().kind, ErrorKind::Transient);
}

TEST(Stream, OutlivesItsDeadlineWhileLinesCome) {
  ScriptedServer server([](Connection& c) {
    c.receive();
    c.startStream();
    for (int i = 0; i < 60 && c.chunk("x\n"); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    c.endStream();
  });
  EXPECT_EQ(watch(endpointOf(server), Seconds(5)).lines.size(), 60u);
}

TEST(Stream, StopsWithinABoundWhateverItWaitsFor) {
  const std::map<std::string, ScriptedServer::Script> cases = {
      {"a silent stream",
       [](Connection& c) {
         c.receive();
         c.startStream();
         c.waitForClose();
       }},
      {"the head", [](Connection& c) { (c.receive(), c.waitForClose()); }},
      {"a busy stream", [](Connection& c) {
         c.receive();
         c.startStream();
         while (c.chunk("line\n")) {
         }
       }}};
  for (const auto& [name, script] : cases) {
    std::promise<void> begun;
    ScriptedServer server([&](Connection& c) {
      begun.set_value();
      script(c);
    });
    const auto client = makeHttpClient(endpointOf(server));
    std::chrono::steady_clock::time_point ended;
    std::jthread watcher([&](const std::stop_token& stop) {
      HttpRequest request;
      request.deadline = Seconds(600);
      (void)client->stream(
          request, [](const std::string&) { return true; }, stop);
      ended = std::chrono::steady_clock::now();
    });
    ASSERT_EQ(begun.get_future().wait_for(kBound), std::future_status::ready);
    const auto asked = std::chrono::steady_clock::now();
    watcher.request_stop();
    watcher.join();
    EXPECT_LT(Seconds(ended - asked), kBound) << name;
  }
}

TEST(Stream, AskedToStopBeforeItBegins) {
  ScriptedServer server([](Connection& c) { (c.receive(), c.waitForClose()); });
  std::stop_source source;
  source.request_stop();
  const auto result = makeHttpClient(endpointOf(server))
                          ->stream(
                              {}, [](const std::string&) { return true; }, source.get_token());
  EXPECT_FALSE(result);
}

TEST(Stream, AnotherStatusIsReturnedWithItsBodyAndNoLine) {
  ScriptedServer server(answering([](const ReceivedRequest&, Connection& c) {
    c.reply(410, "{\"reason\":\"Expired\"}\n", "Retry-After: 1\r\n");
  }));
  const Watched watched = watch(endpointOf(server));
  ASSERT_TRUE(watched.result) << watched.result.error().message;
  EXPECT_EQ(watched.result->status, 410);
  EXPECT_EQ(watched.result->body, "{\"reason\":\"Expired\"}\n");
  EXPECT_EQ(watched.result->retryAfter, Seconds(1));
  EXPECT_THAT(watched.lines, IsEmpty());
}

TEST(Stream, RefusesALinePastTheCap) {
  ScriptedServer server([](Connection& c) {
    c.receive();
    c.startStream();
    while (c.chunk(std::string(700, 'x'))) {
    }
  });
  HttpEndpoint endpoint = endpointOf(server);
  endpoint.maxBodyBytes = 1000;
  const Watched watched = watch(endpoint);
  ASSERT_FALSE(watched.result);
  EXPECT_EQ(watched.result.error().kind, ErrorKind::Malformed);
  EXPECT_THAT(watched.result.error().message, HasSubstr("line"));
}

TEST(Stream, ASlowReaderHoldsTheSenderBack) {
  constexpr std::size_t kMuch = 64u << 20;  // more than all buffers on the way
  std::atomic<std::size_t> sent = 0;
  const std::string chunk = std::string(1023, 'x') + "\n";
  ScriptedServer server([&](Connection& c) {
    c.receive();
    c.startStream();
    while (c.chunk(chunk)) sent += chunk.size();
  });
  // Reads nothing more until the sender stands still.
  const auto waitForStandstill = [&] {
    for (std::size_t before = 0; (before != sent || sent == 0) && sent < kMuch;) {
      before = sent;
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
    }
  };
  std::size_t read = 0;
  std::size_t sentUnread = 0;
  const auto result = makeHttpClient(endpointOf(server))
                          ->stream({},
                                   [&](const std::string&) {
                                     if (read == 0) {
                                       waitForStandstill();
                                       sentUnread = sent;
                                     }
                                     return ++read < 100'000;
                                   },
                                   {});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_LT(sentUnread, kMuch);
  EXPECT_EQ(read, 100'000u) << "and the sender goes on once it is read";
}

}  // namespace
}  // namespace slaq::http
