// A real API server for the tests of this folder: the one that is up, or one that is brought up for the
// program and taken away at its end. Where no rig can be had the cases are skipped with one loud line; where
// CI=true they fail.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "http/client.h"
#include "job/job.h"
#include "kube/cluster/connection.h"

namespace slaq::kube {

class Rig : public testing::Environment {
 public:
  void SetUp() override;
  void TearDown() override;

  static Rig& instance();

  bool up() const { return up_; }
  const Clock& clock() const { return clock_; }
  auth::Access access() const;
  http::HttpClient& http() { return *http_; }
  client::Api& api() { return *api_; }

  // An HTTP call as it is, for what slaq itself never sends.
  http::HttpResponse call(const std::string& method, const std::string& path, const std::string& type = {},
                          const std::string& body = {});
  // A namespace of its own for a test; its name.
  std::string makeNamespace();

 private:
  void makeResource();

  SystemClock clock_;
  bool up_ = false;
  bool isOurs_ = false;
  std::unique_ptr<http::HttpClient> http_;
  std::unique_ptr<client::Api> api_;
};

// Waits for a condition, three minutes at most: the garbage collector learns of a new kind every 30 s.
bool eventually(const std::function<bool()>& condition);

// A test against the rig, in a namespace of its own.
class RealTest : public testing::Test {
 protected:
  void SetUp() override;

  JobKey key(const std::string& name) const { return {ns, name}; }
  std::string jobsPath() const { return "/apis/slaq.io/v1alpha1/namespaces/" + ns + "/trainingjobs"; }
  // A TrainingJob for our namespace: `spec` is what stands beside the workers' template, in single quotes.
  std::string manifest(const std::string& name, const std::string& spec = {}) const;
  http::HttpResponse post(const std::string& body) {
    return rig.call("POST", jobsPath(), "application/json", body);
  }
  void create(const std::string& name, const std::string& spec = {});

  Rig& rig = Rig::instance();
  std::string ns;
};

}  // namespace slaq::kube
