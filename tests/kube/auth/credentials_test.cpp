#include "kube/auth/credentials.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "kube/auth/default_access.h"
#include "kube/auth/files.h"
#include "kube/auth/kubeconfig.h"
#include "kube/support/manual_clock.h"

namespace slaq::kube::auth {
namespace {

using testing::HasSubstr;

class CredentialsTest : public testing::Test {
 protected:
  CredentialsTest() { std::filesystem::create_directories(folder); }
  ~CredentialsTest() override {
    std::filesystem::remove_all(folder);
    unsetenv("KUBERNETES_SERVICE_HOST");
    unsetenv("KUBERNETES_SERVICE_PORT");
    unsetenv("HTTPS_PROXY");
  }

  std::string write(const std::string& name, const std::string& text) {
    const std::string path = folder + "/" + name;
    std::ofstream(path) << text;
    return path;
  }

  Result<Access> kubeconfig(const std::string& cluster, const std::string& user) {
    const auto path = write("config",
                            "current-context: c\ncontexts: [{name: c, context: {cluster: k, user: u, "
                            "namespace: team-a}}]\nclusters: [{name: k, cluster: {" +
                                cluster + "}}]\nusers: [{name: u, user: {" + user + "}}]\n");
    return kubeconfigAccess(path, "", clock);
  }

  std::string refusalOf(const std::string& cluster, const std::string& user) {
    const auto found = kubeconfig(cluster, user);
    return found ? "accepted" : found.error().message;
  }

