#include "report/output/output_reader.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

namespace slaq::report {
namespace {

const double kUncounted = std::nan("");

bool isWhole(double value) { return std::floor(value) == value; }

// Of parallel programs that all write, as in "[rank1]: loss 0.4", the first one counts.
bool isOfOtherRank(std::string_view line) {
  const auto begin = line.find_first_not_of(" [(");
  if (begin == std::string_view::npos) return false;
  line.remove_prefix(begin);
  for (const std::string_view word : {"rank", "default", "Rank", "RANK"}) {
    if (!line.starts_with(word)) continue;
    const auto number = line.find_first_not_of(" :=_", word.size());
    return number != std::string_view::npos && line[number] >= '1' && line[number] <= '9';
  }
  return false;
}

bool isLikeATime(const std::string& cell) {
  return std::isdigit(static_cast<unsigned char>(cell.front())) != 0;  // "00:03", "2.50s"
}

}  // namespace

std::optional<Report> OutputReader::read(std::string_view line) {
  if (isOfOtherRank(line)) return std::nullopt;
  auto numbers = numbersIn(line);
  if (candidatesIn(numbers).empty()) {
    const auto cells = columnsOf(line);
    auto row = rowOf(cells);
    if (row.empty()) {
      readHeader(cells);
    } else {
      numbers = std::move(row);
    }
  }
  return readNumbers(numbers, hasBar(line));
}

std::optional<Report> OutputReader::readScalar(std::string_view name, double step, double value) {
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return readNumbers({{"step", step}, {std::move(lower), value}}, false);
}

void OutputReader::readHeader(const std::vector<std::string>& cells) {
  if (cells.size() < 2 || std::ranges::any_of(cells, [](const auto& cell) { return isLikeATime(cell); }))
    return;
  std::vector<NamedNumber> names;
  for (const auto& cell : cells) {
    std::string name = cell;
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
    names.push_back({std::move(name)});
  }
  if (candidatesIn(names).empty()) return;
  header_.clear();
  for (auto& each : names) header_.push_back(std::move(each.name));
}

// Empty where it is none of the table.
std::vector<NamedNumber> OutputReader::rowOf(const std::vector<std::string>& cells) const {
  std::vector<NamedNumber> row;
  if (header_.empty() || cells.size() != header_.size()) return row;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto value = numberFrom(cells[i]);
    if (value) {
      row.push_back({header_[i], *value});
    } else if (!isLikeATime(cells[i])) {
      return {};
    }
  }
  return row;
}

std::vector<OutputReader::Candidate> OutputReader::candidatesIn(
    const std::vector<NamedNumber>& numbers) const {
  std::vector<Candidate> found;
  for (const auto& each : numbers) {
    const Metric metric = metricOf(each.name);
    const bool counts = options_.metric.empty() ? metric.meaning != Meaning::Nothing : isWanted(each.name);
    if (counts && !each.of) found.push_back({each.name, metric, each.value, {}});
  }
  return found;
}

// "eval-logloss" is wanted by its whole name, and "valid_1's auc" by "auc" too.
bool OutputReader::isWanted(const std::string& name) const {
  if (!name.ends_with(options_.metric)) return false;
  if (name.size() == options_.metric.size()) return true;
  const char before = name[name.size() - options_.metric.size() - 1];
  return before == ' ' || before == '/';
}

std::optional<Report> OutputReader::readNumbers(const std::vector<NamedNumber>& numbers, bool isBar) {
  const Position position = positionOf(numbers, isBar);
  auto candidates = candidatesIn(numbers);
  if (candidates.empty()) return std::nullopt;
  const auto iteration = iterationAt(position);
  if (!iteration) return std::nullopt;
  for (auto& each : candidates) each.report = {*iteration, each.value};
  return takeFrom(candidates);
}

OutputReader::Position OutputReader::positionOf(const std::vector<NamedNumber>& numbers, bool isBar) {
  Position position;
  position.isBar = isBar;
  for (const auto& each : numbers) {
    const Counter counter = counterOf(each.name);
    if (counter == Counter::Epoch) epoch_ = each;
    if (counter == Counter::Step && !position.step) position.step = each;
    if (each.name.empty() && each.of && !position.part) position.part = each;
  }
  position.epoch = epoch_;
  return position;
}

