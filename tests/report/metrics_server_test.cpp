#include "report/serve/metrics_server.h"

#include <gmock/gmock.h>

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
  const auto server = MetricsServer::start(port).value();
  for (const char* address : {"127.0.0.1", "[::1]"}) {
    const auto client =
        http::makeHttpClient({.url = "http://" + std::string(address) + ":" + std::to_string(port)});
    const auto read = [&] { return client->send({.method = "GET", .path = "/metrics"}).value().body; };
    server->publish({1, 0.5});
    EXPECT_THAT(read(), HasSubstr("slaq_training_loss 0.5\n")) << address;
    server->waitForReader(std::chrono::hours(1));  // no longer than it takes
  }
}

TEST(MetricsServer, SaysThatItsPortIsTaken) {
  const auto reserved = local::system::reservePorts(1).value();
  const int port = reserved.front().number();
  const auto first = MetricsServer::start(port).value();
  EXPECT_THAT(MetricsServer::start(port).error().message,
              HasSubstr("port " + std::to_string(port) + " cannot be"));
}

}  // namespace
}  // namespace slaq::report
