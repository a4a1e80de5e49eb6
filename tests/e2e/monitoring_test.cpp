// The dashboards and the alerts on a real Prometheus that scrapes the controller and the trainings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "end_to_end.h"
#include "manifests.h"

namespace slaq::e2e {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Monitoring : public EndToEnd {};

TEST_F(Monitoring, EachPanelShowsSomethingAndAlertsTellOfTheirFaultAlone) {
  configure("replicas=2,config.limits." + cluster().ns + ".cores=1");
  apply(learnsLong("first", 1000000));
  apply(learnsLong("second", 1000000));
  Output queries;
  EXPECT_TRUE(cluster().eventually("each query brings data", [&] {
    queries = cluster().dashboardQueries();
    return queries.code == 0;
  })) << queries.text;
  EXPECT_TRUE(
      cluster().eventually("two calm controllers give no alert", [&] { return cluster().alerts().empty(); }));

  cluster().kubectl("scale deployment slaq -n slaq-system --replicas=0");
  cluster().kubectl("wait pods -n slaq-system --for=delete -l app.kubernetes.io/name=slaq --timeout=10m");
  EXPECT_TRUE(cluster().eventually(
      "an alert says so", [&] { return cluster().alerts().find("SlaqNoLeader") != std::string::npos; }));
  EXPECT_THAT(cluster().alerts(), Not(HasSubstr("SlaqWatchStale")));
}

}  // namespace
}  // namespace slaq::e2e