  ManualClock clock;
  std::string folder = testing::TempDir() + "slaq-credentials-" +
                       testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(CredentialsTest, InAPodTheServiceAccountsFilesAreUsed) {
  setenv("KUBERNETES_SERVICE_HOST", "fd00::1", 1);
  setenv("KUBERNETES_SERVICE_PORT", "6443", 1);
  write("ca.crt", "CA");
  write("token", "one\n");
  write("namespace", "slaq-system");
  const auto access = inClusterAccess(clock, folder);
  ASSERT_TRUE(access) << access.error().message;
  EXPECT_EQ(access->endpoint.url, "https://[fd00::1]:6443");
  EXPECT_EQ(access->endpoint.caPem, "CA");
  EXPECT_EQ(access->endpoint.bearerToken(), "one");
  EXPECT_EQ(access->ns, "slaq-system");
}

TEST_F(CredentialsTest, TheTokenIsReadAgainEveryMinuteAndAfterARefusal) {
  setenv("KUBERNETES_SERVICE_HOST", "10.0.0.1", 1);
  setenv("KUBERNETES_SERVICE_PORT", "443", 1);
  write("ca.crt", "CA");
  write("token", "one");
  const auto access = inClusterAccess(clock, folder);
  ASSERT_TRUE(access);
  write("token", "two");
  EXPECT_EQ(access->endpoint.bearerToken(), "one");
  clock.advance(Seconds(60));
  EXPECT_EQ(access->endpoint.bearerToken(), "two");
  write("token", "three");
  access->refresh();
  EXPECT_EQ(access->endpoint.bearerToken(), "three");
  std::filesystem::remove(folder + "/token");
  clock.advance(Seconds(60));
  EXPECT_EQ(access->endpoint.bearerToken(), "three");  // rather an old one than none
}

TEST_F(CredentialsTest, OutsideAPodTheReasonIsSaid) {
  EXPECT_THAT(inClusterAccess(clock, folder).error().message, HasSubstr("this is no pod"));
  setenv("KUBERNETES_SERVICE_HOST", "10.0.0.1", 1);
  setenv("KUBERNETES_SERVICE_PORT", "443", 1);
  EXPECT_THAT(inClusterAccess(clock, folder).error().message, HasSubstr("ca.crt cannot be read"));
  write("ca.crt", "CA");
  EXPECT_THAT(inClusterAccess(clock, folder).error().message, HasSubstr("has no token"));
}

TEST_F(CredentialsTest, AKubeconfigMayHoldItsSecrets) {
  const auto access =
      kubeconfig("server: 'https://host:6443/', certificate-authority-data: Q0E=, tls-server-name: api",
                 "client-certificate-data: Y2VydA==, client-key-data: a2V5, token: t");
  ASSERT_TRUE(access) << access.error().message;
  EXPECT_EQ(access->endpoint.url, "https://host:6443");
  EXPECT_EQ(access->endpoint.caPem, "CA");
  EXPECT_EQ(access->endpoint.serverName, "api");
  EXPECT_EQ(access->endpoint.clientCertificatePem, "cert");
  EXPECT_EQ(access->endpoint.clientKeyPem, "key");
  EXPECT_EQ(access->endpoint.bearerToken(), "t");
  EXPECT_FALSE(access->endpoint.insecureSkipVerify);
  EXPECT_EQ(access->ns, "team-a");
}

TEST_F(CredentialsTest, AKubeconfigMayNameFilesBesideIt) {
  write("ca.pem", "CA");
  write("token.txt", "from-file\n");
  const auto access =
      kubeconfig("server: 'https://h', certificate-authority: ca.pem, insecure-skip-tls-verify: true",
                 "tokenFile: token.txt, token: ignored");
  ASSERT_TRUE(access) << access.error().message;
  EXPECT_EQ(access->endpoint.caPem, "CA");
  write("ca.pem", "new CA");
  EXPECT_EQ(access->endpoint.certificates(http::Reading::Fresh).caPem, "new CA");
  EXPECT_TRUE(access->endpoint.insecureSkipVerify);
  EXPECT_EQ(access->endpoint.bearerToken(), "from-file");
}

TEST_F(CredentialsTest, WhatAKubeconfigCannotHaveIsSaid) {
  const std::string server = "server: 'https://h'";
  EXPECT_THAT(refusalOf(server, "auth-provider: {name: gcp}"), HasSubstr("has an auth-provider"));
  EXPECT_THAT(refusalOf(server, "username: a, password: b"), HasSubstr("username and password"));
  EXPECT_THAT(refusalOf(server, "client-certificate-data: Q0E="),
              HasSubstr("both client-certificate and client-key"));
  EXPECT_THAT(refusalOf(server, "client-key: missing.pem"), HasSubstr("missing.pem cannot be read"));
  EXPECT_THAT(refusalOf(server, "token: [1]"), HasSubstr("token must be a text"));
  EXPECT_THAT(refusalOf(server + ", certificate-authority-data: '*'", ""), HasSubstr("is no base64"));
  EXPECT_THAT(refusalOf(server + ", insecure-skip-tls-verify: 1", ""), HasSubstr("must be true or false"));
  EXPECT_THAT(refusalOf("", ""), HasSubstr("without a server"));
}

TEST_F(CredentialsTest, AProxyIsTheClustersOrThatOfTheEnvironment) {
  setenv("HTTPS_PROXY", "http://environment:3128", 1);
  const auto proxyOf = [&](const std::string& cluster) {
    return kubeconfig(cluster, "token: t")->endpoint.proxyUrl;
  };
  EXPECT_EQ(proxyOf("server: 'https://h', proxy-url: 'http://cluster:3128'"), "http://cluster:3128");
  EXPECT_EQ(proxyOf("server: 'https://h'"), "http://environment:3128");
  EXPECT_EQ(proxyOf("server: 'https://127.0.0.1:6443'"), "");
}

TEST_F(CredentialsTest, WhomAUserActsAsIsSent) {
  const auto access =
      kubeconfig("server: 'https://h'",
                 "token: t, as: jane@example.com, as-uid: '7', as-groups: [developers], as-user-extra: "
                 "{Scopes: [view], acme.com/project: [some-project]}");
  ASSERT_TRUE(access) << access.error().message;
  const std::map<std::string, std::string> expected = {
      {"Impersonate-User", "jane@example.com"},
      {"Impersonate-Uid", "7"},
      {"Impersonate-Group", "developers"},
      {"Impersonate-Extra-scopes", "view"},
      {"Impersonate-Extra-acme.com%2Fproject", "some-project"}};
  EXPECT_EQ(access->endpoint.headers, expected);
  EXPECT_TRUE(kubeconfig("server: 'https://h'", "token: t")->endpoint.headers.empty());
}

TEST_F(CredentialsTest, WhomAUserCannotActAsIsSaid) {
  const std::string server = "server: 'https://h'";
  EXPECT_THAT(refusalOf(server, "as: jane, as-groups: [a, b]"),
              HasSubstr("more than one value in as-groups, and slaq can act in one group"));
  EXPECT_THAT(refusalOf(server, "as: jane, as-user-extra: {scopes: [a, b]}"),
              HasSubstr("more than one value in scopes"));
  EXPECT_THAT(refusalOf(server, "as-groups: [a]"), HasSubstr("of somebody that as does not name"));
  EXPECT_THAT(refusalOf(server, "as: \"a\\r\\nX: b\""), HasSubstr("which no header can hold"));
}

// The files of KUBECONFIG.
class Kubeconfigs : public CredentialsTest {
 protected:
  Kubeconfigs() {
    std::filesystem::create_directories(folder + "/work");
    write("work/ca.pem", "WORK");
    mine_ = write("mine",
                  "contexts: [{name: home, context: {cluster: k, user: u, namespace: mine}}]\n"
                  "users: [{name: u, user: {token: mine}}]\n");
    work_ = write(
        "work/config",
        "current-context: office\n"
        "contexts: [{name: office, context: {cluster: k, user: u}}, {name: home, context: {cluster: none}}]\n"
        "clusters: [{name: k, cluster: {server: 'https://work', certificate-authority: ca.pem}}]\n"
        "users: [{name: u, user: {token: work}}]\n");
  }
  ~Kubeconfigs() override { unsetenv("KUBECONFIG"); }

