#include "report/output/output_reader.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include "base/text.h"

namespace slaq::report {
namespace {

using metrics::Counter;
using metrics::Meaning;

// More than the metrics of a training. Other names, such as those of files, come and go.
constexpr std::size_t kMostNames = 64;
// As many as fit into a sentence.
constexpr std::size_t kMostOthers = 8;

// "loss, val_loss"
template <class Names>
std::string listOf(const Names& names) {
  std::string text;
  for (const std::string& each : names) text += (text.empty() ? "" : ", ") + each;
  return text;
}

bool beginsWithADigit(const std::string& cell) {
  return !cell.empty() && std::isdigit(static_cast<unsigned char>(cell.front())) != 0;
}

// "Test: [1/391] Loss 0.5" belongs to an evaluation, whose losses may have the same names as the training's.
bool isOfEvaluation(std::string_view line) {
  const auto begin = line.find_first_not_of(" [(*=-");
  if (begin == std::string_view::npos) return false;
  const std::string start = lowerCase(line.substr(begin, 16));
  for (const std::string_view word : {"test", "val", "valid", "validation", "eval", "evaluation", "dev"}) {
    const bool isWord = start.starts_with(word) && start.size() > word.size() &&
                        std::isalnum(static_cast<unsigned char>(start[word.size()])) == 0;
    if (isWord && start[word.size()] != '_' && start[word.size()] != '-') return true;
  }
  return false;
}

}  // namespace

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

std::optional<Report> OutputReader::read(std::string_view line) {
  if (isOfOtherRank(line)) return std::nullopt;
  auto numbers = numbersIn(line);
  const auto isCandidate = [this](const NamedNumber& each) { return couldBeTheLoss(each); };
  if (std::ranges::none_of(numbers, isCandidate)) {
    const auto cells = columnsOf(line);
    auto row = rowOf(cells);
    if (row.empty()) {
      readHeader(cells);
    } else {
      numbers = std::move(row);
    }
  } else if (isOfEvaluation(line)) {
    for (auto& each : numbers) {
      if (isCandidate(each) && !meanings_.of(each.name).metric.isValidation) each.name = "test " + each.name;
    }
  }
  return readNumbers(std::move(numbers), hasBar(line));
}

std::optional<Report> OutputReader::readScalar(std::string_view name, double step, double value) {
  const std::string lower = lowerCase(name);
  if (step == 0 && (counters_.contains(lower) || moreAtStepZero_.size() < kMostNames)) {
    const auto [more, isFirst] = moreAtStepZero_.try_emplace(lower, 0);
    if (!isFirst) ++more->second;
  }
  const auto more = moreAtStepZero_.find(lower);
  return readScalars(more == moreAtStepZero_.end() ? step : step + more->second, {{lower, value}});
}

std::optional<Report> OutputReader::readScalars(std::optional<double> step,
                                                const std::vector<metrics::NamedValue>& values) {
  std::vector<NamedNumber> numbers;
  if (step) numbers.push_back({"step", *step});
  for (const auto& each : values) numbers.push_back({each.name, each.value});
  return readNumbers(std::move(numbers), false);
}

void OutputReader::readHeader(const std::vector<std::string>& cells) {
  if (cells.size() < 2 || std::ranges::any_of(cells, beginsWithADigit)) return;
  std::vector<std::string> names;
  for (const auto& cell : cells) names.push_back(lowerCase(cell));
  if (std::ranges::none_of(names, [this](const auto& name) { return couldBeTheLoss({name}); })) return;
  (header_.empty() || names.size() == header_.size() ? header_ : nextHeader_) = std::move(names);
}

// Empty if the line is not a row of the table. Words that mention a loss look like a header, such as those of
// a warning, so the table goes on until a row fits the next one.
std::vector<NamedNumber> OutputReader::rowOf(const std::vector<std::string>& cells) {
  auto row = rowOf(header_, cells);
  if (!row.empty()) return row;
  row = rowOf(nextHeader_, cells);
  if (!row.empty()) header_ = std::exchange(nextHeader_, {});
  return row;
}

// Cells without numbers are left out, such as times, names of files and empty cells.
std::vector<NamedNumber> OutputReader::rowOf(const std::vector<std::string>& header,
                                             const std::vector<std::string>& cells) {
  std::vector<NamedNumber> row;
  if (header.empty() || cells.size() != header.size()) return row;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (const auto value = numberFrom(cells[i])) row.push_back({header[i], *value});
  }
  const bool hasLoss = std::ranges::any_of(row, [this](const auto& each) { return couldBeTheLoss(each); });
  return hasLoss ? row : std::vector<NamedNumber>();
}

