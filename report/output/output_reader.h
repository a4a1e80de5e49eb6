// Finds a training's loss in its output, in lines of names and numbers and in tables, or among values that it
// logs.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/metric_name.h"
#include "metrics/trainer_status.h"
#include "report/output/iteration_counter.h"
#include "report/output/named_numbers.h"
#include "report/output/report.h"

namespace slaq::report {

// True for a line of another rank than the first. Where parallel programs all write, as in "[rank1]: loss
// 0.4", only the first rank counts.
bool isOfOtherRank(std::string_view line);

struct ReaderOptions {
  std::string metric = {};  // the name of the loss; empty: the best name that is found
  bool maximizes = false;   // the metric rises; its negative is reported
  bool keepsSign = false;   // reports the metric itself, not its negative
};

class OutputReader {
 public:
  explicit OutputReader(ReaderOptions options) : options_(std::move(options)) {}

  // Reads one line of output. Returns the loss of this line. It may also return the loss of an earlier line,
  // if only this line shows that it is the right one. If both are known, takeEarlier() has the other.
  std::optional<Report> read(std::string_view line);

  // Returns, once, the loss of an earlier line, which came before the one that read() has just returned.
  std::optional<Report> takeEarlier();

  // Reads one value that the training logged, with its name and its step. Loggers write the step 0 where the
  // program gives none. So each further value of a name at step 0 is a step, and later steps count from
  // there. Returns the same as read().
  std::optional<Report> readScalar(std::string_view name, double step, double value);

  // Reads values of one step, whose names are in lower case; without a step the calls are counted. Returns
  // the same as read().
  std::optional<Report> readScalars(std::optional<double> step,
                                    const std::vector<metrics::NamedValue>& values);

  // Returns the loss that settle() would report now. It is empty once a name was chosen, and while the best
  // candidate is not called a loss. A later line of the same iteration may have a better name.
  std::optional<Report> guess() const;

  // True once a number could be the loss, or was a step towards it within an iteration.
  bool hasBegun() const { return hasBegun_; }

  // Chooses the best name that was seen, and returns its loss. The caller has no more lines.
  std::optional<Report> settle();

  // Returns, once, a sentence for people with the chosen name and the other names that were found.
  std::optional<std::string> takeNotice();

  // The names of numbers that could be meant where ReaderOptions::metric was not found: "loss, val_loss".
  // Empty without that option.
  std::string otherNames() const;

 private:
  // A number of a line that could be the loss.
  struct Candidate {
    std::string name;
    metrics::Metric metric;
    double value = 0;
    Report report;
    std::size_t place = 0;  // its newest line, counted among the lines with candidates
  };

  std::optional<Report> readNumbers(std::vector<NamedNumber> numbers, bool isBar);
  std::vector<NamedNumber> rowOf(const std::vector<std::string>& cells);
  std::vector<NamedNumber> rowOf(const std::vector<std::string>& header,
                                 const std::vector<std::string>& cells);
  void noteOthers(const std::vector<NamedNumber>& numbers);
  void readHeader(const std::vector<std::string>& cells);
  Position positionOf(const std::vector<NamedNumber>& numbers, bool isBar);
  // The candidates that the line reports after an iteration.
  std::vector<Candidate> candidatesAt(const std::vector<NamedNumber>& numbers, const Position& position);
  std::optional<Report> takeFrom(const std::vector<Candidate>& candidates);
  void decideBy(const Candidate& again);
  Candidate* seen(const std::string& name);
  bool comesAgain(const Candidate& candidate);
  const Candidate& bestOf(const std::vector<Candidate>& candidates) const;
  void decide();
  bool negates(const metrics::Metric& metric) const;
  Report reportOf(const Candidate& candidate);
  bool couldBeTheLoss(const NamedNumber& number);
  bool isWanted(const std::string& name) const;

  const ReaderOptions options_;
  metrics::NameMeanings meanings_;
  std::vector<std::string> header_;                   // of the current table
  std::vector<std::string> nextHeader_;               // maybe of the next one: no row has fitted it yet
  std::optional<NamedNumber> epoch_;                  // the newest epoch
  std::map<std::string, IterationCounter> counters_;  // by name
  std::map<std::string, double> moreAtStepZero_;      // values at step 0 after the first, by name
  std::size_t place_ = 0;
  double reports_ = 0;           // counts iterations where no number does
  std::vector<Candidate> seen_;  // candidates until a name is chosen
  std::optional<Candidate> taken_;
  std::optional<Report> earlier_;
  bool hasBegun_ = false;
  std::set<std::string> others_;  // names other than ReaderOptions::metric, until that is found
  std::optional<std::string> notice_;
};

}  // namespace slaq::report
