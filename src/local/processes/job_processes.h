// The processes of one job: its driver and its workers, each in its slot.
#pragma once

#include <deque>
#include <optional>
#include <string>

#include "job/view.h"
#include "local/processes/machine.h"
#include "local/processes/supervised_process.h"

namespace slaq::local::processes {

class JobProcesses {
 public:
  // REQUIRES: `job` and `machine` outlive this, and every template has a container with a command.
  JobProcesses(const TrainingJob& job, Machine& machine) : job_(job), machine_(machine) {}
  JobProcesses(const JobProcesses&) = delete;  // the slots refer to it
  JobProcesses& operator=(const JobProcesses&) = delete;

  // The goals; tend() brings the processes there. Transient if no ports are free.
  // `cpu`: the cores of each worker, if not those of the template.
  Result<void> start(Workers count, std::optional<Cores> cpu = {});
  void scale(Workers count);
  // Gives each worker other cores, those that run in place.
  Result<void> scaleCpu(Cores each);
  void suspend();
  void finish();

  // True while the workers are to be there: started, neither suspended nor over.
  bool running() const { return started_ && !suspended_ && !over_; }

  void tend(Seconds now);
  // SIGKILL to all that is left.
  void kill();
  // True once no process is left.
  bool gone() const;

  // The cores of all processes that are there.
  Cores held() const;
  WorkersView workers() const;
  DriverView driver() const;
  std::optional<std::string> metricsEndpoint() const;
  // How the chief failed last, and how its output ends; empty if it never did.
  std::string chiefFailure() const;

 private:
  Variables variables() const;
  SupervisedProcess makeDriver();
  SupervisedProcess makeWorker(int index);
  std::string nameOf(const std::string& role) const;
  const SupervisedProcess* chief() const;
  void wantWorkers();
  std::optional<std::string> chiefGaveUp() const;
  Workers standing() const;
  CpuView cpu() const;

  const TrainingJob& job_;
  Machine& machine_;
  bool started_ = false;
  bool suspended_ = false;
  bool over_ = false;
  Workers desired_;
  Cores each_;                              // the cores of each worker, as asked
  Cores heldEach_;                          // as held; more where a shrink failed
  std::optional<std::string> cpuObstacle_;  // why workers have not got what was asked
  int driverPort_ = 0;
  int metricsPort_ = 0;
  std::optional<SupervisedProcess> driver_;
  std::deque<SupervisedProcess> workers_;  // by index
};

}  // namespace slaq::local::processes
