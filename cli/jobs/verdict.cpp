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

// When the job had 90% in that run; empty if it came not so far.
std::optional<Seconds> timeOf(const page::Run& run, const JobKey& key) {
  const auto job = run.ends.find(key);
  if (job == run.ends.end()) return std::nullopt;
  const auto found = std::ranges::find(job->second.reductions, kJudged, &page::Reduction::percent);
  return found == job->second.reductions.end() ? std::nullopt : found->after;
}

// A job that got there in both runs, and when.
struct Pair {
  std::string name;
  Seconds first, second;
};

std::vector<Pair> pairsOf(const page::Run& first, const page::Run& second) {
  std::vector<Pair> pairs;
  for (const auto& [key, end] : first.ends) {
    const auto here = timeOf(first, key), there = timeOf(second, key);
    if (here && there) pairs.push_back({key.name, *here, *there});
  }
  return pairs;
}

Seconds meanOf(const std::vector<Pair>& pairs, Seconds Pair::*which) {
  Seconds sum{0};
  for (const auto& each : pairs) sum += each.*which;
  return sum / static_cast<double>(pairs.size());
}

// "41% shorter than": the first time beside the second, to a percent.
std::string besideText(Seconds first, Seconds second) {
  if (second <= Seconds(0)) return first <= Seconds(0) ? "as long as" : "longer than";
  const long percent = std::lround(100 * (first - second) / second);
  if (percent == 0) return "as long as";
  return std::to_string(std::abs(percent)) + "% " + (percent < 0 ? "shorter" : "longer") + " than";
}

// Which jobs the first run has later, and by how much at most, as far as tables show it.
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
  return "later for " + terminal::listOf(names, kMostNamed) + ", by " + (names.size() == 1 ? "" : "up to ") +
         terminal::toSeconds(most);
}

// Which jobs got there in the first run alone; empty if none did.
std::string onlyIn(const page::Run& first, const page::Run& second) {
  std::vector<std::string> names;
  for (const auto& [key, end] : first.ends) {
    if (timeOf(first, key) && !timeOf(second, key)) names.push_back(key.name);
  }
  return names.empty()
             ? ""
             : "; only under " + first.policy + " came there " + terminal::listOf(names, kMostNamed);
}

}  // namespace

std::string verdictOf(const page::Run& first, const page::Run& second) {
  const auto pairs = pairsOf(first, second);
  if (pairs.empty())
    return "No job came to 90% of its loss reduction in both runs, so they cannot be compared.";
  const Seconds ours = meanOf(pairs, &Pair::first), theirs = meanOf(pairs, &Pair::second);
  return "Under " + first.policy + " the mean time to 90% is " + besideText(ours, theirs) + " under " +
         second.policy + " (" + terminal::toSeconds(ours) + " and " + terminal::toSeconds(theirs) + "); " +
         laterText(pairs) + onlyIn(first, second) + onlyIn(second, first) + ".";
}

}  // namespace slaq::cli::jobs
