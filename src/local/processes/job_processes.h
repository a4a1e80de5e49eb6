// The processes of one job: its driver and its workers, each supervised.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "job/view.h"
#include "local/processes/job_goals.h"
#include "local/processes/machine.h"
#include "local/processes/supervised_process.h"
#include "local/system/reserved_ports.h"

namespace slaq::local::processes {

class JobProcesses {
 public:
  // The processes run as `owner`, if there is one. REQUIRES: `job` and `machine` outlive this, and every
  // template has a container with a command.
  JobProcesses(const TrainingJob& job, Machine& machine, std::shared_ptr<const Owner> owner = {})
      : job_(job), machine_(machine), owner_(std::move(owner)) {}
  JobProcesses(const JobProcesses&) = delete;  // the supervised processes refer to this object
  JobProcesses& operator=(const JobProcesses&) = delete;

  // Goes on from the goals of an earlier program, with the processes that it left.
  void resume(const JobGoals& goals);
  JobGoals goals() const;
  // The names of the job's processes so far.
  std::vector<std::string> names() const;

  // These set goals, which reconcile() carries out. Transient if no ports are free. `cpu` is the cores of
  // each worker, if not those of the template.
  Result<void> start(Workers count, std::optional<Cores> cpu = {});
  void scale(Workers count);
  // Changes the cores of each worker; running workers are not restarted.
  Result<void> scaleCpu(Cores each);
  // The job has shown a loss: its workers are not starting any more.
  void noteLoss();
  bool isStarting() const { return goals_.isStarting; }
  // An epoch looks at the job. It ends the job, or lets it go on, before the next one does.
  void noteLook();
  // Remembers the most memory that it has taken of a shared GPU.
  void noteGpuMemory(Mebibytes most) { goals_.gpuMemory = most; }
  void suspend();
  void finish();
  // The job has ended: other programs may have its ports.
  void releasePorts() { ports_.clear(); }

  // True while the workers should run: started, and neither suspended nor finished.
  bool running() const { return goals_.started && !goals_.suspended && !goals_.over; }

  void reconcile(Seconds now);
  // Sends SIGKILL to all remaining processes.
  void kill();
  // True once no process is left.
  bool gone() const;

  // The cores of all existing processes.
  Cores held() const;
  // The ids of the existing processes, and of all that they have started.
  std::vector<pid_t> processes() const;
  WorkersView workers() const;
  DriverView driver() const;
  std::optional<std::string> metricsEndpoint() const;
  // How the chief failed last, with the end of its output; empty if it never failed.
  std::string chiefFailure() const;
  // The number of its failures, and the short text of the last one: "exit code 1".
  std::pair<int, std::string> chiefFailures() const;

 private:
  Variables variables() const;
  PodTemplate startedThroughReport(const PodTemplate& pod) const;
  // How often the chief is started again. The scheduler says whether one failure more ends the job, since new
  // iterations forgive failures.
  std::function<int()> retries() const {
    return [this] { return job_.spec.backoffLimit; };
  }
  SupervisedProcess makeDriver();
  SupervisedProcess makeWorker(int index);
  std::string nameOf(const std::string& role) const;
  const SupervisedProcess* chief() const;
  void wantWorkers();
  bool hasChiefBegun() const;
  Workers standing() const;
  CpuView cpu() const;

  const TrainingJob& job_;
  Machine& machine_;
  const std::shared_ptr<const Owner> owner_;
  JobGoals goals_;                           // without the histories of processes
  std::vector<system::ReservedPort> ports_;  // of the driver and of the metrics; until the job has ended
  Cores heldEach_;                           // the cores that each worker has; more if a shrink failed
  std::optional<std::string> cpuObstacle_;   // why workers do not have the requested cores yet
  std::optional<SupervisedProcess> driver_;
  std::deque<SupervisedProcess> workers_;  // by index
  bool awaitsChief_ = false;               // some workers begin once the chief's program has
};

}  // namespace slaq::local::processes
