#include "local/cluster/local_cluster.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "local/cluster/check_local.h"
#include "local/cluster/gpu_sharing.h"
#include "local/processes/job_processes.h"
#include "local/processes/machine.h"
#include "local/system/open_files.h"

namespace slaq::local::cluster {
namespace {

constexpr auto kEndTick = std::chrono::milliseconds(10);

// A job with its processes. It is never moved, since the processes refer to the job.
struct Entry {
  Entry(TrainingJob given, Seconds arrival, processes::Machine& machine,
        std::shared_ptr<const processes::Owner> owner = {})
      : job(std::move(given)), after(arrival), processes(job, machine, std::move(owner)) {}
  Entry(const Entry&) = delete;
  Entry& operator=(const Entry&) = delete;

  TrainingJob job;
  Seconds after;
  JobStatus status;
  processes::JobProcesses processes;
  bool deleted = false;  // it only waits for the end of its processes
};

// A process that an earlier cluster left and that was told to end, because its job does not exist any more.
struct Stray {
  std::string name;
  std::unique_ptr<processes::Process> process;
  Seconds deadline;
};

processes::WatchedDirectories watchedOf(const cpu::CpuLimiter& limiter,
                                        const processes::RunDirectory& directory) {
  processes::WatchedDirectories watched;
  watched.cgroups = limiter.directories();
  if (directory.temporary()) watched.files.push_back(directory.path());
  return watched;
}

JobView viewOf(const Entry& entry) {
  JobView view;
  view.job = entry.job;
  view.status = entry.status;
  view.workers = entry.processes.workers();
  view.driver = entry.processes.driver();
  view.metricsEndpoint = entry.processes.metricsEndpoint();
  return view;
}

// Sets the goal of an action.
struct ApplyAction {
  processes::JobProcesses& processes;
  bool& deleted;

  static Result<void> notRunning() {
    return failure(ErrorKind::Conflict, "the job doesn't run; start it instead");
  }

  Result<void> operator()(const StartJob& action) const {
    return processes.start(action.workers, action.cpu);
  }
  Result<void> operator()(const ScaleWorkers& action) const {
    if (!processes.running()) return notRunning();
    return processes.scale(action.to), Result<void>();
  }
  Result<void> operator()(const ScaleCpu& action) const {
    return processes.running() ? processes.scaleCpu(action.to) : notRunning();
  }
  Result<void> operator()(const SuspendJob&) const { return processes.suspend(), Result<void>(); }
  Result<void> operator()(const FinishJob&) const { return processes.finish(), Result<void>(); }
  Result<void> operator()(const DeleteJob&) const {
    return deleted = true, processes.finish(), Result<void>();
  }
  Result<void> operator()(const RequestQuota&) const {
    return failure(ErrorKind::Invalid, "there are no queues on one machine");
  }
};

}  // namespace

struct LocalCluster::Impl {
  Impl(processes::Machine shared, const Clock& given)
      : machine(std::move(shared)), clock(given), began(given.monotonic()) {}

  Seconds age() const { return clock.monotonic() - began; }

  // Adds the memory of the shared GPU that each job needs, and how much is left.
  void addMemory(ClusterView& view) {
    std::vector<GpuSharer> sharers;
    for (auto& [key, entry] : jobs) {
      if (entry.after <= age() && !(finished(entry.status.state) && entry.processes.gone()))
        sharers.push_back({entry.job, entry.processes});
    }
    view.memory = gpuSharing->look(sharers, clock.monotonic());
    for (auto& job : view.jobs) job.memoryNeed = gpuSharing->needOf(job.job);
  }

  Entry* find(const JobKey& key) {
    const auto found = jobs.find(key);
    const bool there = found != jobs.end() && found->second.after <= age() && !found->second.deleted;
    return there ? &found->second : nullptr;
  }

