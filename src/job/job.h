// A TrainingJob as values: what its owner asks for. These values contain no JSON, no YAML and no Kubernetes
// type; src/manifest reads documents into them.
#pragma once

#include <compare>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/units.h"
#include "job/loss_mode.h"

namespace slaq {

struct JobKey {
  std::string ns;  // namespace
  std::string name;

  auto operator<=>(const JobKey&) const = default;
};

// The label of pods and other objects with the name of their TrainingJob.
inline constexpr const char* kJobLabel = "slaq.io/job";

// "namespace/name", as people read it.
std::string toString(const JobKey& key);

// The family of curves that a job's loss follows (section 4.2.2). Auto: chosen by back-test. NonConvex: none
// of them; such a job is forecast towards its target, if it has one (section 7).
enum class Convergence { Auto, Sublinear, Superlinear, NonConvex };

std::string_view name(Convergence convergence);
std::optional<Convergence> convergenceFrom(std::string_view text);

enum class Mode {
  Schedule,
  Observe,  // slaq decides and publishes, and changes nothing
};

std::string_view name(Mode mode);
std::optional<Mode> modeFrom(std::string_view text);

// How a job takes part in the allocation of cores.
enum class Scheduling {
  Quality,   // by how much its next core reduces its loss
  Fair,      // its weight's share of the capacity (section 4.3, "non-ML jobs")
  Reserved,  // as many cores as it can use; it waits until it gets them
};

std::string_view name(Scheduling scheduling);
std::optional<Scheduling> schedulingFrom(std::string_view text);

// The goal that gives cores their value to a job with Scheduling::Quality.
enum class Value {
  Loss,        // how far its loss has fallen
  Completion,  // the end of the training: the job is worth nothing before it
};

std::string_view name(Value value);
std::optional<Value> valueFrom(std::string_view text);

// The part of a job that changes when it gets more or fewer cores.
enum class Scaling {
  Replicas,  // the number of its workers
  CPU,       // the cores of each of them, in place (section 5's token bucket)
};

std::string_view name(Scaling scaling);
std::optional<Scaling> scalingFrom(std::string_view text);

// How the CPU limit of a worker that scales by CPU is set.
enum class CpuCeiling {
  Soft,  // cpu.max, so that the worker may use cores that others leave idle
  Hard,  // the cores that were decided
};

std::string_view name(CpuCeiling ceiling);
std::optional<CpuCeiling> cpuCeilingFrom(std::string_view text);

struct ContainerPort {
  std::string name;
  int port = 0;

  bool operator==(const ContainerPort&) const = default;
};

// Memory of a GPU that several pods share, in mebibytes: the resource name that device plugins for shared
// GPUs use.
inline constexpr const char* kGpuMemory = "nvidia.com/gpumem";

// The parts of a container that slaq itself reads.
struct Container {
  std::string name;
  std::string image;
  std::vector<std::string> command;
  std::vector<std::string> args;
  std::vector<std::pair<std::string, std::string>> environment;  // literal values only, in their order
  std::vector<ContainerPort> ports;
  // Quantities of the resource in which capacity is counted.
  std::optional<Cores> request;
  std::optional<Cores> limit;
  // The memory of a shared GPU that the container may use: its limit of kGpuMemory.
  std::optional<Mebibytes> gpuMemory = {};
  std::string workingDirectory;

  bool operator==(const Container&) const = default;
};

struct PodTemplate {
  std::vector<Container> containers;
  // The whole PodTemplateSpec as JSON text, passed to the cluster unread.
  std::string document;
  // The requests of a real pod, with side-cars and all that the cluster adds, where they are known.
  std::optional<Cores> effective = {};

  bool operator==(const PodTemplate&) const = default;
};

// The cost of one pod of the template: its real requests where these are known, else the requests of its
// containers. Zero when it asks for nothing.
Cores coresOf(const PodTemplate& pod);
// The requests of the containers alone. As in Kubernetes, the limit of a container without a request counts
// as its request.
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

// The cores that a worker that scales by CPU may use until the first loss of its job is seen.
struct StartSpec {
  std::optional<Cores> cpu = {};

  bool operator==(const StartSpec&) const = default;
};

// The owner's estimate of what a change of the number of workers costs, used until the job has shown it.
struct RestartSpec {
  std::optional<Seconds> pause = {};  // the training stands still for this time
  // True if the training then goes on from its last checkpoint and so loses the work after it. Empty: the
  // owner does not say.
  std::optional<bool> checkpointed = {};

  bool operator==(const RestartSpec&) const = default;
};

// An object that has the job's workers and that slaq did not create: slaq changes its size, and nothing else.
struct TargetRef {
  std::string apiVersion;  // "apps/v1"
  std::string kind;        // "Deployment"
  std::string name;
  std::string group = {};  // of its workers, where it has several

