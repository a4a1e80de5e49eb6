#include "job/loss_from.h"

#include <algorithm>

namespace slaq {

std::size_t mainContainerOf(const PodTemplate& pod) {
  const auto found = std::ranges::find_if(pod.containers, [](const Container& each) {
    return std::ranges::find(each.ports, "metrics", &ContainerPort::name) != each.ports.end();
  });
  return found == pod.containers.end() ? 0 : static_cast<std::size_t>(found - pod.containers.begin());
}

namespace {

// The word that slaq-report expects before the path.
std::string_view wordOf(LossFrom::Kind kind) {
  switch (kind) {
    case LossFrom::Kind::Output:
      return "";
    case LossFrom::Kind::File:
      return "file:";
    case LossFrom::Kind::TensorBoard:
      return "tensorboard:";
    case LossFrom::Kind::Mlflow:
      return "mlflow:";
  }
  return "";
}

}  // namespace

std::vector<std::string> reportCommand(const LossSpec& loss, const std::string& program) {
  std::vector<std::string> command = {program};
  const auto add = [&](std::initializer_list<std::string> words) {
    command.insert(command.end(), words.begin(), words.end());
  };
  if (!loss.from->path.empty()) add({"--from", std::string(wordOf(loss.from->kind)) + loss.from->path});
  if (!loss.from->metric.empty()) add({"--metric", loss.from->metric});
  if (loss.mode == LossMode::Maximize) add({"--maximize", "--as-is"});
  add({"--"});
  return command;
}

}  // namespace slaq
