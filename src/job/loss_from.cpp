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

constexpr std::size_t kLongestPattern = 1024;  // as in the CRD

// The first part of slaq-report's argument --from, before the path.
std::string_view wordOf(LossFrom::Kind kind) {
  switch (kind) {
    case LossFrom::Kind::Output:
      return "output";
    case LossFrom::Kind::File:
      return "file:";
    case LossFrom::Kind::TensorBoard:
      return "tensorboard:";
    case LossFrom::Kind::Mlflow:
      return "mlflow:";
    case LossFrom::Kind::Kubeflow:
      return "kubeflow";
  }
  return "";
}

}  // namespace

std::optional<std::string> problemOfPattern(std::string_view pattern) {
  if (pattern.size() > kLongestPattern)
    return "must have at most " + std::to_string(kLongestPattern) + " characters";
  for (const std::string_view group : {"(?<loss>", "(?P<loss>"}) {
    if (pattern.find(group) != std::string_view::npos) return std::nullopt;
  }
  return R"(must have a group named loss, as in 'step=(?<iteration>\d+) .*loss=(?<loss>\S+)')";
}

std::string withoutExpansion(std::string text) {
  for (std::size_t at = 0; (at = text.find('$', at)) != std::string::npos; at += 2) text.insert(at, "$");
  return text;
}

std::vector<std::string> reportCommand(const LossSpec& loss, const std::string& program) {
  std::vector<std::string> command = {program};
  const auto add = [&](std::initializer_list<std::string> words) {
    command.insert(command.end(), words.begin(), words.end());
  };
  const LossFrom& from = *loss.from;
  if (from.kind != LossFrom::Kind::Output) add({"--from", std::string(wordOf(from.kind)) + from.path});
  if (!from.metric.empty()) add({"--metric", from.metric});
  if (!from.pattern.empty()) add({"--pattern", withoutExpansion(from.pattern)});
  if (loss.mode == LossMode::Maximize) add({"--maximize", "--as-is"});
  add({"--"});
  return command;
}

}  // namespace slaq
