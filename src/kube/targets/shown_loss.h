// The loss that the statuses of a target's maker show, such as those of a TrainJob.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "job/view.h"
#include "kube/targets/target.h"
#include "metrics/status_reader.h"

namespace slaq::kube::targets {

// Reads the statuses of one maker, one after the other. A status repeats the newest value of each metric,
// whatever iteration the training is at, and the last one may have no iteration at all.
class ShownLossReader {
 public:
  // `name` is the maker's, for a message. The same status again changes nothing. Returns nothing where the
  // maker shows no progress, or where the job has queries of its own: its loss is then read as that of other
  // jobs.
  std::optional<ShownLoss> read(const TargetMaker& maker, const LossSpec& loss, const std::string& name);

 private:
  // A value with the iteration after which it came. If its status had none, the next iteration counts.
  struct Value {
    double value = 0;
    std::optional<double> iteration;
  };

  void note(const metrics::TrainerStatus& status, const LossSpec& loss);
  // The metric that shows the progress best, of those that improve in the job's direction.
  const std::string* best(LossMode mode) const;

  metrics::StatusReader news_;
  std::map<std::string, Value> values_;  // by metric
  std::string metric_;                   // that was chosen; empty before that
  LossSpec spec_;                        // by which this was read
  std::optional<metrics::TrainerStatus> last_;
};

}  // namespace slaq::kube::targets
