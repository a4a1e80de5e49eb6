#include "cli/check/rights.h"

#include <initializer_list>
#include <string_view>

#include "kube/json/json_fields.h"
#include "manifest/object_writer.h"

namespace slaq::cli::check {
namespace {

using manifest::ObjectWriter;

class Rights {
 public:
  explicit Rights(std::string ns) : ns_(std::move(ns)) {}

  void add(std::string_view group, std::string_view resource, std::initializer_list<std::string_view> verbs,
           const std::string& object = {}) {
    for (const auto verb : verbs)
      all_.push_back({ns_, std::string(group), std::string(resource), object, std::string(verb)});
  }
  void in(const std::string& ns) { ns_ = ns; }
  std::vector<Right> take() { return std::move(all_); }

 private:
  std::string ns_;
  std::vector<Right> all_;
};

// Adds the rights of a controller that changes pods.
void addActing(Rights& rights) {
  rights.add("slaq.io", "trainingjobs", {"delete"});
  rights.add("slaq.io", "trainingjobs/finalizers", {"update"});
  rights.add("batch", "jobs", {"get", "create", "patch"});
  rights.add("", "pods", {"get"});
  rights.add("", "pods/resize", {"patch"});
  rights.add("", "services", {"get", "create"});
  rights.add("scheduling.k8s.io", "podgroups", {"get", "create", "patch"});
  rights.add("", "events", {"create", "patch"});
}

std::string reviewOf(const Right& right, const std::string& ns, const std::string& serviceAccount) {
  rapidjson::Document document;
  auto& allocator = document.GetAllocator();
  const auto slash = right.resource.find('/');
  ObjectWriter attributes(allocator);
  attributes.add("group", right.group)
      .add("verb", right.verb)
      .add("resource", right.resource.substr(0, slash));
  if (!right.ns.empty()) attributes.add("namespace", right.ns);
  if (!right.object.empty()) attributes.add("name", right.object);
  if (slash != std::string::npos) attributes.add("subresource", right.resource.substr(slash + 1));
  rapidjson::Value groups(rapidjson::kArrayType);
  for (const auto& group : {std::string("system:serviceaccounts"), "system:serviceaccounts:" + ns,
                            std::string("system:authenticated")})
    groups.PushBack(rapidjson::Value(group.c_str(), allocator), allocator);
  ObjectWriter spec(allocator);
  spec.add("user", "system:serviceaccount:" + ns + ":" + serviceAccount)
      .add("groups", std::move(groups))
      .add("resourceAttributes", attributes.take());
  ObjectWriter review(allocator);
  review.add("apiVersion", "authorization.k8s.io/v1")
      .add("kind", right.ns.empty() ? "SubjectAccessReview" : "LocalSubjectAccessReview")
      .add("spec", spec.take());
  if (!right.ns.empty()) review.add("metadata", ObjectWriter(allocator).add("namespace", right.ns).take());
  return manifest::toText(review.take());
}

}  // namespace

Result<bool> isAllowed(kube::client::Api& api, const Right& right, const std::string& ns,
                       const std::string& serviceAccount) {
  const kube::client::Target reviews =
      right.ns.empty() ? kube::client::Target{kube::client::kSubjectAccessReviews, ""}
                       : kube::client::Target{kube::client::kLocalSubjectAccessReviews, right.ns};
  const auto answer = api.create(reviews, reviewOf(right, ns, serviceAccount));
  if (!answer) return failure(answer.error());
  return !*answer || kube::json::boolAt(**answer, {"status", "allowed"});
}

ReviewedRights readRights(kube::client::Api& api, const config::Configuration& configuration,
                          const Installation& who) {
  ReviewedRights reviewed;
  for (const auto& right : neededRights(configuration, who.ns)) {
    const auto allowed = isAllowed(api, right, who.ns, who.serviceAccount);
    if (!allowed) {
      reviewed.unasked = allowed.error();
    } else if (!*allowed) {
      reviewed.missing.push_back(right);
    }
  }
  return reviewed;
}

// Queues of all namespaces lend to each other.
void addQueues(Rights& rights, Mode mode) {
  const std::string group = "kueue.x-k8s.io";
  for (const auto* each : {"workloads", "clusterqueues", "cohorts", "localqueues", "resourceflavors"})
    rights.add(group, each, {"list", "watch"});
  if (mode != Mode::Schedule) return;
  rights.add(group, "workloads", {"get"});
  rights.add(group, "workloadpriorityclasses", {"get"});
}

std::vector<Right> neededRights(const config::Configuration& configuration, const std::string& ns) {
  const auto& scheduling = configuration.scheduling;
  const auto& election = configuration.leaderElection;
  Rights rights(configuration.ns);
  rights.add("slaq.io", "trainingjobs", {"get", "list", "watch"});
  rights.add("slaq.io", "trainingjobs/status", {"patch"});
  rights.add("batch", "jobs", {"list", "watch"});
  rights.add("", "pods", {"list", "watch"});
  rights.add("", "events", {"list", "watch"});
  rights.add("", "resourcequotas", {"list", "watch"});
  if (scheduling.mode == Mode::Schedule) addActing(rights);
  for (const auto& kind : configuration.targets) {
    const std::string& sized = kind.sizedGroup.empty() ? kind.group : kind.sizedGroup;
    rights.add(sized, kind.plural, {"list", "watch"});
    if (!kind.makers.empty()) rights.add(kind.group, kind.makers, {"list", "watch"});
    if (scheduling.mode == Mode::Schedule && !kind.isFixed)
      rights.add(sized, kind.plural + (kind.hasScale ? "/scale" : ""), {"patch"});
  }
  if (configuration.queues && scheduling.mode == Mode::Schedule) {
    rights.add("kueue.x-k8s.io", "workloads", {"create", "patch", "delete"});
    rights.add("kueue.x-k8s.io", "workloads/status", {"patch"});
    rights.add("batch", "jobs/status", {"patch"});
  }
  rights.in("");
  if (configuration.queues) addQueues(rights, scheduling.mode);
  if (!scheduling.capacity) rights.add("", "nodes", {"list", "watch"});
  if (configuration.telemetry.authorize) {
    rights.add("authentication.k8s.io", "tokenreviews", {"create"});
    rights.add("authorization.k8s.io", "subjectaccessreviews", {"create"});
  }
  rights.in(election.ns.empty() ? ns : election.ns);
  if (election.enabled) {
    rights.add("coordination.k8s.io", "leases", {"get", "patch"}, election.name);
    rights.add("coordination.k8s.io", "leases", {"create"});
  }
  rights.add("", "configmaps", {"get", "patch"}, election.name + "-kinds");
  rights.add("", "configmaps", {"create"});
  return rights.take();
}

std::string toString(const Right& right) {
  return right.verb + " " + right.resource + (right.group.empty() ? "" : "." + right.group) +
         (right.object.empty() ? "" : " " + right.object) + (right.ns.empty() ? "" : " in " + right.ns);
}

}  // namespace slaq::cli::check
