#include "kube/cluster/resource_quotas.h"

#include <gmock/gmock.h>

#include "kube/support/json.h"

namespace slaq::kube::cluster {
namespace {

using testing::ElementsAre;

std::string quota(const std::string& ns, const std::string& name, const std::string& hard,
                  const std::string& used, const std::string& spec = "") {
  return "{'metadata':{'name':'" + name + "','namespace':'" + ns + "','uid':'" + ns + name +
         "','resourceVersion':'7'},'spec':{" + spec + "},'status':{'hard':{" + hard + "},'used':{" + used +
         "}}}";
}

std::vector<QuotaView> quotas(const std::string& resource, const std::vector<std::string>& objects) {
  ResourceQuotas quotas(resource);
  quotas.sink().beginList();
  for (const auto& each : objects) quotas.sink().upsert(jsonOf(each));
  quotas.sink().endList("1000000");
  return quotas.view();
}

TEST(ResourceQuotas, AreThoseThatLeaveLeast) {
  EXPECT_THAT(quotas("cpu", {quota("b", "small", "'requests.cpu':'4'", "'requests.cpu':'500m'"),
                             quota("b", "tight", "'requests.cpu':'8'", "'requests.cpu':'7'"),
                             quota("b", "wide", "'requests.cpu':'80'", "'requests.cpu':'7'"),
                             quota("a", "only", "'cpu':'3','pods':'5'", "'cpu':'1','pods':'1'")}),
              ElementsAre(QuotaView{"a", "only", Cores(3000), Cores(1000)},
                          QuotaView{"b", "tight", Cores(8000), Cores(7000)}));
}

// Both names may be used at once.
TEST(ResourceQuotas, CountTheStricterOfTheTwoNamesOfCpu) {
  EXPECT_THAT(
      quotas("cpu", {quota("a", "both", "'requests.cpu':'4','cpu':'2'", "'requests.cpu':'1','cpu':'1'")}),
      ElementsAre(QuotaView{"a", "both", Cores(2000), Cores(1000)}));
}

TEST(ResourceQuotas, AreOfTheUnitOfCapacity) {
  const std::vector<std::string> objects = {
      quota("a", "gpus", "'requests.nvidia.com/gpu':'4'", "'requests.nvidia.com/gpu':'1'"),
      quota("b", "cpu", "'requests.cpu':'4'", "'requests.cpu':'1'")};
  EXPECT_THAT(quotas("nvidia.com/gpu", objects),
              ElementsAre(QuotaView{"a", "gpus", Cores(4000), Cores(1000)}));
}

TEST(ResourceQuotas, OfOnlySomePodsDoNotCount) {
  EXPECT_TRUE(
      quotas("cpu", {quota("a", "best", "'cpu':'1'", "'cpu':'1'", "'scopes':['Terminating']"),
                     quota("a", "class", "'cpu':'1'", "'cpu':'1'", "'scopeSelector':{'matchExpressions':[]}"),
                     quota("a", "new", "", "")})
          .empty());
}

}  // namespace
}  // namespace slaq::kube::cluster
