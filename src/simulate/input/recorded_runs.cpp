#include "simulate/input/recorded_runs.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "base/dns_name.h"
#include "base/text_file.h"

namespace slaq::simulate {
namespace {

Result<std::vector<std::filesystem::path>> tablesIn(const std::string& directory) {
  std::vector<std::filesystem::path> files;
  std::error_code unreadable;
  for (const auto& entry : std::filesystem::directory_iterator(directory, unreadable)) {
    if (entry.path().extension() == ".csv") files.push_back(entry.path());
  }
  if (unreadable) return failure(ErrorKind::Invalid, directory + ": can't be read: " + unreadable.message());
  if (files.empty())
    return failure(ErrorKind::Invalid,
                   directory + ": there is no table of losses, a file *.csv, in it; name another directory");
  std::ranges::sort(files);
  return files;
}

SimulatedJob jobOf(const std::string& name, Trace trace, const RecordedRuns& runs, std::size_t place) {
  return {.name = name.empty() ? "job" : name,
          .arrival = runs.interarrival * static_cast<double>(place),
          .trace = std::make_shared<const Trace>(oriented(runs.mode, std::move(trace))),
          .coreSecondsPerIteration = runs.cpuSeconds,
          .mode = runs.mode,
          .most = Workers(static_cast<int>(runs.cores.value() / 1000))};
}

}  // namespace

Result<Workload> recordedWorkload(const std::string& directory, const RecordedRuns& runs) {
  Workload workload{.cores = runs.cores, .jobs = {}};
  const auto tables = tablesIn(directory);
  if (!tables) return failure(tables.error());
  for (const auto& path : *tables) {
    const auto text = readRegularTextFile(path.string());
    if (!text) return failure(text.error());
    const auto jobs = jobsIn(path.string(), *text);
    if (!jobs) return failure(jobs.error());
    TraceColumns columns = runs.columns;
    const bool isNamed = !columns.job.empty();
    for (const auto& job : isNamed ? std::vector{columns.job} : *jobs) {
      const std::string of = job.empty() ? "" : "-" + job.substr(job.rfind('/') + 1);
      columns.job = job;
      auto trace = readTrace(path.string(), *text, columns);
      if (!trace) return failure(trace.error());
      workload.jobs.push_back(
          jobOf(dnsLabelFrom(path.stem().string() + of), std::move(*trace), runs, workload.jobs.size()));
    }
  }
  std::ranges::sort(workload.jobs, {}, &SimulatedJob::name);
  const auto twice = std::ranges::adjacent_find(workload.jobs, {}, &SimulatedJob::name);
  if (twice != workload.jobs.end())
    return failure(ErrorKind::Invalid,
                   directory + ": has two jobs of the name " + twice->name + "; rename a file");
  return workload;
}

}  // namespace slaq::simulate
