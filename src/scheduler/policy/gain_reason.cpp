#include "scheduler/policy/gain_reason.h"

#include <array>

namespace slaq::scheduler {
namespace {

constexpr int kFewestDigits = 2;
constexpr int kMostDigits = 9;

const Demand& demandOf(const ExplainedJob& job) { return job.problem.demands[job.place]; }
std::int32_t unitsOf(const ExplainedJob& job) { return job.division.allocation[job.place]; }
const MarginalGains& gainsOf(const ExplainedJob& job) { return job.division.gains[job.place]; }

bool isChanged(const ExplainedJob& job) { return demandOf(job).runs() && unitsOf(job) != demandOf(job).held; }

// A gain and the price, with as many digits as it takes to tell them apart.
struct Figures {
  std::string gain;
  std::string price;
};

Figures figures(double gain, double price) {
  int digits = kFewestDigits;
  while (digits < kMostDigits && gain != price && toDecimal(gain, digits) == toDecimal(price, digits))
    ++digits;
  return {toDecimal(gain, digits), toDecimal(price, digits)};
}

// "a fifth", "an 11th".
std::string ordinal(std::int32_t count) {
  static constexpr std::array kWords = {"a first", "a second",  "a third",   "a fourth", "a fifth",
                                        "a sixth", "a seventh", "an eighth", "a ninth",  "a tenth"};
  if (count >= 1 && count <= 10) return kWords[static_cast<std::size_t>(count - 1)];
  const std::string digits = std::to_string(count);
  const bool isTeen = count % 100 / 10 == 1;
  const char* end = isTeen            ? "th"
                    : count % 10 == 1 ? "st"
                    : count % 10 == 2 ? "nd"
                    : count % 10 == 3 ? "rd"
                                      : "th";
  const bool beginsWithVowel = digits.front() == '8' || count == 11 || count == 18;
  return (beginsWithVowel ? "an " : "a ") + digits + end;
}

std::string nextUnit(const ExplainedJob& job) {
  if (job.cpuOfUnit > Cores()) return toString(job.cpuOfUnit) + " more";
  const auto next = demandOf(job).after(unitsOf(job));
  if (next && *next > unitsOf(job) + 1)
    return "each of " + std::to_string(*next - unitsOf(job)) + " more workers";
  return ordinal(unitsOf(job) + 1) + " worker";
}

// "4 more workers", "1 fewer worker", "200m more for each worker".
std::string changedUnits(const ExplainedJob& job, std::int32_t count, const std::string& direction) {
  if (job.cpuOfUnit > Cores()) return toString(job.cpuOfUnit * count) + " " + direction + " for each worker";
  return std::to_string(count) + " " + direction + (count == 1 ? " worker" : " workers");
}

// "4 more workers gain", "1 fewer worker gains".
std::string changeGains(const ExplainedJob& job, std::int32_t count, const std::string& direction) {
  const bool isOne = count == 1 && job.cpuOfUnit == Cores();
  return changedUnits(job, count, direction) + (isOne ? " gains " : " gain ");
}

std::string whyDoubted(const ForecastQuality& forecast) {
  if (!forecast.backTestError) return "no more before its forecast was tested";
  return "no more while its forecasts miss by " + toDecimal(100 * *forecast.backTestError, 2) +
         "% of what it fell";
}

// A growth that would gain more than the price, and is not made.
std::string whyNotGrown(const ExplainedJob& job) {
  const Demand& demand = demandOf(job);
  const Cores more = demand.perUnit * (demand.after(unitsOf(job)).value_or(unitsOf(job) + 1) - unitsOf(job));
  if (!job.left.fits(more, demand.group)) return "it does not fit";
  return demand.shrankLately ? "it shrank a moment ago" : "less than a resize costs";
}

std::string whyNoMore(const ExplainedJob& job) {
  if (unitsOf(job) >= job.mostUnits) return "all that it may have";
  if (job.isDoubted && unitsOf(job) >= demandOf(job).max) return whyDoubted(job.forecast);
  const MarginalGains& gains = gainsOf(job);
  if (!gains.next) return "more cannot be had at the moment";
  if (*gains.next <= 0) {
    const bool hasPause = demandOf(job).runs() && demandOf(job).growPause > 0;
    return nextUnit(job) +
           (hasPause ? " would not make up for the pause of a resize" : " would gain nothing");
  }
  // At rest no price decided.
  if (job.division.rests) return nextUnit(job) + " would gain " + toDecimal(*gains.next, kFewestDigits);
  const Figures shown = figures(*gains.next, gains.price);
  const std::string would = nextUnit(job) + " would gain " + shown.gain;
  if (*gains.next <= gains.price) return would + ", under the price " + shown.price;
  return would + ", the price is " + shown.price + "; " + whyNotGrown(job);
}

std::string whyGrown(const ExplainedJob& job) {
  const MarginalGains& gains = gainsOf(job);
  const std::int32_t more = unitsOf(job) - demandOf(job).held;
  if (*gains.change <= 0)
    return "it is faster with " + changedUnits(job, more, "more") + ", and nobody else needs them";
  const Figures shown = figures(*gains.change, gains.price);
  const std::string does = changeGains(job, more, "more") + shown.gain;
  return does +
         (*gains.change >= gains.price ? ", the price is " + shown.price : ", and nobody else needs them");
}

std::string whyShrunk(const ExplainedJob& job) {
  if (job.isDoubted && unitsOf(job) >= demandOf(job).max) return whyDoubted(job.forecast);
  const MarginalGains& gains = gainsOf(job);
  if (!gains.change || *gains.change > gains.price) return "more does not fit";
  const std::int32_t given = demandOf(job).held - unitsOf(job);
  if (*gains.change < 0) return "it is expected to be faster with " + changedUnits(job, given, "fewer");
  const Figures shown = figures(*gains.change, gains.price);
  return changeGains(job, given, "fewer") + shown.gain + ", under the price " + shown.price;
}

}  // namespace

std::string explainByGain(const ExplainedJob& job) {
  if (!isChanged(job)) {
    const bool couldHaveMore = job.division.rests && unitsOf(job) < job.mostUnits;
    return whyNoMore(job) + (couldHaveMore ? "; cores moved a moment ago" : "");
  }
  return unitsOf(job) > demandOf(job).held ? whyGrown(job) : whyShrunk(job);
}

}  // namespace slaq::scheduler