  processes::Machine machine;
  const Clock& clock;
  Seconds began;
  std::map<JobKey, Entry> jobs;
  std::optional<GpuSharing> gpuSharing;
  std::vector<Stray> strays;
  std::vector<std::pair<JobKey, Event>> events;
  std::function<void(const JobKey&, const LeftJob&)> remember;
};

LocalCluster::LocalCluster(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Result<std::unique_ptr<LocalCluster>> LocalCluster::start(std::vector<ArrivingJob> jobs,
                                                          const LocalSettings& settings,
                                                          std::unique_ptr<cpu::CpuLimiter> limiter,
                                                          const Clock& clock) {
  system::allowMoreOpenFiles();
  auto directory = processes::RunDirectory::make(settings.logs);
  if (!directory) return failure(directory.error());
  auto watchdog =
      processes::Watchdog::start(watchedOf(*limiter, *directory), settings.outlived ? SIGCONT : SIGKILL);
  if (!watchdog) return failure(watchdog.error());
  auto impl = std::make_unique<Impl>(
      processes::Machine{std::move(*directory), std::move(limiter), std::move(*watchdog), settings.outlived,
                         processes::searchPath(settings.programs),
                         settings.gpus.empty() ? nullptr : system::Gpus::of(settings.gpus),
                         settings.sharedGpu, settings.grace},
      clock);
  if (const auto gpu = settings.sharedGpu) {
    auto memory = system::readGpuMemory(*gpu);
    if (!memory) return failure(memory.error());
    impl->gpuSharing.emplace(std::move(*memory), [gpu] { return system::readGpuMemory(*gpu); });
  }
  const Time now = clock.now();
  for (ArrivingJob& arriving : jobs) {
    TrainingJob& job = arriving.job;
    job.created = now + arriving.after;
    job.generation = 1;
    if (job.uid.empty()) job.uid = "local-" + toString(job.key);
    impl->jobs.try_emplace(JobKey(job.key), std::move(job), arriving.after, impl->machine);
  }
  return std::unique_ptr<LocalCluster>(new LocalCluster(std::move(impl)));
}

LocalCluster::~LocalCluster() {
  const auto gone = [](const auto& each) { return each.second.processes.gone(); };
  for (auto& [key, entry] : impl_->jobs) entry.processes.finish();
  reconcile();
  // Counts ticks, since a test's clock need not advance during this wait.
  for (Seconds waited{0}; waited < impl_->machine.grace; waited += kEndTick) {
    if (std::ranges::all_of(impl_->jobs, gone)) break;
    std::this_thread::sleep_for(kEndTick);
    reconcile();
  }
  for (auto& [key, entry] : impl_->jobs) entry.processes.kill();
}

void LocalCluster::add(TrainingJob job, std::shared_ptr<const processes::Owner> owner,
                       const std::optional<LeftJob>& left) {
  const JobKey key = job.key;
  Entry& entry = impl_->jobs.try_emplace(key, std::move(job), Seconds(0), impl_->machine, std::move(owner))
                     .first->second;
  if (!left) {
    impl_->machine.removeLogs(key.ns + "." + key.name + ".");
    return;
  }
  if (impl_->gpuSharing && left->goals.gpuMemory) impl_->gpuSharing->note(entry.job, *left->goals.gpuMemory);
  entry.status = left->status;
  entry.processes.resume(left->goals);
  if (finished(left->status.state)) entry.processes.releasePorts();
}

void LocalCluster::remove(const JobKey& job) {
  const auto found = impl_->jobs.find(job);
  if (found == impl_->jobs.end()) return;
  Entry& entry = found->second;
  static_cast<void>(ApplyAction{entry.processes, entry.deleted}(DeleteJob{job}));
}

bool LocalCluster::isFree(const JobKey& job) const { return !impl_->jobs.contains(job); }

Result<bool> LocalCluster::change(const JobKey& job, JobSpec spec) {
  Entry* entry = impl_->find(job);
  if (entry == nullptr || entry->job.spec == spec) return false;
  if (auto change = checkChange(entry->job, spec); !change) return failure(change.error());
  entry->job.spec = std::move(spec);
  ++entry->job.generation;
  return true;
}

std::map<JobKey, LeftJob> LocalCluster::leave() const {
  std::map<JobKey, LeftJob> left;
  for (const auto& [key, entry] : impl_->jobs) {
    if (!entry.deleted) left[key] = {entry.status, entry.processes.goals()};
  }
  return left;
}

void LocalCluster::rememberBy(std::function<void(const JobKey&, const LeftJob&)> remember) {
  impl_->remember = std::move(remember);
}

void LocalCluster::endStrays() {
  auto records = impl_->machine.records();
  for (const auto& [key, entry] : impl_->jobs) {
    for (const auto& name : entry.processes.names()) records.erase(name);
  }
  const Seconds deadline = impl_->clock.monotonic() + impl_->machine.grace;
  for (const auto& name : records) {
    auto process = impl_->machine.adopt(name, {.request = Cores(1000), .limit = Cores(1000)}, 0);
    if (process && !process->poll()) {
      process->terminate();
      impl_->strays.push_back({name, std::move(process), deadline});
    } else {
      impl_->machine.forget({name});
    }
  }
}

void LocalCluster::reconcile() {
  const Seconds now = impl_->clock.monotonic();
  for (auto& [key, entry] : impl_->jobs) entry.processes.reconcile(now);
  std::erase_if(impl_->strays, [&](Stray& stray) {
    if (now >= stray.deadline) stray.process->kill();
    const bool hasEnded = stray.process->poll().has_value();
    if (hasEnded) impl_->machine.forget({stray.name});
    return hasEnded;
  });
  std::erase_if(impl_->jobs, [&](const auto& each) {
    const bool isOver = each.second.deleted && each.second.processes.gone();
    if (isOver) impl_->machine.forget(each.second.processes.names());
    if (isOver && impl_->gpuSharing) impl_->gpuSharing->forget(each.first);
    return isOver;
  });
}

Result<ClusterView> LocalCluster::observe() {
  auto view = look();
  for (auto& [key, entry] : impl_->jobs) entry.processes.noteLook();
  return view;
}

ClusterView LocalCluster::look() {
  reconcile();
  ClusterView view;
  view.time = impl_->clock.now();
  for (const auto& [key, entry] : impl_->jobs) {
    if (entry.deleted) view.leaving += entry.processes.held();
    if (!entry.deleted && entry.after <= impl_->age()) view.jobs.push_back(viewOf(entry));
  }
  if (impl_->gpuSharing) impl_->addMemory(view);
  return view;
}

Result<void> LocalCluster::apply(const Action& action) {
  Entry* entry = impl_->find(jobOf(action));
  if (entry == nullptr) return failure(ErrorKind::NotFound, "there is no job " + toString(jobOf(action)));
  auto done = std::visit(ApplyAction{entry->processes, entry->deleted}, action);
  if (impl_->remember) impl_->remember(entry->job.key, {entry->status, entry->processes.goals()});
  entry->processes.reconcile(impl_->clock.monotonic());
  return done;
}

Result<void> LocalCluster::writeStatus(const JobKey& job, const std::string&, const JobStatus& status) {
  Entry* entry = impl_->find(job);
  if (entry == nullptr) return failure(ErrorKind::NotFound, "there is no job " + toString(job));
  entry->status = status;
  if (status.progress) entry->processes.noteLoss();
  if (finished(status.state)) entry->processes.releasePorts();
  return {};
}

void LocalCluster::record(const JobKey& job, const Event& event) { impl_->events.emplace_back(job, event); }

std::string LocalCluster::chiefFailure(const JobKey& job) const {
  const auto found = impl_->jobs.find(job);
  return found == impl_->jobs.end() ? "" : found->second.processes.chiefFailure();
}

std::pair<int, std::string> LocalCluster::chiefFailures(const JobKey& job) const {
  const auto found = impl_->jobs.find(job);
  return found == impl_->jobs.end() ? std::pair(0, std::string()) : found->second.processes.chiefFailures();
}

std::vector<std::pair<JobKey, Event>> LocalCluster::takeEvents() { return std::exchange(impl_->events, {}); }

}  // namespace slaq::local::cluster