bool OutputReader::couldBeTheLoss(const NamedNumber& number) {
  if (number.of) return false;
  return options_.metric.empty() ? meanings_.of(number.name).metric.meaning != Meaning::Nothing
                                 : isWanted(number.name);
}

// The option "eval-logloss" selects only this whole name, and "auc" selects "valid_1's auc" too.
bool OutputReader::isWanted(const std::string& name) const {
  if (!name.ends_with(options_.metric)) return false;
  if (name.size() == options_.metric.size()) return true;
  const char before = name[name.size() - options_.metric.size() - 1];
  return before == ' ' || before == '/';
}

std::optional<Report> OutputReader::readNumbers(std::vector<NamedNumber> numbers, bool isBar) {
  // CatBoost's columns "learn" and "test" are losses where both occur.
  const auto isColumn = [](const NamedNumber& each) { return each.name == "learn" || each.name == "test"; };
  if (std::ranges::count_if(numbers, isColumn) == 2 ||
      (!numbers.empty() && numbers.front().name == metrics::kIndex)) {
    for (auto& each : numbers) {
      if (isColumn(each)) each.name += " loss";
    }
  }
  if (!options_.metric.empty() && !hasBegun_) noteOthers(numbers);
  const Position position = positionOf(numbers, isBar);
  const auto candidates = candidatesAt(numbers, position);
  return candidates.empty() ? std::nullopt : takeFrom(candidates);
}

void OutputReader::noteOthers(const std::vector<NamedNumber>& numbers) {
  for (const auto& each : numbers) {
    const bool isMetric = meanings_.of(each.name).metric.meaning != Meaning::Nothing;
    if (isMetric && others_.size() < kMostOthers) others_.insert(each.name);
  }
}

std::string OutputReader::otherNames() const { return listOf(others_); }

Position OutputReader::positionOf(const std::vector<NamedNumber>& numbers, bool isBar) {
  Position position;
  position.isBar = isBar;
  for (const auto& each : numbers) {
    const Counter counter = each.isPercentage ? Counter::None : meanings_.of(each.name).counter;
    if (counter == Counter::Epoch) epoch_ = each;
    if ((counter == Counter::Step || counter == Counter::Batch) && !position.step) {
      position.step = each;
      position.isBatch = counter == Counter::Batch;
    }
    if (each.name.empty() && each.of && !position.part) position.part = each;
  }
  position.epoch = epoch_;
  return position;
}

std::vector<OutputReader::Candidate> OutputReader::candidatesAt(const std::vector<NamedNumber>& numbers,
                                                                const Position& position) {
  std::vector<Candidate> found;
  for (const auto& each : numbers) {
    const bool isKnown = counters_.contains(each.name) || counters_.size() < kMostNames;
    if (!couldBeTheLoss(each) || !isKnown || (taken_ && each.name != taken_->name)) continue;
    hasBegun_ = true;
    const auto iteration = counters_[each.name].at(position);
    if (iteration)
      found.push_back(
          {each.name, meanings_.of(each.name).metric, each.value, {*iteration, each.value}, place_ + 1});
  }
  if (!found.empty()) ++place_;
  return found;
}

