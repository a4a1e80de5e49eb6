// A TrainingJob as values: what its owner asks for. No JSON, no YAML and no Kubernetes type comes this
// far; src/manifest reads documents into these.
#pragma once

#include <compare>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "job/loss_mode.h"

namespace slaq {

struct JobKey {
  std::string ns;  // namespace
  std::string name;

  auto operator<=>(const JobKey&) const = default;
};

// "namespace/name", for people.
std::string toString(const JobKey& key);

// The family of curves that a job's loss follows (section 4.2.2). Auto: chosen by back-test. NonConvex: none
// of them; such a job is forecast towards its target, if it has one (section 7).
enum class Convergence { Auto, Sublinear, Superlinear, NonConvex };

std::string_view name(Convergence convergence);
std::optional<Convergence> convergenceFrom(std::string_view text);

// How a job takes part in the allocation of cores.
enum class Scheduling {
  Quality,   // by how much its next core reduces its loss
  Fair,      // its weight's share of the capacity (section 4.3, "non-ML jobs")
  Reserved,  // as many cores as it can use; it waits until it gets them
};

std::string_view name(Scheduling scheduling);
std::optional<Scheduling> schedulingFrom(std::string_view text);

// What counts of a training that takes part by Quality.
enum class Value {
  Loss,        // how far its loss has fallen
  Completion,  // that it ends: it is worth nothing before
};

std::string_view name(Value value);
std::optional<Value> valueFrom(std::string_view text);

// What changes when a job gets more or fewer cores.
enum class Scaling {
  Replicas,  // the number of its workers
  CPU,       // the cores of each of them, in place (section 5's token bucket)
};

std::string_view name(Scaling scaling);
std::optional<Scaling> scalingFrom(std::string_view text);

// How the CPU limit of a worker that scales by CPU is set.
enum class CpuCeiling {
  Soft,  // for cpu.max, so that the worker may use cores that others leave idle
  Hard,  // for the cores that were decided
};

std::string_view name(CpuCeiling ceiling);
std::optional<CpuCeiling> cpuCeilingFrom(std::string_view text);

struct ContainerPort {
  std::string name;
  int port = 0;

  bool operator==(const ContainerPort&) const = default;
};

// Memory of a GPU that several pods share, in mebibytes: the resource that device plugins for shared GPUs
// have.
inline constexpr const char* kGpuMemory = "nvidia.com/gpumem";

// The parts of a container that slaq itself reads.
struct Container {
  std::string name;
  std::string image;
  std::vector<std::string> command;
  std::vector<std::string> args;
  std::map<std::string, std::string> environment;  // literal values only
  std::vector<ContainerPort> ports;
  // Quantities of the resource in which capacity is counted.
  std::optional<Cores> request;
  std::optional<Cores> limit;
  // The memory that it takes of a GPU which it shares: its limit of kGpuMemory.
  std::optional<Mebibytes> gpuMemory = {};
  std::string workingDirectory;

  bool operator==(const Container&) const = default;
};

struct PodTemplate {
  std::vector<Container> containers;
  // The whole PodTemplateSpec as JSON text, handed on to the cluster unread.
  std::string document;
  // What one pod really requests, side-cars and all that the cluster adds included, where it is known.
  std::optional<Cores> effective = {};

  bool operator==(const PodTemplate&) const = default;
};

// What one pod of the template costs: what it really requests, if that is known, and the requests of its
// containers otherwise. Zero when it asks for nothing.
Cores coresOf(const PodTemplate& pod);
// The requests of its containers alone, where a container without a request counts with its limit, as
// Kubernetes has it.
Cores coresOfContainers(const PodTemplate& pod);
// The port named `portName` of the first container that has it.
std::optional<int> portOf(const PodTemplate& pod, std::string_view portName);

// The bounds of the cores of one worker when the job scales by CPU.
struct CpuBounds {
  Cores min;
  Cores max;
  CpuCeiling ceiling = CpuCeiling::Soft;

  bool operator==(const CpuBounds&) const = default;
};

// How many cores a worker that scales by CPU may use until the first loss of its job is seen.
struct StartSpec {
  std::optional<Cores> cpu = {};

  bool operator==(const StartSpec&) const = default;
};

// What a change of the number of workers costs, as the owner guesses before the job has shown it.
struct RestartSpec {
  std::optional<Seconds> pause = {};  // for which the training stands still
  // And then it goes on from its last checkpoint, so that what came after it is lost; empty: nobody says.
  std::optional<bool> checkpointed = {};