  Result<Access> accessBy(const std::string& list, const std::string& context = "") {
    setenv("KUBECONFIG", list.c_str(), 1);
    return defaultAccess(clock, context);
  }

  std::string mine_, work_;
};

TEST_F(Kubeconfigs, AreMergedAsTheFirstHasIt) {
  const auto access = accessBy(mine_ + "::" + work_);
  ASSERT_TRUE(access) << access.error().message;
  EXPECT_EQ(access->endpoint.url, "https://work");
  EXPECT_EQ(access->endpoint.bearerToken(), "mine");
  EXPECT_EQ(accessBy(work_ + ":" + mine_)->endpoint.bearerToken(), "work");
  const auto home = accessBy(mine_ + ":" + work_, "home");
  ASSERT_TRUE(home) << home.error().message;
  EXPECT_EQ(home->ns, "mine");
}

TEST_F(Kubeconfigs, NamePathsFromTheirOwnFolders) {
  const auto access = accessBy(mine_ + ":" + work_);
  ASSERT_TRUE(access) << access.error().message;
  EXPECT_EQ(access->endpoint.caPem, "WORK");
}

TEST_F(Kubeconfigs, AreLeftOutWhereTheyAreMissingAsLongAsOneIsThere) {
  EXPECT_TRUE(accessBy("/nonexistent/config:" + work_));
  const auto none = accessBy("/nonexistent/a:/nonexistent/b");
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr("/nonexistent/a cannot be read"));
  EXPECT_THAT(none.error().message, HasSubstr("/nonexistent/b cannot be read"));
}

TEST_F(Kubeconfigs, MayBeEmptyAsForKubectl) {
  for (const char* text : {"", "# nothing yet\n", "---\n"}) {
    const auto access = accessBy(write("empty", text) + ":" + work_);
    EXPECT_TRUE(access) << text << access.error().message;
    EXPECT_FALSE(accessBy(write("empty", text))) << "it has no cluster";
  }
}

TEST_F(Kubeconfigs, ThatAreThereMustBeReadable) {
  const auto access = accessBy(folder + ":" + work_);
  ASSERT_FALSE(access);
  EXPECT_THAT(access.error().message, HasSubstr(folder + " cannot be read"));
}

TEST_F(CredentialsTest, AKubeconfigThatIsNoneIsAnError) {
  for (const char* text : {"", "[", "7", "[]", "current-context: x", "contexts: 3\ncurrent-context: x"}) {
    EXPECT_FALSE(kubeconfigAccess(write("odd", text), "", clock)) << text;
  }
  EXPECT_EQ(kubeconfigAccess(folder + "/none", "", clock).error().kind, ErrorKind::NotFound);
  EXPECT_THAT(kubeconfigAccess(write("named", "contexts: []"), "prod", clock).error().message,
              HasSubstr("has no context called \"prod\""));
  EXPECT_THAT(kubeconfigAccess(write("named", "contexts: []"), "a\n\x1b[m", clock).error().message,
              HasSubstr("has no context called \"a\\x0a\\x1b[m\""));
}

TEST_F(CredentialsTest, Base64IsReadWithAndWithoutPaddingAndBreaks) {
  EXPECT_EQ(decodeBase64("aGVs\nbG8="), "hello");
  EXPECT_EQ(decodeBase64("aGVsbG8"), "hello");
  EXPECT_EQ(decodeBase64(""), "");
  for (const char* text : {"a", "aGVs!", "=aGV", "aG=s"}) EXPECT_EQ(decodeBase64(text), std::nullopt) << text;
}

TEST_F(CredentialsTest, CertificatesFollowTheirFiles) {
  http::HttpEndpoint endpoint;
  endpoint.clientKeyPem = "kept";
  followCertificates(endpoint, {.ca = write("ca.crt", "old")}, clock);
  EXPECT_EQ(endpoint.certificates(http::Reading::Kept), (http::Certificates{"old", "", "kept"}));
  write("ca.crt", "new");
  EXPECT_EQ(endpoint.certificates(http::Reading::Kept).caPem, "old");
  EXPECT_EQ(endpoint.certificates(http::Reading::Fresh).caPem, "new");
  write("ca.crt", "newer");
  clock.advance(Seconds(60));
  EXPECT_EQ(endpoint.certificates(http::Reading::Kept).caPem, "newer");
}

// With no authority of its own, the client would trust those of the system.
TEST_F(CredentialsTest, AnEmptyFileIsNoAuthority) {
  http::HttpEndpoint endpoint;
  endpoint.caPem = "trusted";
  followCertificates(endpoint, {.ca = write("ca.crt", "")}, clock);
  EXPECT_EQ(endpoint.certificates(http::Reading::Kept).caPem, "trusted");
}

}  // namespace
}  // namespace slaq::kube::auth