OutputReader::Candidate* OutputReader::seen(const std::string& name) {
  const auto found = std::ranges::find(seen_, name, &Candidate::name);
  return found == seen_.end() ? nullptr : &*found;
}

// True if the name was seen in an earlier iteration. Where no number counts iterations, each line is an
// iteration.
bool OutputReader::comesAgain(const Candidate& candidate) {
  const auto* before = seen(candidate.name);
  return before && before->report.iteration != candidate.report.iteration;  // NaN does not equal itself
}

// When a name occurs again, in the next iteration, all names of one iteration have been seen.
std::optional<Report> OutputReader::takeFrom(const std::vector<Candidate>& candidates) {
  const auto isTaken = [&](const Candidate& each) { return taken_ && each.name == taken_->name; };
  std::optional<Report> earlier;
  if (!taken_ && !options_.metric.empty()) {
    seen_ = candidates;
    decide();
  } else if (!taken_) {
    const auto again = std::ranges::find_if(candidates, [&](const auto& each) { return comesAgain(each); });
    if (again != candidates.end()) {
      decideBy(*again);
      earlier = reportOf(*taken_);
    }
  }
  const auto found = std::ranges::find_if(candidates, isTaken);
  if (found != candidates.end()) {
    earlier_ = earlier;
    return reportOf(*found);
  }
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

// Chooses among the names of the finished iteration: those with its number, and those that came after the
// name that now occurs again. A name from before, such as a time or the loss of a checkpoint, is left out.
void OutputReader::decideBy(const Candidate& again) {
  const Candidate first = *seen(again.name);
  std::erase_if(seen_, [&](const Candidate& each) {
    return each.place < first.place && each.report.iteration != first.report.iteration;
  });
  decide();
}

std::optional<Report> OutputReader::guess() const {
  if (taken_ || seen_.empty()) return std::nullopt;
  const Candidate& best = bestOf(seen_);
  if (!best.metric.isLoss) return std::nullopt;
  const double iteration = std::isnan(best.report.iteration) ? 1 : best.report.iteration;
  return Report{iteration, negates(best.metric) ? -best.value : best.value};
}

std::optional<Report> OutputReader::settle() {
  if (taken_ || seen_.empty()) return std::nullopt;
  decide();
  return reportOf(*taken_);
}

// REQUIRES: there are candidates.
const OutputReader::Candidate& OutputReader::bestOf(const std::vector<Candidate>& candidates) const {
  return *std::ranges::min_element(candidates, {}, [this](const Candidate& each) {
    const bool isOther = options_.maximizes && each.metric.meaning != Meaning::Maximized;
    return std::pair(isOther, rankOf(each.metric));
  });
}

// REQUIRES: candidates were seen.
void OutputReader::decide() {
  taken_ = bestOf(seen_);
  std::vector<std::string> others;
  for (const auto& each : seen_) {
    if (each.name != taken_->name) others.push_back(each.name);
  }
  notice_ = "'" + taken_->name + "' is reported as the loss" +
            (negates(taken_->metric) ? ", negated since it is to rise" : "") +
            (others.empty() ? "" : "; --metric can name another: " + listOf(others));
  seen_.clear();
}

bool OutputReader::negates(const metrics::Metric& metric) const {
  return !options_.keepsSign && (options_.maximizes || metric.meaning == Meaning::Maximized);
}

Report OutputReader::reportOf(const Candidate& candidate) {
  ++reports_;
  const double iteration = candidate.report.iteration;
  return {std::isnan(iteration) ? reports_ : iteration,
          negates(taken_->metric) ? -candidate.value : candidate.value};
}

std::optional<Report> OutputReader::takeEarlier() { return std::exchange(earlier_, std::nullopt); }

std::optional<std::string> OutputReader::takeNotice() { return std::exchange(notice_, std::nullopt); }

}  // namespace slaq::report