std::optional<double> OutputReader::iterationAt(const Position& position) {
  const auto& [epoch, step, part, isBar] = position;
  hasFractions_ = hasFractions_ || (epoch && !isWhole(epoch->value));
  if (step) return countOf(*step, epoch);
  const bool isWholeEpoch = part && epoch && part->value == *part->of && !countsParts_;
  if (part && epoch && !isWholeEpoch && isBar) return std::nullopt;
  if (part && !isWholeEpoch && (isBar || epoch)) {
    countsParts_ = true;
    return countOf(*part, epoch);
  }
  return epoch && !hasFractions_ ? countOf(*epoch, {}) : kUncounted;
}

// Iterations that are done: whoever counts from 0 has done one more. Steps that begin anew in each epoch go
// on.
double OutputReader::countOf(const NamedNumber& step, const std::optional<NamedNumber>& epoch) {
  if (epoch && epoch->value > stepsEpoch_ && step.value <= lastStep_) stepsBefore_ += lastStep_;
  if (epoch) stepsEpoch_ = epoch->value;
  lastStep_ = step.value;
  const double count = stepsBefore_ + step.value;
  if (!countsFrom_) countsFrom_ = count;
  return *countsFrom_ == 0 ? count + 1 : count;
}

OutputReader::Candidate* OutputReader::seen(const std::string& name) {
  const auto found = std::ranges::find(seen_, name, &Candidate::name);
  return found == seen_.end() ? nullptr : &*found;
}

// True if the name was seen in an earlier iteration. Where nothing counts iterations, each line is one.
bool OutputReader::comesAgain(const Candidate& candidate) {
  const auto* before = seen(candidate.name);
  return before && before->report.iteration != candidate.report.iteration;  // NaN is no equal of itself
}

std::optional<Report> OutputReader::takeFrom(const std::vector<Candidate>& candidates) {
  const auto isTaken = [&](const Candidate& each) { return taken_ && each.name == taken_->name; };
  std::optional<Report> earlier;
  if (!taken_ && !options_.metric.empty()) {
    seen_ = candidates;
    decide();
  } else if (std::ranges::any_of(candidates, [&](const auto& each) { return comesAgain(each); })) {
    earlier = settle();
  }
  const auto found = std::ranges::find_if(candidates, isTaken);
  if (found != candidates.end()) return reportOf(*found);
  if (taken_) return earlier;
  for (const auto& each : candidates) {
    if (auto* before = seen(each.name)) {
      *before = each;
    } else {
      seen_.push_back(each);
    }
  }
  return std::nullopt;
}

std::optional<Report> OutputReader::guess() const {
  if (taken_ || seen_.empty()) return std::nullopt;
  const Candidate& best = bestOf(seen_);
  const double iteration = std::isnan(best.report.iteration) ? 1 : best.report.iteration;
  return Report{iteration, negates(best.metric) ? -best.value : best.value};
}

std::optional<Report> OutputReader::settle() {
  if (taken_ || seen_.empty()) return std::nullopt;
  decide();
  return reportOf(*taken_);
}

// REQUIRES: there are some.
const OutputReader::Candidate& OutputReader::bestOf(const std::vector<Candidate>& candidates) const {
  return *std::ranges::min_element(candidates, {}, [this](const Candidate& each) {
    const bool isOther = options_.maximizes && each.metric.meaning != Meaning::Maximized;
    return std::pair(isOther, rankOf(each.metric));
  });
}

// REQUIRES: some were seen.
void OutputReader::decide() {
  taken_ = bestOf(seen_);
  std::string others;
  for (const auto& each : seen_) {
    if (each.name != taken_->name) others += (others.empty() ? "" : ", ") + each.name;
  }
  notice_ = "'" + taken_->name + "' is reported as the loss" +
            (negates(taken_->metric) ? ", negated since it is to rise" : "") +
            (others.empty() ? "" : "; --metric can name another: " + others);
  seen_.clear();
}

bool OutputReader::negates(const Metric& metric) const {
  return !options_.keepsSign && (options_.maximizes || metric.meaning == Meaning::Maximized);
}

Report OutputReader::reportOf(const Candidate& candidate) {
  ++reports_;
  const double iteration = candidate.report.iteration;
  return {std::isnan(iteration) ? reports_ : iteration,
          negates(taken_->metric) ? -candidate.value : candidate.value};
}

std::optional<std::string> OutputReader::takeNotice() { return std::exchange(notice_, std::nullopt); }

}  // namespace slaq::report
