#include "report/serve/metrics_server.h"

#include <gmock/gmock.h>

#include <optional>

#include "http/client.h"
#include "local/system/reserved_ports.h"

namespace slaq::report {
namespace {

using ::testing::HasSubstr;

TEST(MetricsPage, ShowsLossAndIterationOfOneReport) {
  EXPECT_EQ(metricsPage({}), "");
  const auto page = metricsPage(Report{12, 0.1});
  EXPECT_THAT(page, HasSubstr("\nslaq_training_loss 0.1\n"));
  EXPECT_THAT(page, HasSubstr("\nslaq_training_iterations_total 12\n"));
}

TEST(MetricsServer, AnswersWithTheNewestReportAndKnowsThatItWasRead) {
  const auto reserved = local::system::reservePorts(1).value();
  const int port = reserved.front().number();
  MetricsServer server(port);
  ASSERT_TRUE(server.listen());
  for (const char* address : {"127.0.0.1", "[::1]"}) {
    const auto client =
        http::makeHttpClient({.url = "http://" + std::string(address) + ":" + std::to_string(port)});
    const auto read = [&] { return client->send({.method = "GET", .path = "/metrics"}).value().body; };
    server.publish({1, 0.5});
    EXPECT_THAT(read(), HasSubstr("slaq_training_loss 0.5\n")) << address;
    server.waitForReader(std::chrono::hours(1));  // no longer than it takes
  }
}

TEST(MetricsServer, SaysThatItsPortIsTakenAndListensOnceItIsFree) {
  const auto reserved = local::system::reservePorts(1).value();
  const int port = reserved.front().number();
  std::optional<MetricsServer> first(port);
  ASSERT_TRUE(first->listen());
  MetricsServer second(port);
  EXPECT_THAT(second.listen().error().message, HasSubstr("port " + std::to_string(port) + " cannot be"));
  EXPECT_FALSE(second.isListening());
  second.publish({1, 0.5});
  first.reset();
  ASSERT_TRUE(second.listen());
  const auto client = http::makeHttpClient({.url = "http://127.0.0.1:" + std::to_string(port)});
  EXPECT_THAT(client->send({.method = "GET", .path = "/metrics"}).value().body,
              HasSubstr("slaq_training_loss 0.5\n"));
}

}  // namespace
}  // namespace slaq::report
