// Kubeconfigs whose users get their credentials from a program, with real programs.
#include "kube/auth/exec_credential.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

class ExecCredentialTest : public testing::Test {
 protected:
  ExecCredentialTest() { std::filesystem::create_directories(folder); }
  ~ExecCredentialTest() override { std::filesystem::remove_all(folder); }

  std::string write(const std::string& name, const std::string& text) {
    const std::string path = folder + "/" + name;
    std::ofstream(path) << text;
    return path;
  }
  // A program that runs a line of shell.
  void program(const std::string& line) {
    std::filesystem::permissions(write("login", "#!/bin/sh\n" + line + "\n"),
                                 std::filesystem::perms::owner_all);
  }
  static std::string says(const std::string& status) {
    return R"(echo '{"kind": "ExecCredential", "status": )" + status + "}'";
  }
  Result<Access> access(const std::string& more = "", const std::string& command = "./login") {
    const auto path = write("config",
                            "current-context: c\ncontexts: [{name: c, context: {cluster: k, user: u}}]\n"
                            "clusters: [{name: k, cluster: {server: 'https://h', "
                            "certificate-authority-data: Q0E=}}]\n"
                            "users: [{name: u, user: {exec: {apiVersion: client.authentication.k8s.io/v1, "
                            "command: " +
                                command + more + "}}}]\n");
    return kubeconfigAccess(path, "", clock);
  }
  std::string refusal(const std::string& more = "", const std::string& command = "./login") {
    const auto found = access(more, command);
    return found ? "accepted" : found.error().message;
  }

  ManualClock clock;
  std::string folder =
      testing::TempDir() + "slaq-exec-" + testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(ExecCredentialTest, TheProgramsTokenIsUsed) {
  program(says(R"({"token": "one"})"));
  const auto found = access();
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->endpoint.bearerToken(), "one");
}

TEST_F(ExecCredentialTest, ArgumentsEnvironmentAndTheClusterArePassedOn) {
  program(R"(echo "$1 $WHO $KUBERNETES_EXEC_INFO" > )" + folder + "/seen\n" + says(R"({"token": "one"})"));
  ASSERT_TRUE(access(", args: [get-token], env: [{name: WHO, value: eve}], provideClusterInfo: true"));
  EXPECT_EQ(trimmed(*readFile(folder + "/seen")),
            R"(get-token eve {"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","spec":)"
            R"({"interactive":false,"cluster":{"server":"https://h","certificate-authority-data":"Q0E="}}})");
}

TEST_F(ExecCredentialTest, TheTokenIsAskedForAgainWhenItHasExpiredAndAfterARefusal) {
  write("token", "one");
  program(
      "printf '{\"status\": {\"token\": \"%s\", \"expirationTimestamp\": \"2026-01-31T12:10:00Z\"}}' "
      "$(cat " +
      folder + "/token)");
  const auto found = access();
  ASSERT_TRUE(found) << found.error().message;
  write("token", "two");
  EXPECT_EQ(found->endpoint.bearerToken(), "one");
  found->refresh();
  EXPECT_EQ(found->endpoint.bearerToken(), "two");
  write("token", "three");
  clock.advance(Seconds(600));
  EXPECT_EQ(found->endpoint.bearerToken(), "three");
  program("exit 1");
  EXPECT_EQ(found->endpoint.bearerToken(), "three");  // rather an old one than none
}

TEST_F(ExecCredentialTest, ACertificateMayTakeTheTokensPlace) {
  program(says(R"({"clientCertificateData": "CERT", "clientKeyData": "KEY"})"));
  const auto found = access();
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->endpoint.clientCertificatePem, "CERT");
  EXPECT_EQ(found->endpoint.clientKeyPem, "KEY");
}

TEST_F(ExecCredentialTest, WhatGoesWrongIsSaid) {
  EXPECT_THAT(
      refusal(", installHint: 'install it from example.org'", "no-such-login"),
      HasSubstr("the program no-such-login, which the kubeconfig takes credentials from, can't be run: "
                "No such file or directory; install it from example.org"));
  program("exit 3");
  EXPECT_THAT(refusal(), HasSubstr("ended with exit code 3"));
  for (const char* odd : {"echo nothing", "echo '{}'", "echo '{\"status\": {\"token\": 7}}'"}) {
    program(odd);
    EXPECT_THAT(refusal(), HasSubstr("gives none")) << odd;
  }
  EXPECT_THAT(refusal(", interactiveMode: Always"), HasSubstr("must ask (interactiveMode: Always)"));
  EXPECT_THAT(refusal("", "''"), HasSubstr("an exec that has no command"));
}

TEST(Base64, GoesThereAndBack) {
  for (const std::string text : {"", "a", "ab", "abc", "abcd", "\x01\xff\x7f zzz"}) {
    EXPECT_EQ(decodeBase64(encodeBase64(text)), text);
  }
  EXPECT_EQ(encodeBase64("CA"), "Q0E=");
}

}  // namespace
}  // namespace slaq::kube::auth
