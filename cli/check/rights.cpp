#include "cli/check/rights.h"

#include <initializer_list>
#include <string_view>

namespace slaq::cli::check {
namespace {

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
  rights.add("", "events", {"create", "patch"});
}

}  // namespace

std::vector<Right> neededRights(const config::Configuration& configuration, const std::string& ns) {
  const auto& scheduling = configuration.scheduling;
  const auto& election = configuration.leaderElection;
  Rights rights(configuration.ns);
  rights.add("slaq.io", "trainingjobs", {"get", "list", "watch"});
  rights.add("slaq.io", "trainingjobs/status", {"patch"});
  rights.add("batch", "jobs", {"list", "watch"});
  rights.add("", "pods", {"list", "watch"});
  rights.add("", "events", {"list", "watch"});
  if (scheduling.mode == scheduler::Mode::Schedule) addActing(rights);
  rights.in("");
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
