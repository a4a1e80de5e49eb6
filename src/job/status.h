// The status of a TrainingJob, as values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"

namespace slaq {

enum class JobState { Pending, Waiting, Running, Suspended, Complete, Failed };

std::string_view name(JobState state);
constexpr bool finished(JobState state) { return state == JobState::Complete || state == JobState::Failed; }

enum class ConditionType {
  Ready,
  MetricsAvailable,
  ModelFitted,
  Resizing,
  Suspended,
  Complete,
  Failed,
  Stalled,  // kstatus' word for a state that does not end without a person's help
};
enum class Truth { True, False, Unknown };

std::string_view name(ConditionType type);
std::string_view name(Truth truth);
std::optional<JobState> jobStateFrom(std::string_view text);
std::optional<ConditionType> conditionTypeFrom(std::string_view text);
std::optional<Truth> truthFrom(std::string_view text);

// A metav1.Condition.
struct Condition {
  ConditionType type = ConditionType::Ready;
  Truth status = Truth::Unknown;
  std::string reason;   // CamelCase, for programs
  std::string message;  // a sentence, for people
  Time lastTransition;
  std::int64_t observedGeneration = 0;

  bool operator==(const Condition&) const = default;
};

// Reason of MetricsAvailable with status True: the loss comes from one of several series.
inline constexpr const char* kSeveralSeries = "SeveralSeries";
// Reason of ModelFitted with status True: the training's progress is unknown.
inline constexpr const char* kNotFallen = "NotFallen";
// Reasons of ModelFitted with status False: the loss is above its first one, or its iterations are not
// counted.
inline constexpr const char* kLossRose = "LossRose";
inline constexpr const char* kNoIterations = "NoIterations";

// True where nothing is wrong, but the owner probably wants to change something, as the message says.
bool isHint(const Condition& condition);

// The number of iterations left until this percentage of the expected reduction is done.
struct Milestone {
  int reductionPercent = 0;
  Iterations left;

  bool operator==(const Milestone&) const = default;
};

struct Progress {
  Iterations iteration;
  Loss loss;
  std::optional<double> level;  // (loss - forecast final) / (first - forecast final), in 0..1
  std::optional<Seconds> remaining;
  std::string convergence;                 // the curve family that forecasts
  std::optional<Loss> forecastFinal = {};  // where the loss is going
  std::vector<Milestone> milestones = {};  // those still ahead, with rising percentage

  bool operator==(const Progress&) const = default;
};

// The scheduler's decision about a job, and its reason.
struct Decision {
  Workers workers;
  Cores cores;
  double predictedReduction = 0;  // normalized loss by the next epoch
  double gainPerCore = 0;         // normalized loss per core-second, of the next worker
  std::string reason;
  Time since;                           // when `workers` was last changed
  std::optional<double> price = {};     // the dual price of a core-second in this decision
  std::optional<Loss> forecast = {};    // the loss that is expected at the next epoch
  std::optional<Cores> workerCpu = {};  // of each worker, where the job scales by CPU

  bool operator==(const Decision&) const = default;
};

// The time that an iteration takes with this number of workers.
struct SizeSpeed {
  Workers workers;
  Seconds iteration{0};
  bool measured = false;  // on the job itself; otherwise estimated from other sizes or other jobs

  bool operator==(const SizeSpeed&) const = default;
};

// The cost of a change of the job's workers, as measured on this job; empty where it is not known.
struct ResizeCost {
  std::optional<Seconds> grow = {};    // the training stands still for this time when it gets workers
  std::optional<Seconds> shrink = {};  // likewise when it loses some
  std::optional<Seconds> lost = {};    // work that it does again

  bool operator==(const ResizeCost&) const = default;
};

// The kind of a training, and how many trainings of this kind are known.
struct KindStatus {
  std::string name;
  std::int64_t trainings = 0;  // ended trainings of this kind, which the forecasts use

  bool operator==(const KindStatus&) const = default;
};

struct JobStatus {
  JobState state = JobState::Pending;
  std::vector<Condition> conditions;  // sorted by type
  std::int64_t observedGeneration = 0;
  std::optional<Time> started;
  std::optional<Time> completed;
  Workers replicas;  // pods that exist
  Workers ready;
  Workers desired;
  std::optional<Progress> progress;
  std::optional<Decision> decision;
  std::vector<SizeSpeed> speeds;  // in rising order of size; only those that are measured or estimated
  std::optional<ResizeCost> resizeCost;
  std::optional<KindStatus> kind;

  bool operator==(const JobStatus&) const = default;
};

const Condition* find(const std::vector<Condition>& conditions, ConditionType type);

// Sets a condition; its transition time stays the same when its status does.
void set(std::vector<Condition>& conditions, Condition next);

}  // namespace slaq
