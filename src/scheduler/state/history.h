// What was learned of one job from epoch to epoch. A plain value: the loop keeps one for each job and feeds
// it with what it observes; decisions only read it.
#pragma once

#include <optional>
#include <string>

#include "forecast/predictors/predictor.h"
#include "job/view.h"
#include "scheduler/policy/policy.h"
#include "scheduler/runtime/growth_times.h"
#include "scheduler/runtime/learned_pauses.h"
#include "scheduler/runtime/pause_population.h"
#include "scheduler/runtime/runtime_model.h"
#include "scheduler/runtime/sample_times.h"
#include "scheduler/runtime/start_work.h"
#include "scheduler/runtime/training_lengths.h"
#include "scheduler/runtime/training_records.h"
#include "scheduler/state/known_future.h"
#include "scheduler/state/sizes.h"

namespace slaq::scheduler {

// A growth with a known obstacle is given up waiting for after so long.
inline constexpr Seconds kObstacleTimeout{10};

// A growth or a start that never arrived and was given back: before the next try to have more than `size`
// there is a pause, longer each time.
struct GivenBack {
  Size size;  // what had arrived; no workers where it was a start
  Time until;
  Seconds pause{30};
  std::string why;  // a sentence

  static constexpr Seconds kLongestPause{300};

  bool operator==(const GivenBack&) const = default;
};

// How often in a row newer forecasts agreed that the job has reached what spec.stop asks for.
struct Agreement {
  int forecasts = 0;
  double final = 0;  // the final loss that the last of them forecast
  Iterations since;  // at which iteration the first of them was made
};

struct JobHistory {
  std::string uid;   // of the job it belongs to: a new job under the same name has a history of its own
  std::string kind;  // which jobs it resembles (job/kind.h)
  LossSpec loss;     // by which its samples were read

  std::optional<forecast::ConvergenceModel>
      model;                       // of `series` as it is; by some predictors also without any pair
  std::optional<Time> grew;        // since it runs, its workers were last told to take more cores
  std::optional<Time> shrank;      // and to give some
  int changesInVain = 0;           // how often it was changed since its last new iteration
  double attained = 0;             // core-seconds that its pods held so far, as far as this process saw
  std::uint64_t fitted = 0;        // the series' revision that `model` is of
  Agreement reduced;               // on spec.stop.lossReductionPercent
  std::optional<Time> lastSample;  // when the newest sample was taken, new iteration or not
  SampleTimes sampleTimes;         // when its samples come
  std::optional<Seconds> expectedOldest;  // SampleTimes::oldest() of other jobs
  bool sampleTimesShared = false;         // other jobs were told of its own
  std::optional<std::string> unusable;    // why the newest sample cannot be used, a sentence
  std::optional<Time> lastRead;  // when its source last told of it, or it had no pod that exports any
  bool caughtUp = false;         // it was read when the source last answered
  int forgivenFailures = 0;      // chief failures before the newest new iteration
  Iterations newest{-1};         // the newest sample's
  // The largest iteration that two samples in a row had reached: what comes after it is progress. One alone
  // may be wrong.
  Iterations furthest{-1};
  Iterations predictorUpdated;  // how far the job was when it last updated the predictor for all jobs
  Iterations kindUpdated;       // and for its kind,
  double countedForKind = 0;    // as how much of a job it counts there
  forecast::LossSeries series;
  RuntimeModel runtime;
  forecast::ForecastMemory memory;  // what the predictor keeps about the job

  LearnedPauses pauses;
  ExpectedPauses expectedPauses;         // until it has shown its own
  std::optional<double> expectedLength;  // iterations that it will have done at its end, as its kind shows
  bool endShared = false;                // other jobs were told how many it did
  std::int64_t trainingsOfKind = 0;      // that ended
  double speedsShared = 0;  // RuntimeModel::iterationsSeen when other jobs were last told what it measured
  std::size_t sizesShared = 0;  // and the sizes of which they were told

  std::optional<std::string> problem;  // why there is no loss, as the source says
  std::optional<std::string> notice;   // which of several series it is read from, as the source says

