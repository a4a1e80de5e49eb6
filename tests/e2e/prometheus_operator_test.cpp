// The chart's ServiceMonitor, PodMonitor and PrometheusRule, as the Prometheus operator itself reads them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string>

#include "end_to_end.h"
#include "manifests.h"
#include "operated_prometheus.h"

namespace slaq::e2e {
namespace {

using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

// The names of the chart's alerts, each evaluated.
std::map<std::string, std::string> allAlerts() {
  std::ifstream file(SLAQ_SOURCE_DIR "/charts/slaq/files/alerts.yaml");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::regex pattern("- alert: (\\w+)");
  std::map<std::string, std::string> names;
  for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it)
    names[(*it)[1]] = "ok";
  return names;
}

class PrometheusOperator : public EndToEnd {
 protected:
  void SetUp() override {
    EndToEnd::SetUp();
    if (!cluster().prometheusOperatorUp()) {
      const char* ci = std::getenv("CI");
      ASSERT_FALSE(ci != nullptr && std::string(ci) == "true") << "there must be one";
      GTEST_SKIP() << "THE PROMETHEUS OPERATOR CAN'T BE BUILT HERE";
    }
    prometheus_.emplace(cluster());
    // The namespace of the operated Prometheus is the chart's default; the monitors carry the label that it
    // selects.
    configure(
        "replicas=2,podMonitor.enabled=true,podMonitor.labels.release=rig,serviceMonitor.enabled=true,"
        "serviceMonitor.labels.release=rig,serviceMonitor.interval=1s,prometheusRule.enabled=true,"
        "prometheusRule.labels.release=rig,"
        "config.loss.prometheus.serverAddress=http://prometheus-operated.monitoring.svc:9090,"
        "config.limits." +
        cluster().ns + ".cores=1");
  }
  // Helm takes the monitors back before their definitions go.
  void TearDown() override {
    EndToEnd::TearDown();
    if (prometheus_) cluster().prometheusOperatorDown();
  }

  const OperatedPrometheus& prometheus() const { return *prometheus_; }

  // The pods among the targets that are up, as `kubectl -o name` would have them, one in a line.
  std::string controllersThatAreUp() const {
    std::set<std::string> pods;
    for (auto& target : prometheus().ask("up{namespace=\"slaq-system\",service=\"slaq\"} == 1"))
      pods.insert("pod/" + target["pod"] + "\n");
    std::string lines;
    for (const auto& pod : pods) lines += pod;
    return lines;
  }

  // Whether the job's loss comes with all that says whose it is.
  void expectLabelsOf(const std::string& job) const {
    const Labels expected = {{"namespace", cluster().ns},
                             {"slaq_io_job", job},
                             {"slaq_io_role", "driver"},
                             {"slaq_io_job_uid", cluster().value("trainingjob/" + job, "{.metadata.uid}")},
                             {"container", "driver"},
                             {"job", "slaq-system/slaq-training"}};
    const auto found = prometheus().ask("slaq_training_loss{slaq_io_job=\"" + job + "\"}");
    ASSERT_EQ(found.size(), 1);
    EXPECT_THAT(found[0], IsSupersetOf(expected));
  }

 private:
  std::optional<OperatedPrometheus> prometheus_;
};

TEST_F(PrometheusOperator, FindsAllByTheObjectsOfTheChart) {
  apply(learnsLong("first", 1000000));
  apply(learnsLong("second", 1000000));
  ASSERT_TRUE(cluster().eventually("each controller is a target that is up", [&] {
    prometheus().refresh();
    return controllersThatAreUp() == cluster().controllers();
  })) << controllersThatAreUp();
  for (const std::string job : {"first", "second"}) {
    ASSERT_TRUE(cluster().eventually("its loss is read", [&] {
      return condition(job, "MetricsAvailable") == "True" && !status(job, "progress.loss").empty();
    })) << job;
    expectLabelsOf(job);
  }

  Output queries;
  EXPECT_TRUE(cluster().eventually("each query of the dashboards brings data", [&] {
    queries = cluster().dashboardQueries(prometheus().url());
    return queries.code == 0;
  })) << queries.text;
  EXPECT_TRUE(cluster().eventually("each alert is evaluated, and none is due", [&] {
    return prometheus().alerts() == allAlerts() && cluster().alerts(prometheus().url()).empty();
  })) << cluster().alerts(prometheus().url());

  for (const auto& check : {cluster().check(), cluster().helmTest()}) {
    EXPECT_EQ(check.code, 0) << check.text;
    EXPECT_THAT(check.text, HasSubstr("Prometheus scrapes the controller"));
    EXPECT_THAT(check.text, HasSubstr("slaq can do its work on this cluster"));
  }
}

}  // namespace
}  // namespace slaq::e2e
