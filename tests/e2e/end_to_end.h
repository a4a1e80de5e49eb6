// What the end-to-end tests share: one cluster with the operator in it, and a namespace of its own for each
// test.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "operator.h"

namespace slaq::e2e {

class EndToEnd : public ::testing::Test {
 public:
  // After the last test of all.
  static void takeClusterDown() {
    if (cluster_) cluster_->remove();
    cluster_.reset();
  }

 protected:
  static void SetUpTestSuite() {
    if (!cluster_) cluster_ = std::make_unique<Operator>(Operator::install());
  }

  void SetUp() override {
    const std::string test = ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::string ns = "e2e-" + test.substr(0, 30);
    std::ranges::transform(ns, ns.begin(), [](unsigned char c) { return std::tolower(c); });
    cluster().ns = "default";
    cluster().kubectl("create namespace " + ns);
    cluster().kubectl("label namespace " + ns + " " + kRestricted);
    cluster().ns = ns;
  }
  void TearDown() override {
    cluster().kubectl("delete namespace " + cluster().ns + " --wait=true");
    if (configured_) cluster().configure("");
  }

  // The operator with other values, for this test.
  void configure(const std::string& values) {
    configured_ = true;
    cluster().configure(values);
  }

  Operator& cluster() const { return *cluster_; }

  void apply(const std::string& manifest) const { cluster().kubectl("apply -f -", manifest); }

  std::string status(const std::string& job, const std::string& path) const {
    return cluster().value("trainingjob/" + job, "{.status." + path + "}");
  }
  std::string condition(const std::string& job, const std::string& type,
                        const std::string& field = "status") const {
    return status(job, "conditions[?(@.type==\"" + type + "\")]." + field);
  }
  int parallelism(const std::string& job) const {
    const auto text = cluster().value("job/" + job + "-workers", "{.spec.parallelism}");
    return text.empty() ? 0 : std::stoi(text);
  }

  bool complete(const std::string& job) const { return status(job, "state") == "Complete"; }

 private:
  static inline std::unique_ptr<Operator> cluster_;
  bool configured_ = false;
};

}  // namespace slaq::e2e
