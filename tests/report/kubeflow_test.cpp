// What a training tells by Kubeflow Trainer's protocol.
#include <gmock/gmock.h>

#include <fstream>

#include "http/client.h"
#include "metrics/status_reader.h"
#include "report/kubeflow/announcement.h"
#include "report/kubeflow/status_server.h"
#include "report/kubeflow/trainer_status.h"

namespace slaq::report {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(TrainerStatus, IsReadAsTransformersWriteIt) {
  const auto status = trainerStatusFrom(
      R"({"trainerStatus": {"lastUpdatedTime": "2026-01-01T00:00:00+00:00", "progressPercentage": 26,
          "metrics": [{"name": "Loss", "value": "0.17"}, {"name": "current_step", "value": 78},
                      {"name": "note", "value": "warm-up"}, {"value": "1"}, 7]}})");
  EXPECT_EQ(status,
            (metrics::TrainerStatus{.percent = 26, .metrics = {{"loss", 0.17}, {"current_step", 78}}}));
  EXPECT_EQ(trainerStatusFrom(R"({"trainerStatus": {}})"), metrics::TrainerStatus());
}

TEST(TrainerStatus, IsNothingElse) {
  for (const char* text : {"", "loss", "[]", "{}", R"({"trainerStatus": 1})", R"({"trainerStatus": {})"})
    EXPECT_EQ(trainerStatusFrom(text), std::nullopt) << text;
  const std::string deep(200'000, '[');
  EXPECT_EQ(trainerStatusFrom(deep), std::nullopt);
}

metrics::TrainerStatus statusOf(std::vector<metrics::NamedValue> values, std::optional<double> percent = {}) {
  return {.percent = percent, .metrics = std::move(values)};
}

TEST(StatusReader, TellsValuesOnceAndAfterTheirStep) {
  metrics::StatusReader reader;
  EXPECT_THAT(reader.read(statusOf({{"total_steps", 300}}, 0)).values, IsEmpty());
  const auto first = reader.read(
      statusOf({{"loss", 0.5}, {"epoch", 1.5}, {"eval_steps_per_second", 9}, {"current_step", 78}}));
  EXPECT_EQ(first.step, 78);
  EXPECT_THAT(first.values,
              ElementsAre(metrics::NamedValue{"loss", 0.5}, metrics::NamedValue{"eval_steps_per_second", 9}));
  EXPECT_THAT(reader.read(statusOf({{"loss", 0.5}, {"current_step", 90}})).values, IsEmpty());
  const auto next = reader.read(statusOf({{"loss", 0.4}, {"eval_loss", 0.6}, {"current_step", 100}}));
  EXPECT_EQ(next.step, 100);
  EXPECT_THAT(next.values, SizeIs(2));
}

// transformers' last status has no step.
TEST(StatusReader, KnowsTheStepAtTheEnd) {
  const auto last = [](double epoch) { return statusOf({{"loss", 0.25}, {"epoch", epoch}}, 100); };
  const auto step = [](double number, double epoch) {
    return statusOf({{"current_step", number}, {"total_steps", 300}, {"current_epoch", epoch}});
  };
  metrics::StatusReader whole;
  whole.read(step(278, 5.56));
  EXPECT_EQ(whole.read(last(6)).step, 300);
  metrics::StatusReader stopped;
  stopped.read(step(150, 3));
  EXPECT_EQ(stopped.read(last(3.2)).step, 160) << "early";
  EXPECT_EQ(stopped.read(last(3.2)).step, 160) << "and again";
  metrics::StatusReader rounded;
  rounded.read(step(150, 0.01));
  EXPECT_EQ(rounded.read(last(0.04)).step, 300) << "never after all steps";
  metrics::StatusReader brief;
  brief.read(statusOf({{"total_steps", 20}}, 0));
  EXPECT_EQ(brief.read(last(1)).step, 20) << "it told no step";
}

TEST(StatusReader, TakesEpochsOfProgramsThatTellNoSteps) {
  metrics::StatusReader reader;
  EXPECT_EQ(reader.read(statusOf({{"loss", 0.5}, {"epoch", 1}})).step, 1);
  EXPECT_EQ(reader.read(statusOf({{"loss", 0.4}})).step, std::nullopt);
}

class StatusServerTest : public ::testing::Test {
 protected:
  int post(const std::string& token, const std::string& body) {
    const std::string url = server_->url();
    const auto path = url.find('/', std::string("http://").size());
    const auto client = http::makeHttpClient({.url = url.substr(0, path)});
    return client
        ->send({.method = "POST",
                .path = url.substr(path),
                .body = body,
                .headers = {{"Authorization", "Bearer " + token}}})
        .value()
        .status;
  }

  std::string token() const {
    std::ifstream file(server_->tokenFile());
    std::string word;
    file >> word;
    return word;
  }

  std::unique_ptr<StatusServer> server_ = StatusServer::start().value();
};

TEST_F(StatusServerTest, TakesStatusesOfThoseWhoHaveTheToken) {
  const std::string status = R"({"trainerStatus": {"progressPercentage": 7}})";
  EXPECT_EQ(token().size(), 32u);
  EXPECT_EQ(post(token(), status), 200);
  EXPECT_THAT(server_->take(), ElementsAre(metrics::TrainerStatus{.percent = 7}));
  EXPECT_THAT(server_->take(), IsEmpty());
  EXPECT_EQ(post("other", status), 401);
  EXPECT_EQ(post(token(), "loss 0.5"), 400);
  EXPECT_THAT(server_->take(), IsEmpty());
}

TEST(Announcement, ExceptsTheServerFromProxies) {
  for (const char* variable : {"http_proxy", "HTTP_PROXY", "no_proxy", "NO_PROXY"}) ::unsetenv(variable);
  ::setenv("KUBEFLOW_TRAINER_SERVER_CA_CERT", "/ca", 1);
  announce("http://127.0.0.1:1/status", "/token");
  EXPECT_STREQ(std::getenv("KUBEFLOW_TRAINER_SERVER_URL"), "http://127.0.0.1:1/status");
  EXPECT_STREQ(std::getenv("KUBEFLOW_TRAINER_SERVER_TOKEN"), "/token");
  EXPECT_EQ(std::getenv("KUBEFLOW_TRAINER_SERVER_CA_CERT"), nullptr);
  EXPECT_EQ(std::getenv("no_proxy"), nullptr);
  ::setenv("HTTP_PROXY", "http://proxy", 1);
  announce("", "");
  EXPECT_STREQ(std::getenv("no_proxy"), "127.0.0.1,::1");
  ::setenv("no_proxy", "*", 1);
  ::setenv("NO_PROXY", "example.com", 1);
  announce("", "");
  EXPECT_STREQ(std::getenv("no_proxy"), "*");
  EXPECT_STREQ(std::getenv("NO_PROXY"), "example.com,127.0.0.1,::1");
  for (const char* variable : {"HTTP_PROXY", "no_proxy", "NO_PROXY"}) ::unsetenv(variable);
}

}  // namespace
}  // namespace slaq::report
