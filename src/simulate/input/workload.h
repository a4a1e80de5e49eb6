// The input of a simulation: jobs that arrive over time and replay traces, the cores that they share, and the
// pauses of a job when its workers change.
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

// The cost of a change of a running job's workers.
struct ResizePauses {
  Seconds grow{0};     // until new workers can work
  Seconds shrink{0};   // the job stands still for this time when it loses workers
  Seconds release{0};  // leaving workers hold their cores for this time; 0: the same epoch can use them
  bool blocks = true;  // the job stands still at a growth; else its old workers go on meanwhile
  // The cluster calls new workers ready after this time, whether they work yet or not; empty: once they work.
  std::optional<Seconds> ready = {};

  // The time between two checkpoints while the job works. At a change the job falls back to the last
  // checkpoint. Empty: no work is lost.
  std::optional<Seconds> checkpoint = {};

  bool operator==(const ResizePauses&) const = default;
};

// A worker is one core.
struct SimulatedJob {
  std::string name;
  std::string kind = {};  // jobs of one kind resemble each other; empty: no kind
  Seconds arrival{0};
  // Shared by all jobs that replay it; the job is over at its last iteration. The losses of a metric that
  // rises are negated.
  std::shared_ptr<const Trace> trace;
  std::shared_ptr<const Scaling> scaling = {};  // the time of its iterations; null: the next two give it
  double coreSecondsPerIteration = 1;           // c*S of section 4.2.1
  Seconds serial{0};            // the part of each iteration that no number of workers shortens
  Seconds start{0};             // from the job's start until it works...
  double startCoreSeconds = 0;  // ...and the work until its first iteration begins
  ResizePauses pauses = {};
  LossMode mode = LossMode::Minimize;
  Convergence convergence = Convergence::Auto;
  std::optional<double> target = {};                                // in the units of the metric
  std::shared_ptr<const forecast::FittedConstants> constants = {};  // for its forecasts; null: the run's
  int weight = 1;
  Value value = Value::Loss;
  Workers least{1};
  Workers most{1};
  std::vector<Workers> sizes = {};  // the only sizes that it can have; empty: all
};

struct Workload {
  Cores cores;
  Seconds epoch{3};
  Seconds scrape{0};  // between two readings of the loss; 0: each decision reads it
  // A job's end shows this time after its last iteration, and its cores are free after the decision that sees
  // the end. Empty: the end shows at the last iteration.
  std::optional<Seconds> linger = {};
  // True if the cores are free as soon as the end shows, because the workers are a Job that ends as a whole.
  // False if they belong to a driver and must be stopped first.
  bool endReleases = false;
  std::vector<SimulatedJob> jobs;  // sorted by name, each once; one at least
};

// The job as its owner would have written it.
TrainingJob trainingJobOf(const SimulatedJob& job);

// The job's true speeds. The job outlives them.
forecast::SpeedCurve speedOf(const SimulatedJob& job);

// Functions that read the files that a workload names.
struct WorkloadSources {
  std::function<Result<Trace>(const std::string&)> traces;
  std::function<Result<Scaling>(const std::string&)> scalings;
  std::function<Result<forecast::FittedConstants>(const std::string&)> constants;
};

// Reads the YAML text of a workload. Invalid or Malformed with one line "FILE:LINE: ..." for each mistake.
Result<Workload> readWorkload(const std::string& file, std::string_view text, const WorkloadSources& sources);

// Reads the workload in a file on disk, with traces and constants relative to it.
Result<Workload> loadWorkload(const std::string& file);

}  // namespace slaq::simulate
