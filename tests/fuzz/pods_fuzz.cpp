// Pods, nodes and Jobs as the API server gives them.
#include "fuzz/checks.h"
#include "kube/json/json_fields.h"
#include "kube/objects/child.h"
#include "kube/objects/pod_views.h"
#include "kube/pods/node.h"
#include "kube/pods/pod.h"
#include "kube/pods/worker_cpu.h"

namespace slaq::fuzz {
namespace {

bool areInBounds(Cores cores) { return cores >= Cores() && cores <= kMostCores; }

void readOwn(const rapidjson::Value& object) {
  const auto pod = kube::pods::readOwnPod(object, "cpu");
  check(areInBounds(pod.cores), "a pod's cores are in bounds");
  WorkersSpec from;
  from.cpu.max = Cores(2000);
  for (const auto& each : pod.containers)
    from.pod.containers.push_back({.name = each.name, .request = each.request, .limit = each.limit});
  Cores all;
  const auto child = kube::objects::readChild(object);
  check(areInBounds(child.podCores), "the cores of each pod are in bounds");
  check(kube::objects::coresHeld(child) >= Cores(), "what is held is not negative");
  if (coresOfContainers(from.pod) > kMostCores) return;  // no valid job has such a template
  for (const auto& each : kube::pods::spread(from, Cores(1500), true)) all += *each.request;
  check(all <= Cores(1500 + static_cast<std::int64_t>(from.pod.containers.size())),
        "what is spread is what there is");
  const auto view = kube::objects::cpuView(child, from, false, {&pod});
  check(view.held >= Cores(), "what is held is not negative");
}

}  // namespace
}  // namespace slaq::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace slaq;
  const auto document = kube::json::parseJson(fuzz::textOf(data, size));
  if (document.HasParseError()) return 0;
  fuzz::readOwn(document);
  fuzz::check(fuzz::areInBounds(kube::pods::readOtherPod(document, "cpu").cores), "cores are in bounds");
  fuzz::check(fuzz::areInBounds(kube::pods::readNode(document, "cpu").allocatable), "cores are in bounds");
  return 0;
}
