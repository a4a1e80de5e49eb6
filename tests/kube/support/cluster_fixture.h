// A KubeCluster before an API server in memory, with watches that see what a test wants them to, when it
// wants.
#pragma once

#include <gtest/gtest.h>

#include "kube/cluster/cluster.h"
#include "kube/support/fake_server.h"
#include "kube/support/jobs.h"
#include "kube/support/manual_clock.h"

namespace slaq::kube {

inline const JobKey kKey{"team-a", "logreg"};

class ClusterTest : public testing::Test {
 protected:
  ClusterTest() { relist(); }

  // What the reflectors do, at a moment that the test chooses.
  void relist() {
    const auto follow = [&](const char* collection, watch::ObjectSink& sink) {
      http::HttpRequest request;
      request.path = std::string(collection) + "?limit=500";
      const auto page = parse(server.send(request)->body);
      sink.beginList();
      for (const auto& item : page["items"].GetArray()) sink.upsert(item);
      sink.endList("1000000");
    };
    follow("/apis/slaq.io/v1alpha1/namespaces/team-a/trainingjobs", store.trainingJobs());
    follow("/apis/batch/v1/namespaces/team-a/jobs", store.childJobs());
    follow("/api/v1/namespaces/team-a/pods", store.pods());
    server.takeRequests();
  }

  void haveJob(bool withDriver = true) {
    server.put(kJobPath, jobText(withDriver));
    relist();
  }

  void haveRunning(int workers, bool withDriver = true) {
    haveJob(withDriver);
    ASSERT_TRUE(cluster.apply(StartJob{kKey, Workers(workers)}));
    server.takeRequests();
  }

  // Another's edit that no watch has shown us yet.
  void editElsewhere(const char* path, const std::string& patch) {
    http::HttpRequest request;
    request.method = "PATCH";
    request.path = path;
    request.body = quoted(patch);
    ASSERT_EQ(server.send(request)->status, 200);
    server.takeRequests();
  }

  // The uid of the workers' Job.
  std::string workersUid() const {
    const auto job = parse(server.at(kWorkersPath));
    return job["metadata"]["uid"].GetString();
  }

  static std::string podPath(const std::string& name) { return "/api/v1/namespaces/team-a/pods/" + name; }

  // A pod of the Job `controller`; `index` is its completion index, `rest` its spec and status.
  void putPod(const std::string& name, const std::string& controller, const std::string& index,
              const std::string& rest) {
    server.put(podPath(name), quoted("{'metadata':{'name':'" + name + "','namespace':'team-a','uid':'uid-" +
                                     name + "','creationTimestamp':'" + toRfc3339(clock.now()) +
                                     "','annotations':{'batch.kubernetes.io/job-completion-index':'" + index +
                                     "'},'ownerReferences':[{'controller':true,'uid':'" + controller +
                                     "'}]}," + rest + "}"));
  }

  // A pod of another namespace that names the workers' Job as its controller, as a watch of all brings it.
  void forgePod(const std::string& rest) {
    store.updatePod(
        parse(quoted("{'metadata':{'name':'forged','namespace':'team-b','uid':'f','ownerReferences':[{"
                     "'controller':true,'uid':'" +
                     workersUid() + "'}]}," + rest + "}")));
  }

  client::ApiOptions options() {
    client::ApiOptions out;
    out.pause = [this](Seconds pause) {
      slept.push_back(pause);
      return false;
    };
    out.chance = [] { return 0.5; };
    out.mayWrite = [this] { return leading; };
    return out;
  }

  JobView only() {
    const auto view = cluster.observe();
    EXPECT_TRUE(view && view->jobs.size() == 1);
    return view->jobs.at(0);
  }

  bool leading = true;
  std::vector<Seconds> slept;
  FakeServer server;
  ManualClock clock;
  bool resizedByOther = false;
  cluster::Store store{
      {.now = [this] { return clock.now(); }, .resizedByOther = [this] { resizedByOther = true; }}};
  client::Api api{server, options()};
  events::EventRecorder events{api, clock};
  cluster::KubeCluster cluster{api, store, events, clock, {.whyInconsistent = [this] {
                                 return resizedByOther ? std::optional<std::string>("resized") : std::nullopt;
                               }}};
};

inline std::string patchOf(const char* path, const char* uid, int version, const std::string& spec) {
  return std::string("PATCH ") + path + R"( {"metadata":{"uid":")" + uid + R"(","resourceVersion":")" +
         std::to_string(version) + R"("},"spec":)" + quoted(spec) + "}";
}

}  // namespace slaq::kube
