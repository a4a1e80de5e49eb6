#include "cli/jobs/verdict.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "cli/terminal/text.h"

namespace slaq::cli::jobs {
namespace {

constexpr int kJudged = 90;            // percent
constexpr std::size_t kMostNamed = 3;  // in a sentence
constexpr Seconds kShown{0.1};         // the last digit of tables

// A time of a job from its arrival to a goal; empty if it did not reach the goal.
using TimeOf = std::optional<Seconds> (*)(const page::JobEnd& end);

std::optional<Seconds> reductionOf(const page::JobEnd& end) {
  const auto found = std::ranges::find(end.reductions, kJudged, &page::Reduction::percent);
  return found == end.reductions.end() ? std::nullopt : found->after;
}

std::optional<Seconds> completionOf(const page::JobEnd& end) { return end.completion; }

std::optional<Seconds> timeIn(const page::Run& run, const JobKey& key, TimeOf timeOf) {
  const auto job = run.ends.find(key);
  return job == run.ends.end() ? std::nullopt : timeOf(job->second);
}

// A job that reached the goal in both runs, with its times.
struct Pair {
  std::string name;
  Seconds first, second;
};

std::vector<Pair> pairsOf(const page::Run& first, const page::Run& second, TimeOf timeOf) {
  std::vector<Pair> pairs;
  for (const auto& [key, end] : first.ends) {
    const auto here = timeOf(end), there = timeIn(second, key, timeOf);
    if (here && there) pairs.push_back({key.name, *here, *there});
  }
  return pairs;
}

Seconds meanOf(const std::vector<Pair>& pairs, Seconds Pair::*which) {
  Seconds sum{0};
  for (const auto& each : pairs) sum += each.*which;
  return sum / static_cast<double>(pairs.size());
}

// "41% shorter than": compares the first time with the second, to a percent.
std::string besideText(Seconds first, Seconds second) {
  if (second <= Seconds(0)) return first <= Seconds(0) ? "as long as" : "longer than";
  const long percent = std::lround(100 * (first - second) / second);
  if (percent == 0) return "as long as";
  return std::to_string(std::abs(percent)) + "% " + (percent < 0 ? "shorter" : "longer") + " than";
}

// Names the jobs that are later in the first run, and the largest delay, as far as tables show it.
std::string laterText(const std::vector<Pair>& pairs) {
  std::vector<std::string> names;
  Seconds most{0};
  for (const auto& each : pairs) {
    const Seconds later = each.first - each.second;
    if (later < kShown) continue;
    names.push_back(each.name);
    most = std::max(most, later);
  }
  if (names.empty()) return "later for no job";
  return std::string(names.size() == 1 ? "later for the job " : "later for the jobs ") +
         terminal::listOf(names, kMostNamed) + ", by " + (names.size() == 1 ? "" : "up to ") +
         terminal::toSeconds(most);
}

// "is 33% shorter than under Fair (7.0 s and 10.5 s); later for no job"
std::string comparisonOf(const std::vector<Pair>& pairs, const std::string& policy) {
  const Seconds ours = meanOf(pairs, &Pair::first), theirs = meanOf(pairs, &Pair::second);
  return "is " + besideText(ours, theirs) + " under " + policy + " (" + terminal::toSeconds(ours) + " and " +
         terminal::toSeconds(theirs) + "); " + laterText(pairs);
}

// Names the jobs that reached the goal only in the first run; empty if there are none.
std::string onlyIn(const page::Run& first, const page::Run& second, TimeOf timeOf) {
  std::vector<std::string> names;
  for (const auto& [key, end] : first.ends) {
    if (timeOf(end) && !timeIn(second, key, timeOf)) names.push_back(key.name);
  }
  return names.empty()
             ? ""
             : "; only under " + first.policy + " came so far " + terminal::listOf(names, kMostNamed);
}

}  // namespace

std::string verdictOf(const page::Run& first, const page::Run& second) {
  const auto reductions = pairsOf(first, second, reductionOf);
  if (reductions.empty())
    return "No job came to 90% of its loss reduction in both runs, so they cannot be compared.";
  const auto told = [&](const std::vector<Pair>& pairs, TimeOf timeOf) {
    return comparisonOf(pairs, second.policy) + onlyIn(first, second, timeOf) + onlyIn(second, first, timeOf);
  };
  const auto completions = pairsOf(first, second, completionOf);
  const std::string ends =
      completions.empty() ? "" : " The mean time to their end " + told(completions, completionOf) + ".";
  return "Under " + first.policy + " the mean time until jobs have 90% of their loss reduction " +
         told(reductions, reductionOf) + "." + ends;
}

}  // namespace slaq::cli::jobs
