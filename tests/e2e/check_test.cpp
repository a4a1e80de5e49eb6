// `slaq check`, which says what keeps the operator from its work, and `helm test`, which runs it in the
// cluster.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "end_to_end.h"
#include "manifests.h"

namespace slaq::e2e {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Check : public EndToEnd {};

TEST_F(Check, FindsNothingWhereAllIsWell) {
  apply(learnsLong("training", 1000000));
  ASSERT_TRUE(cluster().eventually("its loss is read",
                                   [&] { return condition("training", "MetricsAvailable") == "True"; }));
  const auto outside = cluster().check();
  EXPECT_EQ(outside.code, 0) << outside.text;
  EXPECT_THAT(outside.text, HasSubstr("the loss is read of all that need one, 1"));
  EXPECT_THAT(outside.text, HasSubstr("no check failed"));  // Prometheus is no service here
  const auto inside = cluster().helmTest();
  EXPECT_EQ(inside.code, 0) << inside.text;
  EXPECT_THAT(inside.text, HasSubstr("Prometheus scrapes the controller"));
  EXPECT_THAT(inside.text, HasSubstr("slaq can do its work on this cluster"));
}

TEST_F(Check, NamesWhatIsAmissAndWhatMendsIt) {
  configure("config.mode=Schedule");  // so that all is put back afterwards
  cluster().kubectl(
      "patch clusterrole slaq --type=json -p '[{\"op\": \"test\", \"path\": \"/rules/5/resources/0\", "
      "\"value\": "
      "\"pods/resize\"}, {\"op\": \"remove\", \"path\": \"/rules/5\"}]'");
  const auto right = cluster().check();
  EXPECT_EQ(right.code, 1);
  EXPECT_THAT(right.text, HasSubstr("system:serviceaccount:slaq-system:slaq may not patch pods/resize"));
  EXPECT_THAT(right.text,
              HasSubstr("-> helm -n slaq-system upgrade slaq charts/slaq --reset-then-reuse-values"));
  EXPECT_NE(cluster().helmTest().code, 0);

  cluster().kubectl("scale deployment slaq -n slaq-system --replicas=0");
  cluster().kubectl("wait pods -n slaq-system --for=delete -l app.kubernetes.io/name=slaq --timeout=10m");
  cluster().kubectl("delete lease slaq-controller -n slaq-system");
  const auto none = cluster().check();
  EXPECT_EQ(none.code, 1);
  EXPECT_THAT(none.text, HasSubstr("is scaled to none"));
  EXPECT_THAT(none.text, HasSubstr("-> kubectl -n slaq-system scale deployment slaq --replicas=2"));
  EXPECT_THAT(none.text, Not(HasSubstr("renewed the Lease")));
}

}  // namespace
}  // namespace slaq::e2e
