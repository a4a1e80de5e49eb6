// The numbers by which src/forecast forecasts losses and speeds, each with its unit. A figure in brackets is
// what the number is worth, as in scheduler/constants.h. Limits of memory and rounding are beside the code
// that needs them. What was fitted to recorded trainings is in ensemble/fitted_constants.h.
#pragma once

#include <cstddef>

namespace slaq::forecast {

// Pairs of an iteration and a loss --------------------------------------------------------------------------

// A change of more than this number of standard deviations is not noise: noise alone reaches that with a
// chance of 1 in 700.
inline constexpr double kBeyondNoise = 3;

// A repeated loss counts once it has stayed for this multiple of the longest time that an earlier loss
// stayed. Before any stay is known, it counts once it was seen again this number of times: 1.5 minutes with
// epochs of 3 s. No loss is passed over for more than the third number of samples: 25 minutes.
inline constexpr double kLongerThanEver = 2;
inline constexpr std::size_t kMostOfTheFirst = 32;
inline constexpr std::size_t kMostPassedOver = 512;

// Weights decay by this factor for each sample into the past. They decay per sample, not per iteration:
// samples are sparse, and by iterations all but the newest would vanish.
inline constexpr double kWeightDecay = 0.8;

// Forecasts of one job --------------------------------------------------------------------------------------

// A forecast from a job's own losses needs this number of pairs.
inline constexpr std::size_t kFewestPairs = 3;

// A back-test of a published curve needs this number of pairs, to hold some back. The ensemble tests itself.
inline constexpr std::size_t kFewestForBackTest = 6;

// A trend is drawn through the recent pairs: through this number of them at least, or all if there are fewer.
inline constexpr std::size_t kFewestRecent = 8;

// A forecast is doubtful if its back-test missed by more than this share of the range seen (no limit: +1%).
// Beside past curves of its kind, a forecast without a back-test counts as if it had missed by this.
inline constexpr double kDoubtfulError = 0.1;

// The least rate of a trend, as a share of the rate since the start: a plateau of a loss that fell before is
// hardly its end.
inline constexpr double kLeastOfOverallRate = 0.1;

// Forecasts are drawn through the falls expected within two numbers of iterations: this one, and far ahead
// (curves/hyperbola.h).
inline constexpr double kNearAhead = 10;

// The ensemble ----------------------------------------------------------------------------------------------

// The weight of earlier errors of a forecast at each new one, and of earlier residuals of the denoiser.
inline constexpr double kErrorDiscount = 0.9;

// At each pair, the ensemble records the error of the newest forecast that is at least this number of
// iterations old, once for each of the three.
inline constexpr double kRecordedAhead[] = {0, 3, 10};

// The forecasts that are remembered for this are at least this number of iterations apart.
inline constexpr double kBetweenForecasts = 2.5;

// An expert with the mean error e, as a share of that of the mean expert, has a weight in proportion to
// (e + kLeastError)^-4.
inline constexpr double kLeastError = 1e-3;

// The share of the logarithmic mean is this many times the weight of the experts that use the known floor. In
// that mean, no expert's expected fall counts as more than the second share of the height.
inline constexpr double kLogarithmicShare = 2;
inline constexpr double kMostLost = 0.9;

// Zero counts as near while the lowest loss is less than this multiple of the range seen, and before there is
// this number of pairs. Without this, losses with a constant added are forecast worse.
inline constexpr double kNearZero = 6;
inline constexpr std::size_t kFewestPairsForDistance = 4;

// Distances of the floors: below a loss in units of the range, or below the levels as a share of their fall.
inline constexpr double kFarBelowLowest = 3;
inline constexpr double kCloseBelowLowest = 0.7;
inline constexpr double kNearBelowLevels = 0.5;
inline constexpr double kLeastBentBelowLevels = 0.02;
inline constexpr double kMostBentBelowLevels = 3;

// Noise -----------------------------------------------------------------------------------------------------

// The denoiser's share of the forecast where it is fully trusted.
inline constexpr double kDenoised = 0.7;

// The weight of the earlier losses at each new one.
inline constexpr double kLossDiscount = 0.98;

// Heights of a law above this multiple of the range seen are unlikely (without a limit the mean error of
// forecasts rises by 3%, and with noisy losses by 8%).
inline constexpr double kGreatestHeight = 2;

// The noise may be underestimated by up to this factor (1: +1.3%).
inline constexpr double kLeniency = 1.5;

// Other jobs ------------------------------------------------------------------------------------------------

// An update of what all jobs share has faded after this number of jobs.
inline constexpr double kRememberedJobs = 100;

// The recorded trainings count as this number of jobs.
inline constexpr double kRecordedJobs = 4;

// A job's own forecast counts as this number of past trainings of its kind that were just like it.
inline constexpr double kOwnWeight = 0.5;

// Errors of a past curve, or of a law of the denoiser, below this share of the range seen are all the same.
inline constexpr double kLeastCurveError = 0.003;

// The prior of a past curve's scale weighs as much as one observed fall by this share of the past range.
inline constexpr double kPriorScale = 0.1;

// Speeds ----------------------------------------------------------------------------------------------------

// The relative standard deviation of the time of one iteration.
inline constexpr double kIterationNoise = 0.1;

// A further coefficient of the formula of an iteration's time must reduce the weighted squares by this, in
// units of their variance (Akaike's criterion). Without it, chance makes a job look no faster with one more
// worker, and cores stay idle.
inline constexpr double kPenalty = 2;

// A mean is certain within this number of standard deviations.
inline constexpr double kCertain = 1;

// The expectation of a speed weighs as much as this number of iterations, at each of the sizes 1, 2, 4 and so
// on.
inline constexpr double kExpectedWeight = 0.1;

// The mean time of a size weighs as this number of iterations at most (300: +0.6%).
inline constexpr double kMostWeight = 30;

// A size that was measured in less than this part of an iteration counts as not measured.
inline constexpr double kLeastWeight = 0.2;

// The weight of a size falls by this factor for each other size measured since then.
inline constexpr double kWeightAfterAnother = 0.9;

// Jobs scale alike if their times differ from each other by no more than this share, with this number of jobs
// at least. Then a size that one job tried counts as tried by all jobs. (Never: nothing on the GPU workloads,
// and +4 to +9% on recordings with arrivals of 15 s.)
inline constexpr double kAlike = 0.15;
inline constexpr double kFewestCompared = 3;

// One job's measurements at a size count for other jobs as at most this number of iterations.
inline constexpr double kMostWeightOfAJob = 5;

// Before other jobs were seen, an iteration of a job may well take ten times as long as that of another, or a
// tenth. This is the logarithm of ten, and it counts as one job.
inline constexpr double kPriorSpread = 2.3;

}  // namespace slaq::forecast