  Time known;                           // this process knows the job since
  bool adopted = false;                 // it was running before this process knew it
  bool hasRun = false;                  // a worker of it was ready since then
  std::optional<Time> readySince;       // its workers have been ready since
  std::optional<Time> startingSince;    // it was started then, and none of its workers has been ready since
  std::optional<Time> resizingSince;    // its pods differ from what was asked since
  Size asked;                           // what `resizingSince` is about
  bool isGrowing = false;               // it is about more workers than before
  std::optional<Seconds> growthTook;    // the last growth came after so long; until other jobs are told
  std::optional<Cores> settledCpu;      // of each worker, when all had what was asked
  Cores running;                        // the cores that run its iterations now
  std::optional<CpuUse> cpuUsed;        // by all its workers, as last counted; where that is known
  std::optional<CpuUse> cpuUsedBefore;  // and the time before
  Cores given;                          // to all its workers, at the last look
  Time givenSince;
  std::optional<Seconds> expectedStart;  // CPU time before its first iteration, as other jobs show
  bool startShared = false;              // other jobs were told of its own
  Time observed;                         // when its pods were last looked at
  Cores inUse;                           // what all of them held then
  Time begun;                            // when the first loss was seen, since the training last restarted
  Seconds resizeTimeout = kShortestResizeTimeout;  // a change is given up waiting for after so long
  std::optional<GivenBack> givenBack;
  bool hadMinimum = false;           // since it was started, all pods without which it cannot run were ready
  std::optional<Time> blockedSince;  // since when it is known why these do not come
  std::optional<GivenBack> startGivenBack;
  std::int64_t startedGeneration = 0;  // of the job when that was noted: after an edit it is tried at once
  std::optional<JobState> planned;     // by the last epoch; the status may say so later
  std::optional<Size> awaited;         // its size as decided then, if others had yet to give the cores back
  std::optional<KnownFuture> knownFuture;  // taken for the forecast where there is one
};

// Why a sample cannot be used, a sentence; empty for most.
std::optional<std::string> whyUnusable(Iterations iteration, Loss loss);

// A sample from the job's loss source, in the order of time. `initial` is the loss before the first
// iteration.
void learn(JobHistory& history, Time time, Iterations iteration, Loss loss, std::optional<Loss> initial,
           int chiefFailures);

// What a job's owner says of its loss and of its end: as in spec.loss, and spec.stop.lossReductionPercent.
struct Wishes {
  forecast::LossHints loss;
  std::optional<double> reductionPercent = {};
};
Wishes wishesOf(const JobSpec& spec);

// Forecasts again if there are new pairs (section 4.2.2), and asks the forecast whether the job has come as
// far as its owner wants.
void refit(JobHistory& history, const Wishes& wishes, const forecast::Predictor& predictor);

// What jobs showed, apart from their losses, that says something about others.
struct Peers {
  forecast::SpeedPopulation speeds = {};
  PausePopulation pauses = {};
  GrowthTimes growths = {};
  TrainingLengths lengths = {};
  TrainingRecords records = {};
  StartWork starts = {};
  PauseRecord<15> oldestSamples = {};  // SampleTimes::oldest() of jobs
};

// Before a job has shown anything, other jobs tell what is likely.
void expect(JobHistory& history, const JobSpec& spec, const forecast::Predictor& predictor,
            const Peers& peers);

// Tells other jobs what this one has shown, of its losses and of its speed, each time it has come twice as
// far as the last time.
void updatePeers(JobHistory& history, forecast::Predictor& predictor, Peers& peers);

// The forecast as far as it rests on the job's own losses; null with too few of them.
const forecast::ConvergenceModel* ownModel(const JobHistory& history);

// The job has shown what decisions go by: its losses, and how fast it goes. For a moment after the controller
// started only the first is known.
bool isShown(const JobHistory& history);

// It was started, and nothing of it has run yet: more workers interrupt nothing.
bool isStarting(const JobHistory& history);

// The newest sample is at most so old while samples go on as they come, as the job or else other jobs show;
// empty where nothing is known.
std::optional<Seconds> oldestSample(const JobHistory& history);

// What a policy is told about the forecast.
ForecastQuality forecastQualityOf(const JobHistory& history);

// How much of the predicted total the loss has fallen, in percent. Empty without a forecast, and where it has
// not fallen.
std::optional<double> reducedPercent(const JobHistory& history);

// The iteration that the trainer is likely at `now`: decisions are about the future of now, not of the last
// scrape. Extrapolates by the running time, but no further than `most` from the last sample.
// REQUIRES: history.series is not empty.
Iterations iterationAt(const JobHistory& history, Time now, Seconds most);

// Failures of the pod that runs the optimiser's loop, so far.
int chiefFailuresOf(const JobView& view);

}  // namespace slaq::scheduler
