// The port Cluster on the rig's API server, in a namespace of its own for each test.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "rig.h"

namespace slaq::kube {

class RealClusterTest : public RealTest {
 protected:
  void SetUp() override {
    RealTest::SetUp();
    if (IsSkipped()) return;
    cluster::ConnectionOptions options = this->options();
    options.observe = [this](const client::ApiCall& call) { patches += call.verb == "patch" ? 1 : 0; };
    connection = std::make_unique<cluster::Connection>(rig.access(), options, rig.clock());
    connection->start();
    ASSERT_TRUE(eventually([&] { return connection->synced(); }));
  }

  virtual cluster::ConnectionOptions options() const { return {.ns = ns, .docsUrl = "https://docs"}; }

  Cluster& cluster() { return connection->cluster(); }

  std::optional<JobView> see(const std::string& name) {
    const auto view = cluster().observe();
    if (!view) return std::nullopt;
    for (const auto& each : view->jobs) {
      if (each.job.key.name == name) return each;
    }
    return std::nullopt;
  }

  bool comesTo(const std::string& name, const std::function<bool(const JobView&)>& condition) {
    return eventually([&] {
      const auto view = see(name);
      return view && condition(*view);
    });
  }

  void createAndSee(const std::string& name, const std::string& spec = {}) {
    create(name, spec);
    ASSERT_TRUE(comesTo(name, [](const JobView&) { return true; }));
  }

  std::string childPath(const std::string& name) {
    return "/apis/batch/v1/namespaces/" + ns + "/jobs/" + name;
  }

  std::atomic<int> patches{0};
  std::unique_ptr<cluster::Connection> connection;
};

}  // namespace slaq::kube
