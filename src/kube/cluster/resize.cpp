#include "kube/cluster/resize.h"

#include "kube/pods/worker_cpu.h"

namespace slaq::kube::cluster {

Result<void> Resizer::resizePods(const objects::StoredJob& job, const objects::ChildJob& workers,
                                 Cores cores) {
  const auto wanted = pods::spread(job.job.spec.workers, cores, objects::isStarting(job));
  Result<void> first;
  for (const auto& pod : store_.podsOf(workers)) {
    const auto goals = keepingClass(pod, wanted);
    if (pod.ended || pod.leaving || asks(pod, goals)) continue;
    auto done = resize(pod, goals);
    const bool silence = !done && done.error().kind == ErrorKind::Transient;
    if (!done && first) first = std::move(done);
    if (silence) break;  // each try may take long; the next epoch continues
  }
  return first;
}

Result<void> Resizer::resize(const pods::OwnPod& pod, const std::vector<pods::ContainerCpu>& goals) {
  const client::Target target{client::kPods, pod.key.ns, pod.key.name, "resize"};
  const auto patched = api_.patch(target, pods::resizeBody(pod, goals), client::PatchKind::Strategic);
  if (patched) {
    store_.updatePod(*patched);
    return {};
  }
  if (patched.error().kind == ErrorKind::NotFound) return explainNotFound(pod);
  return failure(patched.error());
}

Result<void> Resizer::explainNotFound(const pods::OwnPod& pod) {
  const client::Target target{client::kPods, pod.key.ns, pod.key.name};
  const auto found = api_.get(target);
  if (!found && found.error().kind == ErrorKind::NotFound) return {};
  if (!found) return failure(found.error());
  return failure(ErrorKind::Invalid,
                 "this API server cannot resize pods in place; Kubernetes 1.33 and later can");
}

}  // namespace slaq::kube::cluster
