#include "local/processes/job_processes.h"

#include <algorithm>

#include "job/loss_from.h"
#include "local/cpu/cpu_time.h"
#include "local/system/files.h"

namespace slaq::local::processes {
namespace {

constexpr int kTailLines = 10;
constexpr const char* kHost = "127.0.0.1:";
constexpr const char* kDriver = "driver";

std::string workerRole(std::size_t index) { return "worker-" + std::to_string(index); }

Workers count(const std::deque<SupervisedProcess>& processes, bool (SupervisedProcess::*is)() const) {
  return Workers(static_cast<std::int32_t>(std::ranges::count_if(processes, is)));
}

}  // namespace

Result<void> JobProcesses::start(Workers count, std::optional<Cores> cpu) {
  if (!goals_.started) {
    auto ports = system::reservePorts(2);
    if (!ports) return failure(ports.error());
    ports_ = std::move(*ports);
    goals_.driverPort = ports_[0].number();
    goals_.metricsPort = ports_[1].number();
    if (job_.spec.driver) driver_.emplace(makeDriver());
    goals_.started = true;
  }
  goals_.suspended = false;
  if (auto done = scaleCpu(cpu.value_or(coresOf(job_.spec.workers.pod))); !done) return done;
  scale(count);
  if (driver_) driver_->want(!goals_.over);
  return {};
}

Result<void> JobProcesses::scaleCpu(Cores each) {
  goals_.each = each;
  cpuObstacle_.reset();
  for (auto& worker : workers_) {
    const auto done = worker.change(machine_.cpuOf(resourcesAt(job_.spec.workers, each, goals_.isStarting)));
    if (!done) cpuObstacle_ = done.error().message;
  }
  heldEach_ = cpuObstacle_ ? std::max(heldEach_, each) : each;
  return cpuObstacle_ ? failure(ErrorKind::Transient, *cpuObstacle_) : Result<void>();
}

void JobProcesses::noteLoss() {
  if (!std::exchange(goals_.isStarting, false) || !running()) return;
  static_cast<void>(scaleCpu(goals_.each));  // workers that can't change show it as their obstacle
}

void JobProcesses::noteLook() {
  if (driver_) driver_->noteLook();
  for (auto& each : workers_) each.noteLook();
}

void JobProcesses::scale(Workers count) {
  goals_.desired = count;
  wantWorkers();
}

void JobProcesses::suspend() {
  goals_.suspended = true;
  if (driver_) driver_->want(false);
  wantWorkers();
}

void JobProcesses::finish() {
  goals_.over = true;
  releasePorts();
  if (driver_) driver_->want(false);
  wantWorkers();
}

JobGoals JobProcesses::goals() const {
  JobGoals goals = goals_;
  if (driver_) goals.driver = driver_->history();
  for (const auto& each : workers_) goals.workers.push_back(each.history());
  return goals;
}

std::vector<std::string> JobProcesses::names() const {
  std::vector<std::string> names;
  if (driver_) names.push_back(nameOf(kDriver));
  for (std::size_t i = 0; i < workers_.size(); ++i) names.push_back(nameOf(workerRole(i)));
  return names;
}

void JobProcesses::resume(const JobGoals& goals) {
  goals_ = goals;
  goals_.driver.reset();
  goals_.workers.clear();
  heldEach_ = goals.each;
  if (goals.started && !goals.over) {
    for (const int port : {goals.driverPort, goals.metricsPort})
      ports_.push_back(system::ReservedPort::again(port));
  }
  if (job_.spec.driver && goals.started) {
    const ProcessHistory history = goals.driver.value_or(ProcessHistory());
    driver_.emplace(makeDriver());
    driver_->resume(history, machine_.adopt(nameOf(kDriver), resourcesOf(*job_.spec.driver), history.ended));
    driver_->want(running());
  }
  const auto resources = resourcesAt(job_.spec.workers, goals.each, goals.isStarting);
  for (std::size_t i = 0; i < goals.workers.size(); ++i) {
    workers_.push_back(makeWorker(static_cast<int>(i)));
    workers_.back().resume(goals.workers[i],
                           machine_.adopt(nameOf(workerRole(i)), resources, goals.workers[i].ended));
  }
  wantWorkers();
}

void JobProcesses::wantWorkers() {
  const int wanted = running() ? goals_.desired.value() : 0;
  while (static_cast<int>(workers_.size()) < wanted) {
    workers_.push_back(makeWorker(static_cast<int>(workers_.size())));
  }
  awaitsChief_ = wanted > 1 && !hasChiefBegun();
  for (int i = 0; i < static_cast<int>(workers_.size()); ++i) {
    auto& worker = workers_[static_cast<std::size_t>(i)];
    worker.want(i < wanted && (i == 0 || !awaitsChief_ || worker.process()));
  }
}

// False while slaq-report has yet to start the program of a chief that is worker 0. The other workers begin
// after that program: torchrun gives rank 0, which prints the loss, to the oldest process of a machine.
bool JobProcesses::hasChiefBegun() const {
  if (job_.spec.driver || !job_.spec.loss.from) return true;
  const auto chief = workers_.front().process();
  return chief && cpu::hasChild(*chief);
}

void JobProcesses::reconcile(Seconds now) {
  if (driver_) driver_->reconcile(now);
  if (awaitsChief_) wantWorkers();
  // The highest index comes first, since it is the first to leave.
  for (auto each = workers_.rbegin(); each != workers_.rend(); ++each) each->reconcile(now);
}

void JobProcesses::kill() {
  awaitsChief_ = false;
  for (auto& each : workers_) each.kill();
  if (driver_) driver_->kill();
}

bool JobProcesses::gone() const {
  const auto stands = [](const SupervisedProcess& process) { return process.process().has_value(); };
  return std::ranges::none_of(workers_, stands) && !(driver_ && stands(*driver_));
}

Cores JobProcesses::held() const {
  const bool driver = driver_ && driver_->process();
  return heldEach_ * standing() + (driver ? coresOf(*job_.spec.driver) : Cores());
}

std::vector<pid_t> JobProcesses::processes() const {
  std::vector<pid_t> all;
  const auto add = [&](const SupervisedProcess& supervised) {
    const auto process = supervised.process();
    if (!process) return;
    const auto family = cpu::familyOf(*process);
    all.insert(all.end(), family.begin(), family.end());
  };
  if (driver_) add(*driver_);
  for (const auto& worker : workers_) add(worker);
  return all;
}

Variables JobProcesses::variables() const {
  return {{"SLAQ_JOB", job_.key.name},
          {"SLAQ_JOB_UID", job_.uid},
          {"SLAQ_NAMESPACE", job_.key.ns},
          {"SLAQ_DRIVER_ADDRESS", kHost + std::to_string(goals_.driverPort)},
          {"SLAQ_WORKERS_MIN", std::to_string(job_.spec.workers.min.value())},
          {"SLAQ_WORKERS_MAX", std::to_string(job_.spec.workers.max.value())}};
}

std::string JobProcesses::nameOf(const std::string& role) const {
  return job_.key.ns + "." + job_.key.name + "." + role;
}

// The chief's template, whose program slaq-report may have to watch.
PodTemplate JobProcesses::startedThroughReport(const PodTemplate& pod) const {
  if (!job_.spec.loss.from) return pod;
  PodTemplate through = pod;
  auto& command = through.containers.front().command;
  const auto report = reportCommand(job_.spec.loss, "slaq-report");
  command.insert(command.begin(), report.begin(), report.end());
  return through;
}

SupervisedProcess JobProcesses::makeDriver() {
  Variables given = variables();
  given["SLAQ_METRICS_PORT"] = std::to_string(goals_.metricsPort);
  const auto start = [this, given] {
    const PodTemplate& pod = *job_.spec.driver;
    return machine_.start(nameOf(kDriver), startedThroughReport(pod), resourcesOf(pod), given, owner_);
  };
  return SupervisedProcess(
      start, machine_.grace, [this] { return goals_.isStarting; }, retries());
}

SupervisedProcess JobProcesses::makeWorker(int index) {
  Variables given = variables();
  given["SLAQ_WORKER_INDEX"] = std::to_string(index);
  if (!job_.spec.driver && index == 0) given["SLAQ_METRICS_PORT"] = std::to_string(goals_.metricsPort);
  const std::string name = nameOf(workerRole(static_cast<std::size_t>(index)));
  const bool isChief = !job_.spec.driver && index == 0;
  const auto start = [this, name, given, isChief] {
    const PodTemplate& pod = job_.spec.workers.pod;
    return machine_.start(name, isChief ? startedThroughReport(pod) : pod,
                          resourcesAt(job_.spec.workers, goals_.each, goals_.isStarting), given, owner_);
  };
  const auto needsCommand = [this, isChief] { return isChief && goals_.isStarting; };
  return SupervisedProcess(start, machine_.grace, needsCommand, isChief ? retries() : nullptr);
}

const SupervisedProcess* JobProcesses::chief() const {
  if (job_.spec.driver) return driver_ ? &*driver_ : nullptr;
  return workers_.empty() ? nullptr : &workers_.front();
}

WorkersView JobProcesses::workers() const {
  WorkersView view;
  view.exists = goals_.started;
  view.suspended = goals_.suspended || goals_.over;  // as a cluster suspends the Job of a finished training
  view.desired = goals_.desired;
  view.active = count(workers_, &SupervisedProcess::active);
  view.ready = view.active;
  view.terminating = count(workers_, &SupervisedProcess::terminating);
  view.succeeded = !job_.spec.driver && chief() != nullptr && chief()->succeeded();
  const auto stuck = std::ranges::find_if(
      workers_, [](const SupervisedProcess& each) { return each.impossible().has_value(); });
  if (stuck != workers_.end()) view.failed = stuck->impossible();
  if (!job_.spec.driver) {
    view.failures = chiefFailures().first;
    view.lastFailure = chief() ? chief()->howItFailed() : "";
  }
  const bool byCpu = job_.spec.workers.scaling == Scaling::CPU;
  if (byCpu && (running() || standing() > Workers(0))) view.cpu = cpu();
  return view;
}

Workers JobProcesses::standing() const {
  return count(workers_, &SupervisedProcess::active) + count(workers_, &SupervisedProcess::terminating);
}

CpuView JobProcesses::cpu() const {
  Seconds used{0};
  for (const auto& worker : workers_) used += worker.cpuUsed();
  return {.asked = goals_.each,
          .held = heldEach_ * standing(),
          .settled = !cpuObstacle_,
          .obstacle = cpuObstacle_,
          .impossible = std::nullopt,
          .used = used};
}

DriverView JobProcesses::driver() const {
  DriverView view;
  if (!driver_) return view;
  view.exists = true;
  view.suspended = goals_.suspended || goals_.over;
  view.active = driver_->active();
  view.ready = view.active;
  view.terminating = driver_->terminating();
  view.succeeded = driver_->succeeded();
  view.failures = driver_->failures();
  view.lastFailure = driver_->howItFailed();
  view.failed = driver_->impossible();
  return view;
}

std::optional<std::string> JobProcesses::metricsEndpoint() const {
  if (chief() == nullptr || !chief()->active()) return std::nullopt;
  return kHost + std::to_string(goals_.metricsPort);
}

std::pair<int, std::string> JobProcesses::chiefFailures() const {
  const SupervisedProcess* process = chief();
  return process ? std::pair(process->failures(), process->lastFailure()) : std::pair(0, std::string());
}

std::string JobProcesses::chiefFailure() const {
  const SupervisedProcess* process = chief();
  if (process == nullptr) return "";
  const std::string role = job_.spec.driver ? kDriver : workerRole(0);
  if (process->failures() == 0) return process->impossible() ? role + ": " + *process->impossible() : "";
  const std::string tail = system::tailOf(machine_.logOf(nameOf(role)), kTailLines);
  return role + " ended with " + process->lastFailure() +
         (tail.empty() ? " and wrote nothing" : "; it wrote:\n" + tail);
}

}  // namespace slaq::local::processes
