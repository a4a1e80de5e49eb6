#include "schedule/reason.h"

#include <algorithm>
#include <array>

#include "schedule/resize_watch.h"
#include "schedule/total_quality.h"

namespace slaq {
namespace {

// A place in the contest, with what the sentences are made of.
struct Case {
  const Grounds& grounds;
  std::size_t n;
  std::int32_t units;
  const JobPlan& plan;

  const Candidate& candidate() const { return grounds.contest.candidates[n]; }
  const Sizes& sizes() const { return grounds.contest.sizes[n]; }
  std::int32_t held() const { return grounds.contest.held[n]; }
  const Settings& settings() const { return grounds.terms.settings; }
  const JobSnapshot& job() const { return grounds.terms.snapshot.jobs[grounds.contest.jobs[n]]; }
  double gainOf(std::int32_t unit) const { return gainPerCore(candidate(), unit - 1, settings().epoch); }
};

std::string figure(double value) { return toDecimal(value, 2); }

std::string workersWord(Workers count) {
  return std::to_string(count.value()) + (count == Workers(1) ? " worker" : " workers");
}

// "4", or "1500m each" where the job scales by CPU.
std::string brief(Workers count, const std::optional<Cores>& cpu) {
  return cpu ? toString(*cpu) + " each" : std::to_string(count.value());
}

// "4 workers", or "4 workers of 1500m".
std::string sizeWord(const JobPlan& plan) {
  return workersWord(plan.target) + (plan.targetCpu ? " of " + toString(*plan.targetCpu) : "");
}

// "a fifth" worker.
std::string ordinal(std::int32_t count) {
  static constexpr std::array kWords = {"a first", "a second",  "a third",   "a fourth", "a fifth",
                                        "a sixth", "a seventh", "an eighth", "a ninth",  "a tenth"};
  if (count >= 1 && count <= 10) return kWords[static_cast<std::size_t>(count - 1)];
  const std::string digits = std::to_string(count);
  const bool teen = count % 100 / 10 == 1;
  const char* end = teen              ? "th"
                    : count % 10 == 1 ? "st"
                    : count % 10 == 2 ? "nd"
                    : count % 10 == 3 ? "rd"
                                      : "th";
  const bool vowel = digits.front() == '8' || count == 11 || count == 18;
  return (vowel ? "an " : "a ") + digits + end;
}

// The next unit, and the last one.
std::string nextUnit(const Case& c, std::int32_t unit) {
  return c.plan.targetCpu ? toString(kCpuQuantum) + " more" : ordinal(unit);
}
std::string lastUnit(const Case& c) {
  return c.plan.targetCpu ? "its last " + toString(kCpuQuantum) : "its last worker";
}

bool isResized(const JobPlan& plan) {
  return plan.held > Workers(0) && (plan.held != plan.target || plan.heldCpu != plan.targetCpu);
}

std::string change(const Case& c) {
  if (c.plan.held == Workers(0)) return "starts with " + brief(c.plan.target, c.plan.targetCpu);
  if (!isResized(c.plan)) return "keeps " + brief(c.plan.target, c.plan.targetCpu);
  if (c.plan.held != c.plan.target) return brief(c.plan.held, {}) + " -> " + brief(c.plan.target, {});
  return toString(*c.plan.heldCpu) + " -> " + toString(*c.plan.targetCpu) + " each";
}

std::string whyDoubted(const JobHistory& history) {
  const auto error = history.model ? history.model->backTestError : std::nullopt;
  if (!error) return "no more before its forecast was tested";
  return "no more while its forecasts miss by " + toDecimal(100 * *error, 2) + "% of what it fell";
}

// Why it does not get one more.
std::string whyNoMore(const Case& c) {
  const auto most = c.sizes().max;
  if (c.units >= most) return "all that it may have";
  if (c.units >= c.candidate().max && c.grounds.contest.doubted[c.n]) return whyDoubted(*c.job().history);
  const double gain = c.gainOf(c.units + 1);
  const std::string next = nextUnit(c, c.units + 1);
  const auto price = c.grounds.market.price;
  if (price && gain < *price) {
    return "the gain of " + next + ", " + figure(gain) + ", is under the price " + figure(*price);
  }
  const std::string would = next + " would gain " + figure(gain);
  const bool fits = c.grounds.market.left.fits(c.candidate().perUnit, c.candidate().group);
  if (fits || isResized(c.plan) || isFree(c.settings().price)) return would;
  if (c.grounds.market.rests) return would + "; cores moved a moment ago";
  const bool late = c.grounds.contest.shrankLately[c.n] && !c.grounds.market.reverses;
  return would + (late ? "; it shrank a moment ago" : ", less than a resize costs");
}

std::string whyByGain(const Case& c) {
  const auto price = c.grounds.market.price;
  if (c.held() == 0 || !isResized(c.plan)) return whyNoMore(c);
  if (c.units > c.held()) {
    const std::string gain = lastUnit(c) + " gains " + figure(c.gainOf(c.units));
    return price && *price <= c.gainOf(c.units) ? gain + ", the price is " + figure(*price) : gain;
  }
  const double lost = c.gainOf(c.held());
  if (price && lost < *price) {
    return lastUnit(c) + " gains " + figure(lost) + ", under the price " + figure(*price);
  }
  return c.grounds.market.reverses ? "others gain more until they are resized again" : "more does not fit";
}

std::string whyByLevel(const Case& c) {
  const Seconds ahead = std::max(c.settings().epoch, c.settings().price.horizon);
  const double level = c.candidate().level(c.units, ahead.count());
  return "its level in " + toDecimal(ahead.count(), 2) + " s is " + figure(level) + ", the worst job's " +
         figure(c.grounds.market.worstLevel.value_or(level));
}

std::string whyByService(const Case& c) {
  return "it has used " + toDecimal(c.candidate().attained, 3) + " core-seconds so far";
}

std::string whatIsToLearn(const JobHistory& history) {
  if (ownModel(history)) return "its speed was measured";
  return "its loss can be forecast (" + std::to_string(history.series.size()) + " of " +
         std::to_string(kFewestPairs) + " losses seen)";
}

// Decided by what the job itself has not shown yet.
bool isExpected(const Case& c) {
  const JobHistory& history = *c.job().history;
  return !history.foresight && !isShown(history);
}

std::string whyGivenBack(const Case& c, const Size& most) {
  return change(c) + ": " + brief(most.workers, most.cpu) + " is all that came of its last growth";
}

std::string ofStanding(const Case& c) {
  const auto& history = *c.job().history;
  const auto most = growsUpTo(history, c.grounds.terms.snapshot.now);
  const PolicyName policy = c.settings().policy;
  if (most && c.plan.standing != Standing::Resizing && c.units == c.candidate().max)
    return whyGivenBack(c, *most);
  switch (c.plan.standing) {
    case Standing::Pinned:
      return "its owner pinned it to " + workersWord(c.job().view->job.spec.workers.pinned);
    case Standing::Resizing:
      return change(c) + ": still resizing";
    case Standing::Reserved:
      return "reserved: all of its " + sizeWord(c.plan);
    case Standing::Fair:
      return "fair share of " + sizeWord(c.plan);
    default:
      break;
  }
  if (policy == PolicyName::Fair) return "fair share of " + sizeWord(c.plan);
  if (policy == PolicyName::LeastAttainedService) return change(c) + ": " + whyByService(c);
  if (c.plan.standing == Standing::Held) return change(c) + ": its loss is not known at the moment";
  if (c.plan.standing == Standing::Learning) {
    const bool stays = weighsEachChange(c.settings()) && c.held() > 0 && !isResized(c.plan);
    return (stays ? change(c) + ":" : "fair share of " + sizeWord(c.plan)) + " until " +
           whatIsToLearn(history);
  }
  if (isExpected(c)) return change(c) + ": by what other jobs did, until " + whatIsToLearn(history);
  const bool byLevel = policy == PolicyName::MinQuality;
  return change(c) + ": " + (byLevel ? whyByLevel(c) : whyByGain(c));
}

}  // namespace

std::string reasonOf(const Grounds& grounds, std::size_t n, std::int32_t units, const JobPlan& plan) {
  const Case c{grounds, n, units, plan};
  const auto& job = c.job().view->job;
  const int weight = grounds.terms.weightOf(grounds.contest.jobs[n]);
  std::string reason = ofStanding(c);
  if (weight < job.spec.weight) {
    reason += "; its weight " + std::to_string(job.spec.weight) + " counts as " + std::to_string(weight) +
              ", the limit of the namespace " + job.key.ns;
  }
  return reason;
}

}  // namespace slaq
