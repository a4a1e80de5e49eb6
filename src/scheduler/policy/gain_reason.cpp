#include "scheduler/policy/gain_reason.h"

#include <array>

#include "base/figures.h"

namespace slaq::scheduler {
namespace {

constexpr int kFewestDigits = 2;
constexpr int kMostDigits = 4;

const Demand& demandOf(const ExplainedJob& job) { return job.problem.demands[job.place]; }
std::int32_t unitsOf(const ExplainedJob& job) { return job.division.allocation[job.place]; }
const MarginalGains& gainsOf(const ExplainedJob& job) { return job.division.gains[job.place]; }

bool isChanged(const ExplainedJob& job) { return demandOf(job).runs() && unitsOf(job) != demandOf(job).held; }

// The job has all that its forecast is trusted with.
bool isDoubted(const ExplainedJob& job) {
  return demandOf(job).maxBy == BoundBy::Doubt && unitsOf(job) >= demandOf(job).max;
}

// A gain and the price, with enough digits to tell them apart.
struct Figures {
  std::string gain;
  std::string price;
};

Figures figures(double gain, double price) {
  int digits = kFewestDigits;
  while (digits < kMostDigits && gainText(gain, digits) == gainText(price, digits)) ++digits;
  if (gainText(gain, digits) == gainText(price, digits)) digits = kFewestDigits;
  return {gainText(gain, digits), gainText(price, digits)};
}

// A gain beside the price: "0.0021, under the price 0.0043". It is "nothing" for a gain of 0. Where all shown
// digits of the two are the same, it has no second figure: "0.0021, just under the price".
std::string underPrice(const Figures& shown) {
  if (shown.gain == "0") return "nothing";
  if (shown.gain == shown.price) return shown.gain + ", just under the price";
  return shown.gain + ", under the price " + shown.price;
}

// Likewise for a gain that is at least the price.
std::string overPrice(const Figures& shown) {
  if (shown.gain == "0") return "nothing";
  if (shown.gain == shown.price) return shown.gain + ", just over the price";
  return shown.gain + ", the price is " + shown.price;
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

// "200m more for each worker", or "0.2 more cores" where there is only one process.
std::string cpuText(const ExplainedJob& job, std::int32_t units, const std::string& which) {
  const Cores cpu = job.cpuOfUnit * units;
  const std::string words = which.empty() ? "" : " " + which;
  if (!job.isOneProcess) return toString(cpu) + words + " for each worker";
  return toDecimal(inCores(cpu)) + words + (cpu == Cores(1000) ? " core" : " cores");
}

std::string nextUnit(const ExplainedJob& job) {
  const std::int32_t more = gainsOf(job).nextUnits - unitsOf(job);
  if (job.cpuOfUnit > Cores()) return cpuText(job, more, "more");
  if (more > 1) return "each of " + std::to_string(more) + " more workers";
  return ordinal(unitsOf(job) + 1) + " worker";
}

// "4 more workers", "1 fewer worker", "200m more for each worker", "0.2 more cores".
std::string changedUnits(const ExplainedJob& job, std::int32_t count, const std::string& direction) {
  if (job.cpuOfUnit > Cores()) return cpuText(job, count, direction);
  return counted(count, direction + " worker");
}

// "4 more workers gain", "1 more worker gains", "0.2 more cores gain".
std::string moreGain(const ExplainedJob& job, std::int32_t count) {
  const Cores cpu = job.cpuOfUnit * count;
  const bool isOne = cpu == Cores() ? count == 1 : job.isOneProcess && cpu == Cores(1000);
  return changedUnits(job, count, "more") + (isOne ? " gains " : " gain ");
}

// "its last 4 workers gain", "its last worker gains", "its last 200m for each worker gain".
std::string lastGain(const ExplainedJob& job, std::int32_t count) {
  if (job.cpuOfUnit > Cores()) return "its last " + cpuText(job, count, "") + " gain ";
  return count == 1 ? "its last worker gains " : "its last " + std::to_string(count) + " workers gain ";
}

std::string whyDoubted(std::optional<double> backTestError) {
  if (!backTestError) return "no more before its forecast was tested";
  return "no more while its forecasts miss by " + toDecimal(100 * *backTestError, 2) + "% of what it fell";
}

// The reason why a growth that would gain more than the price is not made.
std::string whyNotGrown(const ExplainedJob& job, const AppliedRules& rules) {
  const Demand& demand = demandOf(job);
  const Cores more = demand.perUnit * (gainsOf(job).nextUnits - unitsOf(job));
  if (!job.left.fits(more, demand.group)) return "; it does not fit";
  return rules.whyNotGrown.empty() ? "" : "; " + rules.whyNotGrown;
}

bool isFasterWithNext(const ExplainedJob& job) {
  constexpr double kLeastFaster = 1.001;  // a smaller speed-up is none that anybody would notice
  const Demand& demand = demandOf(job);
  const double now = demand.speed.at(inCores(demand.cores(unitsOf(job))));
  return demand.speed.at(inCores(demand.cores(gainsOf(job).nextUnits))) > kLeastFaster * now;
}

std::string whyNoMore(const ExplainedJob& job, const AppliedRules& rules) {
  if (unitsOf(job) >= job.mostUnits) return "all that it may have";
  if (isDoubted(job)) return whyDoubted(job.backTestError);
  const MarginalGains& gains = gainsOf(job);
  if (!gains.next) return "more cannot be had at the moment";
  if (*gains.next <= 0) {
    if (!isFasterWithNext(job))
      return "it is not faster with " + changedUnits(job, gains.nextUnits - unitsOf(job), "more");
    const bool hasPause = demandOf(job).runs() && demandOf(job).growPause > 0;
    return nextUnit(job) +
           (hasPause ? " would not make up for the pause of a resize" : " would gain nothing");
  }
  const std::string would = nextUnit(job) + " would gain ";
  const Figures shown = figures(*gains.next, gains.price);
  if (*gains.next <= gains.price) return would + underPrice(shown);
  return would + overPrice(shown) + whyNotGrown(job, rules);
}

std::string whyGrown(const ExplainedJob& job) {
  const MarginalGains& gains = gainsOf(job);
  const std::int32_t more = unitsOf(job) - demandOf(job).held;
  if (*gains.change <= 0)
    return "it is faster with " + changedUnits(job, more, "more") + ", and nobody else needs them";
  const Figures shown = figures(*gains.change, gains.price);
  const std::string does = moreGain(job, more);
  if (shown.gain == "0") return does + "nothing, and nobody else needs them";
  if (*gains.change >= gains.price) return does + overPrice(shown);
  return does + shown.gain + ", and nobody else needs them";
}

std::string whyShrunk(const ExplainedJob& job) {
  if (isDoubted(job)) return whyDoubted(job.backTestError);
  const MarginalGains& gains = gainsOf(job);
  if (!gains.change || *gains.change > gains.price) return "more does not fit";
  const std::int32_t given = demandOf(job).held - unitsOf(job);
  if (*gains.change < 0) return "it is expected to be faster with " + changedUnits(job, given, "fewer");
  const Figures shown = figures(*gains.change, gains.price);
  return lastGain(job, given) + underPrice(shown);
}

// The rule that keeps a job from giving units that gain less than the price.
std::string whyKept(const ExplainedJob& job) {
  if (demandOf(job).minBy == BoundBy::Start) return "; it keeps what it has until its first workers run";
  return "; it keeps what it has until its last growth had time to pay";
}

}  // namespace

bool isAtFloor(const ExplainedJob& job) {
  const Demand& demand = demandOf(job);
  return demand.minBy != BoundBy::Owner && unitsOf(job) == demand.min && unitsOf(job) > job.leastUnits;
}

bool wouldGiveUnits(const ExplainedJob& job, const GainBetween& gain) {
  if (!isAtFloor(job)) return false;
  Demand demand = demandOf(job);
  demand.min = job.leastUnits;
  for (std::int32_t fewer = demand.min; fewer < unitsOf(job); fewer = *demand.after(fewer)) {
    if (gain(fewer, unitsOf(job)) < gainsOf(job).price) return true;
  }
  return false;
}

std::string explainByGain(const ExplainedJob& job, const AppliedRules& rules) {
  if (isChanged(job)) return unitsOf(job) > demandOf(job).held ? whyGrown(job) : whyShrunk(job);
  return whyNoMore(job, rules) + (rules.isKept ? whyKept(job) : "");
}

}  // namespace slaq::scheduler
