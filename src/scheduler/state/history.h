// The knowledge about one job, learned from epoch to epoch. A plain value: the loop keeps one for each job
// and feeds it with what it observes; decisions only read it.
#pragma once

#include <optional>
#include <string>

#include "forecast/predictors/predictor.h"
#include "job/view.h"
#include "scheduler/constants.h"
#include "scheduler/policy/policy.h"
#include "scheduler/runtime/cpu_use.h"
#include "scheduler/runtime/growth_times.h"
#include "scheduler/runtime/learned_pauses.h"
#include "scheduler/runtime/pause_population.h"
#include "scheduler/runtime/runtime_model.h"
#include "scheduler/runtime/sample_times.h"
#include "scheduler/runtime/training_lengths.h"
#include "scheduler/runtime/training_records.h"
#include "scheduler/state/known_future.h"
#include "scheduler/state/sizes.h"

namespace slaq::scheduler {

// A growth or a start that never arrived and was given back. Before the next try to have more than `size`
// there is a pause, which gets longer each time.
struct GivenBack {
  Size size;  // what had arrived; no workers if it was a start
  Time until;
  Seconds pause{30};
  std::string why;  // a sentence

  bool operator==(const GivenBack&) const = default;
};

// The number of newer forecasts in a row that agreed on the job having reached what spec.stop asks for.
struct Agreement {
  int forecasts = 0;
  double final = 0;  // the final loss that the latest of them forecast
  Iterations since;  // the iteration at which the first of them was made
};

// The losses of a job, and the forecast made of them. `series` has the samples that are progress: each is of
// a later iteration than the one before. `model` is of `series` at the revision `fitted`.
struct LossHistory {
  LossSpec spec;  // the settings by which the samples were read
  forecast::LossSeries series;
  std::optional<forecast::ConvergenceModel> model;  // by some predictors also without any pair
  std::uint64_t fitted = 0;
  forecast::ForecastMemory memory;  // what the predictor keeps about the job
  Agreement reduced;                // about spec.stop.lossReductionPercent

  Iterations newest{-1};  // the iteration of the newest sample
  // The largest iteration that two samples in a row had reached. Iterations beyond it are progress. One
  // sample alone may be wrong.
  Iterations furthest{-1};
  Time begun;                           // when the first was seen, since the training last restarted
  std::optional<Time> lastSample;       // when the newest sample was taken, new iteration or not
  SampleTimes sampleTimes;              // when samples come
  std::optional<std::string> unusable;  // why the newest sample cannot be used, a sentence

  std::optional<Time> lastRead;  // when its source last reported on it, or when no pod of it exported a loss
  bool caughtUp = false;         // it was read when the source last answered
  std::optional<std::string> problem;  // why there is no loss, as the source says
  std::optional<std::string> notice;   // which of several series it is read from, as the source says
};

// The failures of the chief, the pod that runs the optimiser's loop. `seen` is their number, and `before`
// what it was at the look before. `forgiven` of them came before the newest new iteration. The last `alike`
// of them ended in the same way, `last`.
struct FailureHistory {
  int forgiven = 0;
  int seen = 0;
  int before = 0;
  int alike = 0;
  std::string last = {};
  Time lastSeen = {};  // when the last one was seen
};

// The changes of a job's size. A change is under way from `since` on, until the pods are as `asked`.
struct ResizeHistory {
  std::optional<Time> grew;    // when its workers were last told to take more cores, since it runs
  std::optional<Time> shrank;  // and to give some
  int inVain = 0;              // the number of changes since its last new iteration

  std::optional<Time> since;
  Size asked;                                // the size last asked for
  bool isGrowing = false;                    // `asked` has more workers than the size before
  bool isAwaited = false;                    // a growth is part of what is under way
  bool isBegun = false;                      // this process has seen that growth begin
  Seconds timeout = kShortestResizeTimeout;  // the time after which slaq stops waiting for a change
  std::optional<Seconds> growthTook;         // the time that the last growth took, until other jobs are told
  std::optional<Cores> settledCpu;           // of each worker, when all last had what was asked

