#include "job/job.h"

#include <algorithm>

namespace slaq {

std::string toString(const JobKey& key) { return key.ns + "/" + key.name; }

std::string_view name(Convergence convergence) {
  switch (convergence) {
    case Convergence::Auto:
      return "Auto";
    case Convergence::Sublinear:
      return "Sublinear";
    case Convergence::Superlinear:
      return "Superlinear";
  }
  return "Auto";
}

std::optional<Convergence> convergenceFrom(std::string_view text) {
  for (const auto each : {Convergence::Auto, Convergence::Sublinear, Convergence::Superlinear}) {
    if (text == name(each)) return each;
  }
  return std::nullopt;
}

Cores coresOf(const PodTemplate& pod) {
  Cores sum;
  for (const auto& container : pod.containers) {
    sum += container.cpuRequest.value_or(container.cpuLimit.value_or(Cores()));
  }
  return sum;
}

std::optional<int> portOf(const PodTemplate& pod, std::string_view portName) {
  for (const auto& container : pod.containers) {
    const auto found = std::ranges::find(container.ports, portName, &ContainerPort::name);
    if (found != container.ports.end()) return found->port;
  }
  return std::nullopt;
}

const PodTemplate& chiefOf(const JobSpec& spec) { return spec.driver ? *spec.driver : spec.workers.pod; }

}  // namespace slaq
