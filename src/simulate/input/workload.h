// What a simulation runs: jobs that arrive over time and replay traces, the cores that they share, and how
// long a job stands still when its workers change.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "forecast/ensemble/fitted_constants.h"
#include "job/job.h"
#include "simulate/input/scaling.h"
#include "simulate/input/trace.h"

namespace slaq::simulate {

// What a change of a running job's workers costs.
struct ResizePauses {
  Seconds grow{0};    // until new workers are there
  Seconds shrink{0};  // the job stands still so long when it loses workers
  Seconds release{
      0};  // the workers that go hold their cores so long; 0: growths of the same epoch can have them
  bool blocks = true;  // at a growth the job stands still; else its old workers go on meanwhile
  // The cluster calls new workers ready after so long, whether they work yet or not; empty: once they work.
  std::optional<Seconds> ready = {};

  // At a change the job falls back to the last checkpoint, of which it makes one so often while it works;
  // empty: nothing is lost.
  std::optional<Seconds> checkpoint = {};

  bool operator==(const ResizePauses&) const = default;
};

// A worker is one core.
struct SimulatedJob {
  std::string name;
  std::string kind = {};  // which jobs it resembles; empty: none
  Seconds arrival{0};
  // Shared by all jobs that replay it; over at its last iteration. Of a metric that is to rise its losses are
  // the negated ones.
  std::shared_ptr<const Trace> trace;
  std::shared_ptr<const Scaling> scaling = {};  // how long its iterations take; null: the next two say it
  double coreSecondsPerIteration = 1;           // c*S of section 4.2.1
  Seconds serial{0};                            // of each iteration besides, however many workers there are
  Seconds start{0};                             // from its start until it works...
  double startCoreSeconds = 0;                  // ...and the work until its first iteration begins
  ResizePauses pauses = {};
  LossMode mode = LossMode::Minimize;
  Convergence convergence = Convergence::Auto;
  std::optional<double> target = {};                                // as the metric is exported
  std::shared_ptr<const forecast::FittedConstants> constants = {};  // of its forecasts; null: the run's
  int weight = 1;
  Value value = Value::Loss;
  Workers least{1};
  Workers most{1};
  std::vector<Workers> sizes = {};  // the only ones that it can have; empty: all
};

struct Workload {
  Cores cores;
  Seconds epoch{3};
  Seconds scrape{0};  // the loss is read so often; 0: with each decision, as it is then
  // A job's end shows so long after its last iteration, and its cores are free after the decision that sees
  // it; empty: at its last iteration.
  std::optional<Seconds> linger = {};
  // They are free once it shows: the workers are a Job that ends as a whole, and not those of a driver that
  // have to be told.
  bool endReleases = false;
  std::vector<SimulatedJob> jobs;  // sorted by name, each once; one at least
};

// The job as its owner would have written it.
TrainingJob trainingJobOf(const SimulatedJob& job);

// Its true speeds. The job outlives them.
forecast::SpeedCurve speedOf(const SimulatedJob& job);

// How the files that a workload names are read.
struct WorkloadSources {
  std::function<Result<Trace>(const std::string&)> traces;
  std::function<Result<Scaling>(const std::string&)> scalings;
  std::function<Result<forecast::FittedConstants>(const std::string&)> constants;
};

// Reads the YAML text of a workload. Invalid or Malformed with one line "FILE:LINE: ..." for each mistake.
Result<Workload> readWorkload(const std::string& file, std::string_view text, const WorkloadSources& sources);

// The workload in `file`, with traces and constants relative to it.
Result<Workload> loadWorkload(const std::string& file);

}  // namespace slaq::simulate
