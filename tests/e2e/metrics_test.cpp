// Who may read the controller's own metrics, where the chart says that not everybody may.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "end_to_end.h"
#include "http/client.h"
#include "support/certificates.h"

namespace slaq::e2e {
namespace {

using ::testing::HasSubstr;

class Metrics : public EndToEnd {
 protected:
  void SetUp() override {
    EndToEnd::SetUp();
    const test::Identity identity = authority_.sign({.subjectAltName = "DNS:slaq-metrics"});
    std::ofstream(certificate_) << identity.certificatePem;
    std::ofstream(key_) << identity.keyPem;
    cluster().kubectl("-n slaq-system create secret tls slaq-metrics --cert=" + certificate_ +
                      " --key=" + key_);
    cluster().kubectl("create clusterrole slaq-e2e-metrics --verb=get --non-resource-url=/metrics");
    cluster().kubectl("create serviceaccount reader");
    cluster().kubectl(
        "create clusterrolebinding slaq-e2e-metrics --clusterrole=slaq-e2e-metrics --serviceaccount=" +
        cluster().ns + ":reader");
    configure("metrics.tls.secret=slaq-metrics,metrics.authorize=true");
  }
  void TearDown() override {
    cluster().kubectl("delete clusterrolebinding,clusterrole slaq-e2e-metrics");
    EndToEnd::TearDown();
    cluster().kubectl("-n slaq-system delete secret slaq-metrics");
  }

  http::HttpResponse readAs(const std::string& token) const {
    const std::string address = cluster().kubectl(
        "-n slaq-system get pods -l app.kubernetes.io/name=slaq -o jsonpath={.items[0].status.podIP}");
    http::HttpRequest request;
    request.path = "/metrics";
    if (!token.empty()) request.headers["Authorization"] = "Bearer " + token;
    const auto answer =
        http::makeHttpClient(
            {.url = "https://" + address + ":8080", .caPem = authority_.pem(), .serverName = "slaq-metrics"})
            ->send(request);
    if (!answer) ADD_FAILURE() << answer.error().message;
    return answer ? *answer : http::HttpResponse();
  }

  std::string tokenOf(const std::string& account) const {
    return cluster().kubectl("create token " + account);
  }

 private:
  const test::Authority authority_;
  const std::string certificate_ = ::testing::TempDir() + "slaq-metrics.crt";
  const std::string key_ = ::testing::TempDir() + "slaq-metrics.key";
};

TEST_F(Metrics, AreReadByThoseWhoMayGetThem) {
  const auto read = readAs(tokenOf("reader"));
  EXPECT_EQ(read.status, 200) << read.body;
  EXPECT_THAT(read.body, HasSubstr("slaq_leader"));
  EXPECT_EQ(readAs(tokenOf("default")).status, 403);
  EXPECT_EQ(readAs("nobodys").status, 401);
  EXPECT_EQ(readAs("").status, 401);
}

}  // namespace
}  // namespace slaq::e2e