  bool hadMinimum = false;           // since its start, all pods that it needs to run were ready at some time
  std::optional<Time> blockedSince;  // since when an obstacle to these pods is known
  std::optional<GivenBack> givenBack;
  std::optional<GivenBack> startGivenBack;
  std::int64_t startedGeneration = 0;  // of the job, at the last look: after an edit it may start at once
};

// The pods of a job, as they were at the last look and before.
struct PodHistory {
  Time known;                         // since when this process has known the job
  bool adopted = false;               // it was running before this process knew it
  bool hasRun = false;                // a worker of it was ready since `known`
  std::optional<Time> readySince;     // since when any of its workers has been ready
  std::optional<Time> startingSince;  // when it was started, if none of its workers has been ready since
  Time observed;                      // when its pods were last looked at
  Cores inUse;                        // the cores that all its pods held then
  double attained = 0;                // core-seconds that its pods held so far, as far as this process saw
  Cores running;                      // the cores that run its iterations now
  Cores given;                        // the cores of all its workers
  Time givenSince;                    // since when they have been as many
  CpuReadings cpuReadings;            // of all its workers, where it is known
};

// These values are expected of the job, because other jobs had them. Measurements of the job itself replace
// `oldestSample`, `start` and most of `pauses`.
struct Expectations {
  std::optional<Seconds> oldestSample;  // SampleTimes::oldest()
  ExpectedPauses pauses;
  std::optional<double> length;      // the iterations at its end, by its kind
  std::int64_t trainingsOfKind = 0;  // that have ended
  std::optional<Seconds> start;      // CPU time before its first iteration
};

// How much of this job's results other jobs have been told, so that nothing is told twice.
struct SharedResults {
  bool sampleTimes = false;
  bool end = false;        // how many iterations it did
  bool start = false;      // the CPU time before its first iteration
  double speeds = 0;       // RuntimeModel::iterationsSeen at that time
  std::size_t sizes = 0;   // the number of sizes with a speed
  Iterations curveToAll;   // how far the job was when it last updated the predictor for all jobs
  Iterations curveToKind;  // and for its kind
};

struct JobHistory {
  std::string uid;   // of the job: a new job under the same name has a history of its own
  std::string kind;  // which jobs it resembles (job/kind.h)
  LossHistory losses;
  FailureHistory failures;
  RuntimeModel runtime;
  LearnedPauses pauses;
  ResizeHistory resizes;
  PodHistory pods;
  Expectations expected;
  SharedResults shared;
  std::optional<JobState> planned;   // by the last epoch; the status may show it later
  std::optional<int> priorityBoost;  // as last decided, where its queue is told what an eviction would cost
  std::optional<Size> awaited;       // its size as decided then, if others had yet to give the cores back
  std::optional<KnownFuture> knownFuture;  // replaces the forecast, where there is one
};

// The reason why a sample cannot be used, a sentence; empty for most samples.
std::optional<std::string> whyUnusable(Iterations iteration, Loss loss);

// Takes in a sample from the job's loss source. Samples come in the order of time. `initial` is the loss
// before the first iteration. A new iteration forgives the failures that the look before knew: one that came
// since then may be later than the iteration.
void learn(JobHistory& history, Time time, Iterations iteration, Loss loss, std::optional<Loss> initial);

// True if the job has done an iteration, as far as was seen.
bool hasIterated(const JobHistory& history);

// Forgives the failures that came since the look before, if the job has iterated: losses can't be read at the
// moment, so its new iterations are not seen.
void forgiveUnseen(JobHistory& history);

// The owner's wishes for a job's loss and for its end: spec.loss, and spec.stop.lossReductionPercent.
struct Wishes {
  forecast::LossHints loss;
  std::optional<double> reductionPercent = {};
};
Wishes wishesOf(const JobSpec& spec);

// Forecasts again if there are new pairs (section 4.2.2). Then checks by the forecast whether the job has
// come as far as its owner wants.
void refit(JobHistory& history, const Wishes& wishes, const forecast::Predictor& predictor);

// The results of all jobs, apart from their losses, that say something about other jobs.
struct Peers {
  forecast::SpeedPopulation speeds = {};
  PausePopulation pauses = {};
  GrowthTimes growths = {};
  TrainingLengths lengths = {};
  TrainingRecords records = {};
  StartWork starts = {};
  PauseRecord<15> oldestSamples = {};  // SampleTimes::oldest() of jobs
};

// Sets what is expected of this job from other jobs' results, until it has shown its own.
void expect(JobHistory& history, const JobSpec& spec, const forecast::Predictor& predictor,
            const Peers& peers);

// Shares the losses and the speed of this job with other jobs, each time it has come twice as far as the last
// time.
void updatePeers(JobHistory& history, forecast::Predictor& predictor, Peers& peers);

// The forecast, if it rests on enough losses of the job itself; else null.
const forecast::ConvergenceModel* ownModel(const JobHistory& history);

// The job has shown what decisions go by: its losses and its speed. For a moment after the controller
// started, only its losses are known.
bool isShown(const JobHistory& history);

// The job was started, and nothing of it has run yet: more workers interrupt nothing.
bool isStarting(const JobHistory& history);

// The largest age of the newest sample while samples go on as before, as the job or else other jobs show;
// empty where nothing is known.
std::optional<Seconds> oldestSample(const JobHistory& history);

// The error of the back-test of the job's forecast, as a share of the range of its losses. Empty without one.
std::optional<double> backTestErrorOf(const JobHistory& history);

// The part of the predicted total that the loss has fallen, in percent. Empty without a forecast, and where
// the loss has not fallen.
std::optional<double> reducedPercent(const JobHistory& history);

// The iteration that the trainer is likely at `now`: decisions look ahead from now, not from the last scrape.
// It is extrapolated by the running time, but no further than `most` from the last sample. REQUIRES:
// history.losses.series is not empty.
Iterations iterationAt(const JobHistory& history, Time now, Seconds most);

// The failures so far of the pod that runs the optimiser's loop.
int chiefFailuresOf(const JobView& view);
// How it failed last; empty if that says nothing about its program.
const std::string& lastFailureOf(const JobView& view);

}  // namespace slaq::scheduler
