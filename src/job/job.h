// A TrainingJob as values: what its owner asks for. No JSON, no YAML and no Kubernetes type comes this
// far; src/manifest reads documents into these.
#pragma once

#include <compare>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"

namespace slaq {

struct JobKey {
  std::string ns;  // namespace
  std::string name;

  auto operator<=>(const JobKey&) const = default;
};

// "namespace/name", for people.
std::string toString(const JobKey& key);

// The family of curves that a job's loss follows (section 4.2.2). Auto: chosen by back-test.
enum class Convergence { Auto, Sublinear, Superlinear };

std::string_view name(Convergence convergence);
std::optional<Convergence> convergenceFrom(std::string_view text);

struct ContainerPort {
  std::string name;
  int port = 0;

  bool operator==(const ContainerPort&) const = default;
};

// The parts of a container that slaq itself reads.
struct Container {
  std::string name;
  std::string image;
  std::vector<std::string> command;
  std::vector<std::string> args;
  std::map<std::string, std::string> environment;  // literal values only
  std::vector<ContainerPort> ports;
  std::optional<Cores> cpuRequest;
  std::optional<Cores> cpuLimit;
  std::string workingDirectory;

  bool operator==(const Container&) const = default;
};

struct PodTemplate {
  std::vector<Container> containers;
  // The whole PodTemplateSpec as JSON text, handed on to the cluster unread.
  std::string document;

  bool operator==(const PodTemplate&) const = default;
};

// What one pod of the template costs: the CPU requests of its containers, where a container without a
// request counts with its limit, as Kubernetes has it. Zero when it asks for nothing.
Cores coresOf(const PodTemplate& pod);
// The port named `portName` of the first container that has it.
std::optional<int> portOf(const PodTemplate& pod, std::string_view portName);

struct WorkersSpec {
  Workers min{1};
  Workers max{1};
  Workers pinned{0};  // what /scale writes: 0 automatic, n pins n
  PodTemplate pod;

  bool operator==(const WorkersSpec&) const = default;
};

inline constexpr const char* kDefaultLossMetric = "slaq_training_loss";
inline constexpr const char* kDefaultIterationMetric = "slaq_training_iterations_total";
// The loss before the first iteration, where a trainer can tell: scrapes that begin later would miss the
// largest change.
inline constexpr const char* kInitialLossMetric = "slaq_training_initial_loss";

struct LossSpec {
  std::string metric = kDefaultLossMetric;
  std::string iterationMetric = kDefaultIterationMetric;
  Convergence convergence = Convergence::Auto;

  bool operator==(const LossSpec&) const = default;
};

struct JobSpec {
  int weight = 1;  // importance, 1..1000 (section 4.3)
  bool suspend = false;
  WorkersSpec workers;
  std::optional<PodTemplate> driver;  // without it worker 0 is the chief
  LossSpec loss;
  int backoffLimit = 3;  // chief failures without a new iteration between them

  bool operator==(const JobSpec&) const = default;
};

// The pod that runs the optimiser's loop and exports the metrics.
const PodTemplate& chiefOf(const JobSpec& spec);

struct TrainingJob {
  JobKey key;
  std::string uid;
  std::int64_t generation = 0;
  Time created;
  bool deleting = false;
  JobSpec spec;
};

}  // namespace slaq