  bool operator==(const TargetRef&) const = default;
};

struct WorkersSpec {
  Workers min{1};
  Workers max{1};
  // The only numbers of workers that the job can have, in rising order; `min` and `max` are then the first
  // and the last of them. Empty: all numbers from `min` to `max`.
  std::vector<Workers> sizes = {};
  Scaling scaling = Scaling::Replicas;
  RestartSpec restart = {};
  StartSpec start = {};
  CpuBounds cpu;    // with Scaling::CPU; the number of workers is then `min`, or the pinned one
  PodTemplate pod;  // with a target it is that of the target, where it is known
  std::optional<TargetRef> target = {};

  bool operator==(const WorkersSpec&) const = default;
};

// The most cores that a worker may use if it scales by CPU and `part` of the cores was decided for it, at its
// start or later.
Cores ceilingOf(const WorkersSpec& workers, Cores part, bool isStarting);

// Sorts the sizes and sets the bounds to the first and the last of them.
void narrowToSizes(WorkersSpec& workers);

inline constexpr const char* kDefaultLossMetric = "slaq_training_loss";
inline constexpr const char* kDefaultIterationMetric = "slaq_training_iterations_total";
// The loss before the first iteration, where a trainer exports it: scrapes that begin later would miss the
// largest change.
inline constexpr const char* kInitialLossMetric = "slaq_training_initial_loss";

// Where slaq-report finds the loss of a program that exports no metrics.
struct LossFrom {
  enum class Kind { Output, File, TensorBoard, Mlflow, Kubeflow };
  Kind kind = Kind::Output;
  std::string path = {};    // of the file, or of the directory of logs
  std::string metric = {};  // the name of the loss in it; empty: the best that is found
  // A regular expression that finds the loss in a line of the output, instead of a name.
  std::string pattern = {};

  bool operator==(const LossFrom&) const = default;
};

struct LossSpec {
  std::string metric = kDefaultLossMetric;
  std::string iterationMetric = kDefaultIterationMetric;
  LossMode mode = LossMode::Minimize;
  Convergence convergence = Convergence::Auto;
  std::optional<double> target = {};  // a hint of the final loss (section 7), in the units of the metric
  // The user's own PromQL instead of the metrics, where the administrator allows it; both or none.
  std::string query = {};
  std::string iterationQuery = {};
  std::optional<LossFrom> from = {};  // replaces the metrics

  bool operator==(const LossSpec&) const = default;
};

// Conditions on which a job is stopped before its trainer ends; each condition alone suffices.
struct StopSpec {
  std::optional<double> lossReductionPercent = {};  // of the predicted total reduction
  std::optional<std::int64_t> patience = {};        // iterations without a new lowest loss
  std::optional<std::int64_t> maxIterations = {};
  std::optional<Seconds> activeDeadline = {};  // counted from its start

  bool operator==(const StopSpec&) const = default;
};

struct JobSpec {
  Mode mode = Mode::Schedule;  // Observe only with a target
  int weight = 1;              // importance, 1..1000 (section 4.3)
  bool suspend = false;
  // The value that /scale writes: 0 suspends the job, n pins it to n workers. Empty: the scheduler decides.
  std::optional<Workers> replicas = {};
  Scheduling scheduling = Scheduling::Quality;
  Value value = Value::Loss;
  WorkersSpec workers;
  std::optional<PodTemplate> driver;  // without it worker 0 is the chief
  LossSpec loss;
  StopSpec stop;
  int backoffLimit = 3;                          // chief failures without a new iteration between them
  std::optional<Seconds> ttlAfterFinished = {};  // after it the TrainingJob and all that it owns is deleted

  bool operator==(const JobSpec&) const = default;
};

// True if the owner fixed the number of workers.
bool isPinned(const JobSpec& spec);

// The reason why the owner wants no pod to run, such as "spec.suspend is true"; empty where pods may run.
std::optional<std::string> whySuspended(const JobSpec& spec);

// The pod that runs the optimizer's loop and exports the metrics.
const PodTemplate& chiefOf(const JobSpec& spec);

// The labels by which users put objects into a queue of Kueue, and the annotation of objects there that may
// change their size while they run.
inline constexpr const char* kQueueLabel = "kueue.x-k8s.io/queue-name";
inline constexpr const char* kPriorityClassLabel = "kueue.x-k8s.io/priority-class";
inline constexpr const char* kElasticAnnotation = "kueue.x-k8s.io/elastic-job";

struct TrainingJob {
  JobKey key;
  std::string uid;
  std::int64_t generation = 0;
  Time created;
  bool deleting = false;
  std::string kind;                // the value of the label slaq.io/kind; see job/kind.h
  std::string queue = {};          // the value of the label kueue.x-k8s.io/queue-name; empty: none
  std::string priorityClass = {};  // in the queue: the value of the label kueue.x-k8s.io/priority-class
  // The owner's labels and annotations, which the job's children get too.
  std::map<std::string, std::string> labels = {};
  std::map<std::string, std::string> annotations = {};
  JobSpec spec;
};

}  // namespace slaq
