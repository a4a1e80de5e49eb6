// The numbers by which src/scheduler decides, each with its unit. Brackets have another value, and how the
// integral of the GPU workloads changes with it under the default policy. This was measured in 48 runs, half
// of them with kinds of jobs; half a percent is chance. docs/scheduler.md has the rules that the numbers
// belong to. Limits of memory, threads and rounding are beside the code that needs them.
#pragma once

#include <cstddef>

#include "base/units.h"

namespace slaq::scheduler {

// Changes of size ------------------------------------------------------------------------------------------

// A change has to pay for its pause within this multiple of the pause (half of it: +3%).
inline constexpr double kPausesToPayIn = 6;

// Another size, or another job, must be better by this share to be worth a change. Forecasts are inexact, and
// jobs that are nearly equal would take cores from each other in turn (0: +2%, and +12% on the paper's
// workload).
inline constexpr double kChangeMargin = 0.1;

// A change in place by a smaller share of the CPU that the job has is not made.
inline constexpr double kLeastChangeInPlace = 0.1;

// The step by which the cores of a worker change where a job scales by CPU.
inline constexpr Cores kCpuQuantum{50};

// Jobs that did not change for a while are expected to stay unchanged for the same time again, at most this
// (a minute: +0.4%).
inline constexpr Seconds kLongestCalm{600};

// A growth has twice its usual time, within these bounds, before it is given back.
inline constexpr Seconds kShortestResizeTimeout{30};
inline constexpr Seconds kLongestResizeTimeout{300};

// A slow growth longer ago than this says nothing about the usual time.
inline constexpr Seconds kSlowGrowthsCountFor{120};

// A growth with a known obstacle has only this time.
inline constexpr Seconds kObstacleTimeout{10};

// After a growth or a start that was given back, there is none for 30 s. Each further time this doubles, up
// to this.
inline constexpr Seconds kLongestHold{300};

// Trust in forecasts ----------------------------------------------------------------------------------------

// A doubtful forecast moves this share of the cores at most (1: +2%). It is doubtful if its back-test missed
// by more than forecast::kDoubtfulError, or if it had none.
inline constexpr double kDoubtfulShare = 0.5;

// A forecast reaches past the last sample by this number of epochs at most. If the largest usual age of a
// newest sample is longer, it reaches that far. (1: nothing for the default policy, and +10% for the
// published one on its own workload.)
inline constexpr double kExtrapolatedEpochs = 3;

// At this level a training counts as done, or nearly so.
inline constexpr double kDoneLevel = 0.01;

// A forecast of the total reduction ends a job once the job has shown this number of losses. A loss that has
// not fallen by then is told.
inline constexpr std::size_t kFewestForStop = 20;

// Before that, this number of forecasts in a row must have differed by no more than this share of the range.
inline constexpr int kAgreeingForStop = 3;
inline constexpr double kAgreementRange = 0.05;

// A job's curve counts for all other jobs from this iteration on, and again at each doubling.
inline constexpr Iterations kFirstPredictorUpdate{16};

// Starts ----------------------------------------------------------------------------------------------------

// The longer a start takes, the less is known of its end: at least this share of what was expected, and of
// what it has used, is still to come.
inline constexpr double kLeastLeftOfStart = 0.25;

// Where jobs change in place, the horizon of a program that starts is at least this many times as long as its
// start with one core.
inline constexpr double kStartsInHorizon = 2;

// A program that failed as often as this in the same way and without an iteration, each time within this time
// of the failure before, will fail again. Failures further apart do not come from how it starts.
inline constexpr int kAlikeFailures = 2;
inline constexpr Seconds kLongestStart{600};

// Silence ---------------------------------------------------------------------------------------------------

// An adopted job keeps its workers for this time, or until its loss is known again.
inline constexpr Seconds kAdoption{30};

// Before the interval of a job's samples is known, it may be as long as Prometheus's default scrape interval.
inline constexpr Seconds kLongestScrapeInterval{60};

// A sample is overdue after this many usual intervals: two scrapes in a row may fail.
inline constexpr double kSpacings = 3;

// A job whose loss cannot be read, although other jobs' losses can, keeps its workers for this time.
inline constexpr Seconds kLongestUnread{300};

// Speeds ----------------------------------------------------------------------------------------------------

// The use of CPU by a job is a mean over at least this time. Decisions may be a tenth of a second apart, and
// the use between two of them says little.
inline constexpr Seconds kCpuUsePeriod{1};

// A job is not expected to be faster with more than this multiple of the largest size that was tried.
inline constexpr double kReach = 2;

// A stay at one size is preferred if it spans this number of iterations. Then the unseen exact ends of its
// first and last iteration, each between two samples, do not matter much.
inline constexpr double kSteadySpan = 4;

// An iteration that is late counts as done up to this part of it (half: +1%).
inline constexpr double kAboutToEnd = 0.95;

// The beginning of the first iteration counts as known if it may be off by no more than this part of it
// (never: +0.5%).
inline constexpr double kCertainBeginning = 0.15;

// Iterations at several sizes say something about those sizes if their mean time is as certain as that of
// this number of iterations whose ends are known (0: +2.7%).
inline constexpr double kLeastMixtureWeight = 1;

// They say nothing if more than this part of the time may have been pauses, which are not known well. Without
// this a job may look slower with more workers, and cores stay idle beside it.
inline constexpr double kMostPaused = 0.2;

// A size that did a smaller part of them is ignored.
inline constexpr double kLeastShareOfIteration = 0.2;

// Some programs go on with their old workers, and stand still only once the new ones are loaded. Iterations
// that begin this soon after a change, and take this multiple of the expected time, stood still meanwhile.
inline constexpr Seconds kLatestStandstill{60};
inline constexpr double kStandstill = 4;

// A disturbance of a program lasts about this long. Iterations within it are disturbed alike, and count as
// one.
inline constexpr Seconds kDisturbance{1};

// After a change, connections are made and data is handed out, which slows iterations down for about this
// time. The time is left out if more than this number of iterations fit into it.
inline constexpr Seconds kSettling{10};
inline constexpr double kEnoughLater = 200;

// The weight of a speed that was restored after a restart, in iterations: enough to decide by, until the job
// is measured again.
inline constexpr double kRestoredWeight = 10;

// A job is measured with fewer workers for this number of iterations, if that and the pauses take at most
// this share of the time since its last change.
inline constexpr double kTrialIterations = 4;
inline constexpr double kMostOfItsTime = 0.05;

// The shortest remaining part of a training, in iterations: no end is known more exactly.
inline constexpr double kLeastRemaining = 0.1;

// Pauses ----------------------------------------------------------------------------------------------------

// The first new iterations after a change say little, because each ends unseen between two samples. So there
// must be this number of samples with new iterations (1: +0.5%), unless an iteration takes longer than this
// many times the time between two samples.
inline constexpr int kFewestAdvances = 3;
inline constexpr double kWellSeen = 10;

// The position within an iteration is a guess, so a single pause may come out too short, even below 0, or too
// long. It is kept within this in both directions, and so is the lost work.
inline constexpr Seconds kLongestPause{3600};

// An iteration shorter than this can lose no work worth counting.
inline constexpr Seconds kShortIteration{5};

// If a change cost less than this part of the begun work of an iteration, the program did not begin the
// iteration again.
inline constexpr double kBegunAnew = 0.5;

}  // namespace slaq::scheduler
