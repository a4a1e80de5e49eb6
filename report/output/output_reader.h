// Finds a training's loss in its output, in lines of names and numbers and in tables, or among values that it
// logs.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/output/iteration_counter.h"
#include "report/output/metric_name.h"
#include "report/output/named_numbers.h"
#include "report/output/report.h"

namespace slaq::report {

// Of parallel programs that all write, as in "[rank1]: loss 0.4", the first one counts: true for a line of
// another one.
bool isOfOtherRank(std::string_view line);

struct ReaderOptions {
  std::string metric = {};  // the name of the loss; empty: the best of those that are found
  bool maximizes = false;   // the metric is to rise; its negative is reported
  bool keepsSign = false;   // and not its negative
};

class OutputReader {
 public:
  explicit OutputReader(ReaderOptions options) : options_(std::move(options)) {}

  // Reads one line of output. Returns the loss that the line reports, or one that an earlier line reported
  // and that only this line makes certain.
  std::optional<Report> read(std::string_view line);

  // Reads one value that the training wrote to a log, with its name and its step. Returns as read() does.
  std::optional<Report> readScalar(std::string_view name, double step, double value);

  // Reads values of one step, whose names are in lower case; without a step the calls are counted. Returns as
  // read() does.
  std::optional<Report> readScalars(std::optional<double> step, const std::vector<NamedNumber>& values);

  // Returns the loss that settle() would report now. It is empty once a name was chosen, or while none was
  // seen. A later line of the same iteration may have a better name.
  std::optional<Report> guess() const;

  // The caller has no more lines. Chooses the best name that was seen, and returns its loss.
  std::optional<Report> settle();

  // Returns a sentence for people that says which name was chosen, and which others there were. It is
  // returned once.
  std::optional<std::string> takeNotice();

 private:
  // A number of a line that could be the loss.
  struct Candidate {
    std::string name;
    Metric metric;
    double value = 0;
    Report report;
    std::size_t place = 0;  // of its newest line, among the lines with candidates
  };

  std::optional<Report> readNumbers(std::vector<NamedNumber> numbers, bool isBar);
  std::vector<NamedNumber> rowOf(const std::vector<std::string>& cells);
  void readHeader(const std::vector<std::string>& cells);
  Position positionOf(const std::vector<NamedNumber>& numbers, bool isBar);
  // Those that the line reports after an iteration.
  std::vector<Candidate> candidatesAt(const std::vector<NamedNumber>& numbers, const Position& position);
  std::optional<Report> takeFrom(const std::vector<Candidate>& candidates);
  void decideBy(const Candidate& again);
  Candidate* seen(const std::string& name);
  bool comesAgain(const Candidate& candidate);
  const Candidate& bestOf(const std::vector<Candidate>& candidates) const;
  void decide();
  bool negates(const Metric& metric) const;
  Report reportOf(const Candidate& candidate);
  bool couldBeTheLoss(const NamedNumber& number);
  bool isWanted(const std::string& name) const;

  const ReaderOptions options_;
  NameMeanings meanings_;
  std::vector<std::string> header_;                   // of a table
  std::optional<NamedNumber> epoch_;                  // the newest
  std::map<std::string, IterationCounter> counters_;  // by name
  std::size_t place_ = 0;
  double reports_ = 0;           // where nothing counts iterations
  std::vector<Candidate> seen_;  // until it is decided which to take
  std::optional<Candidate> taken_;
  std::optional<std::string> notice_;
};

}  // namespace slaq::report