  bool operator==(const RestartSpec&) const = default;
};

struct WorkersSpec {
  Workers min{1};
  Workers max{1};
  // The only numbers that the job can have, rising; empty: all from min to max, which are the first and the
  // last of them otherwise.
  std::vector<Workers> sizes = {};
  Scaling scaling = Scaling::Replicas;
  RestartSpec restart = {};
  StartSpec start = {};
  CpuBounds cpu;  // with Scaling::CPU; the number of workers is `min` then, or what it is pinned to
  PodTemplate pod;

  bool operator==(const WorkersSpec&) const = default;
};

// The most that a worker with that part of the cores may use: of one that scales by CPU, at its start or
// later.
Cores ceilingOf(const WorkersSpec& workers, Cores part, bool isStarting);

// Puts the sizes in order, and the bounds at the first and the last.
void narrowToSizes(WorkersSpec& workers);

inline constexpr const char* kDefaultLossMetric = "slaq_training_loss";
inline constexpr const char* kDefaultIterationMetric = "slaq_training_iterations_total";
// The loss before the first iteration, where a trainer can tell: scrapes that begin later would miss the
// largest change.
inline constexpr const char* kInitialLossMetric = "slaq_training_initial_loss";

// Where slaq-report finds the loss of a program that exports no metrics.
struct LossFrom {
  enum class Kind { Output, File, TensorBoard, Mlflow, Kubeflow };
  Kind kind = Kind::Output;
  std::string path = {};    // of the file, or of the directory of logs
  std::string metric = {};  // the name of the loss in it; empty: the best that is found
  // A regular expression that says where in a line of the output the loss is, in place of a name.
  std::string pattern = {};

  bool operator==(const LossFrom&) const = default;
};

struct LossSpec {
  std::string metric = kDefaultLossMetric;
  std::string iterationMetric = kDefaultIterationMetric;
  LossMode mode = LossMode::Minimize;
  Convergence convergence = Convergence::Auto;
  std::optional<double> target = {};  // a hint of the final loss (section 7), as it is exported
  // The user's own PromQL in place of the metrics, where the administrator allows it; both or none.
  std::string query = {};
  std::string iterationQuery = {};
  std::optional<LossFrom> from = {};  // in place of the metrics

  bool operator==(const LossSpec&) const = default;
};

// When a job is stopped before its trainer ends; each condition alone suffices.
struct StopSpec {
  std::optional<double> lossReductionPercent = {};  // of the predicted total reduction
  std::optional<std::int64_t> patience = {};        // iterations without a new lowest loss
  std::optional<std::int64_t> maxIterations = {};
  std::optional<Seconds> activeDeadline = {};  // since it started

  bool operator==(const StopSpec&) const = default;
};

struct JobSpec {
  int weight = 1;  // importance, 1..1000 (section 4.3)
  bool suspend = false;
  // What /scale writes: 0 suspends the job, n pins it to n workers. Empty: the scheduler decides.
  std::optional<Workers> replicas = {};
  Scheduling scheduling = Scheduling::Quality;
  Value value = Value::Loss;
  WorkersSpec workers;
  std::optional<PodTemplate> driver;  // without it worker 0 is the chief
  LossSpec loss;
  StopSpec stop;
  int backoffLimit = 3;                          // chief failures without a new iteration between them
  std::optional<Seconds> ttlAfterFinished = {};  // then the TrainingJob and all that it owns is deleted

  bool operator==(const JobSpec&) const = default;
};

// Whether the owner said how many workers run.
bool isPinned(const JobSpec& spec);

// Why the owner wants no pod to run, such as "spec.suspend is true"; empty where pods may run.
std::optional<std::string> whySuspended(const JobSpec& spec);

// The pod that runs the optimizer's loop and exports the metrics.
const PodTemplate& chiefOf(const JobSpec& spec);

struct TrainingJob {
  JobKey key;
  std::string uid;
  std::int64_t generation = 0;
  Time created;
  bool deleting = false;
  std::string kind;  // what the label slaq.io/kind says; see job/kind.h
  // Of its owner, that its children are created with.
  std::map<std::string, std::string> labels = {};
  std::map<std::string, std::string> annotations = {};
  JobSpec spec;
};

}  // namespace slaq
