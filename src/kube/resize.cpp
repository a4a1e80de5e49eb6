#include "kube/resize.h"

#include "kube/worker_cpu.h"

namespace slaq::kube {

Result<void> Resizer::bring(const StoredJob& job, const ChildJob& workers, Cores cores) {
  const auto goals = spread(job.job.spec.workers.pod, cores);
  Result<void> first;
  for (const auto& pod : store_.podsOf(workers.uid)) {
    if (pod.ended || pod.leaving || asks(pod, goals)) continue;
    auto done = resize(pod, goals);
    const bool silence = !done && done.error().kind == ErrorKind::Transient;
    if (!done && first) first = std::move(done);
    if (silence) break;  // each try may take long, and the next epoch goes on
  }
  return first;
}

Result<void> Resizer::resize(const OwnPod& pod, const std::vector<ContainerCpu>& goals) {
  const Target target{kPods, pod.key.ns, pod.key.name, "resize"};
  const auto patched = api_.patch(target, resizeBody(pod, goals), PatchKind::Strategic);
  if (patched) {
    store_.learnPod(*patched);
    return {};
  }
  if (patched.error().kind == ErrorKind::NotFound) return explain(pod);
  return failure(patched.error());
}

Result<void> Resizer::explain(const OwnPod& pod) {
  const Target target{kPods, pod.key.ns, pod.key.name};
  const auto found = api_.get(target);
  if (!found && found.error().kind == ErrorKind::NotFound) return {};
  if (!found) return failure(found.error());
  return failure(ErrorKind::Invalid,
                 "this API server cannot resize pods in place; Kubernetes 1.33 and later can");
}

}  // namespace slaq::kube
