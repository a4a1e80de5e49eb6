#include "rig.h"

#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <thread>

#include "kube/auth/files.h"
#include "kube/auth/kubeconfig.h"
#include "kube/json/json_fields.h"
#include "kube/support/json.h"

namespace slaq::kube {
namespace {

using json::at;
using json::stringAt;

// The rig of tests/rig/harness/control_plane.py.
std::string setting(const char* name, const char* fallback) {
  const char* value = std::getenv(name);
  return value ? value : fallback;
}

std::string folder() { return setting("SLAQ_CONTROL_PLANE_DIR", "/tmp/slaq-control-plane"); }

int runRig(const std::string& arguments) {
  const std::string command =
      "SLAQ_RIG_DIR=" + folder() + " SLAQ_RIG_PORTS=" + setting("SLAQ_CONTROL_PLANE_PORTS", "27600") +
      " SLAQ_RIG_NET=" + setting("SLAQ_CONTROL_PLANE_NET", "10.216") + " " SLAQ_RIG " " + arguments + " >&2";
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

bool inCi() {
  const char* ci = std::getenv("CI");
  return ci && std::string(ci) == "true";
}

Rig* theRig = nullptr;

}  // namespace

bool eventually(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(3);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

Rig& Rig::instance() { return *theRig; }

void Rig::SetUp() {
  theRig = this;
  isOurs_ = runRig("status") != 0;
  up_ = runRig("up --api-only") == 0;
  if (!up_) {
    std::cerr << "\n*** NO REAL API SERVER: the tests against it are " << (inCi() ? "FAILED" : "SKIPPED")
              << " ***\n\n";
    ASSERT_FALSE(inCi()) << "CI must run the tests against a real API server";
    return;
  }
  const auth::Access found = access();
  http_ = makeHttpClient(found.endpoint);
  api_ = std::make_unique<client::Api>(*http_);
  makeResource();
}

void Rig::TearDown() {
  api_.reset();
  http_.reset();
  if (!up_ || !isOurs_) return;
  EXPECT_EQ(runRig("down"), 0);
}

auth::Access Rig::access() const {
  auto found = auth::kubeconfigAccess(folder() + "/kubeconfig/admin", "", clock_);
  if (!found) ADD_FAILURE() << found.error().message;
  return found.value_or(auth::Access{});
}

void Rig::makeResource() {
  ASSERT_EQ(runRig("kubectl apply -f " SLAQ_CRDS), 0);
  // The server takes a moment until it serves the resource, and another until it has compiled the policy's
  // rules.
  ASSERT_TRUE(eventually([&] {
    return call("POST", "/apis/slaq.io/v1alpha1/namespaces/default/trainingjobs?dryRun=All",
                "application/json",
                quoted("{'apiVersion':'slaq.io/"
                       "v1alpha1','kind':'TrainingJob','metadata':{'name':'no-cpu'},'spec':{"
                       "'workers':{'maxReplicas':1,'template':{'spec':{'containers':[{'name':'a','image':'a'}"
                       "]}}}}}"))
               .body.find("must request CPU") != std::string::npos;
  }));
}

http::HttpResponse Rig::call(const std::string& method, const std::string& path, const std::string& type,
                             const std::string& body) {
  http::HttpRequest request;
  request.method = method;
  request.path = path;
  request.contentType = type;
  request.body = body;
  request.headers["Accept"] = "application/json";
  const auto response = http_->send(request);
  if (!response) ADD_FAILURE() << response.error().message;
  return response.value_or(http::HttpResponse{});
}

std::string Rig::makeNamespace() {
  const auto made =
      call("POST", "/api/v1/namespaces", "application/json",
           quoted("{'apiVersion':'v1','kind':'Namespace','metadata':{'generateName':'test-'}}"));
  EXPECT_EQ(made.status, 201) << made.body;
  return stringAt(parse(made.body), {"metadata", "name"});
}

void RealTest::SetUp() {
  if (!rig.up()) GTEST_SKIP() << "there is no rig";
  ns = rig.makeNamespace();
}

std::string RealTest::manifest(const std::string& name, const std::string& spec) const {
  return quoted("{'apiVersion':'slaq.io/v1alpha1','kind':'TrainingJob','metadata':{'name':'" + name +
                "','namespace':'" + ns + "'},'spec':{" + (spec.empty() ? "" : spec + ",") +
                R"('workers':{'minReplicas':1,'maxReplicas':8,'template':{'spec':{'containers':[
                   {'name':'main','image':'trainer:1','resources':{'requests':{'cpu':'500m'}}}]}}}}})");
}

void RealTest::create(const std::string& name, const std::string& spec) {
  const auto made = post(manifest(name, spec));
  ASSERT_EQ(made.status, 201) << made.body;
}

}  // namespace slaq::kube

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  testing::AddGlobalTestEnvironment(new slaq::kube::Rig);
  return RUN_ALL_TESTS();
}
