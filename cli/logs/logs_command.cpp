#include "cli/logs/logs_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <thread>

#include "base/process/stop_signals.h"
#include "base/units.h"
#include "cli/logs/kept_logs.h"
#include "cli/logs/served_logs.h"

namespace slaq::cli::logs {
namespace {

namespace fs = std::filesystem;

constexpr int kNothing = 1;
constexpr Seconds kLook{0.2};

struct LogsOptions {
  flags::ClusterFlags cluster;
  std::string job;
  std::string directory;
  bool follows = false;
};

int fail(const std::string& sentence) {
  std::cerr << sentence << '\n';
  return kNothing;
}

// Reads the job's name from the file's name: "default.train.worker-0.log" belongs to default/train.
JobKey keyOf(const fs::path& file) {
  const std::string name = file.filename().string();
  const auto first = name.find('.');
  if (first == std::string::npos) return {};
  return {name.substr(0, first), name.substr(first + 1, name.find('.', first + 1) - first - 1)};
}

std::string jobOf(const fs::path& file) { return keyOf(file).name; }

std::vector<fs::path> logsIn(const fs::path& directory) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(directory, error)) {
    if (entry.path().extension() == ".log") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

// Prints the file from `position` on, and moves `position` to its end.
void print(const fs::path& file, std::streamoff& position) {
  std::ifstream in(file, std::ios::binary);
  in.seekg(position);
  char buffer[64 << 10];
  while (in.read(buffer, sizeof buffer) || in.gcount() > 0) {
    std::cout.write(buffer, in.gcount());
    position += in.gcount();
  }
  std::cout << std::flush;
}

int printAll(const std::vector<fs::path>& files, bool follows) {
  const StopSignals signals({SIGINT, SIGTERM, SIGHUP});
  std::vector<std::streamoff> positions(files.size(), 0);
  do {
    for (std::size_t i = 0; i < files.size(); ++i) print(files[i], positions[i]);
  } while (follows && !signals.within(kLook));
  return 0;
}

int showRun(const fs::path& directory, const LogsOptions& options) {
  auto files = logsIn(directory);
  std::string jobs;
  for (const auto& file : files) jobs += (jobs.empty() ? "" : ", ") + jobOf(file);
  if (!options.job.empty())
    std::erase_if(files, [&](const fs::path& file) { return jobOf(file) != options.job; });
  if (files.empty())
    return fail("there is no output of " + (options.job.empty() ? "a job" : options.job) + " in " +
                directory.string() + (jobs.empty() ? "" : "; there is that of " + jobs));
  if (files.size() > 1 && options.job.empty())
    return fail("name one of the jobs of " + directory.string() + ": " + jobs);
  return printAll(files, options.follows);
}

int showServed(const ServedLogs& served, const LogsOptions& options) {
  auto files = logsIn(served.directory);
  std::erase_if(files, [&](const fs::path& file) { return keyOf(file) != served.job; });
  if (files.empty())
    return fail("there is no output of " + toString(served.job) + " in " + served.directory.string() +
                " that you may read; it may not have started");
  return printAll(files, options.follows);
}

int show(const LogsOptions& options) {
  if (!options.directory.empty()) return showRun(options.directory, options);
  const auto served = servedLogs(options.cluster, options.job);
  if (!served) return fail(served.error().message);
  if (*served) return showServed(**served, options);
  const auto runs = runsDirectory();
  const auto kept = runs ? keptRuns(*runs) : std::vector<fs::path>();
  if (kept.empty()) return fail("no run of commands is kept; start one: slaq run -- python train.py");
  return showRun(kept.back(), options);
}

}  // namespace

void addLogsCommand(CLI::App& app, std::function<int()>& run) {
  auto options = std::make_shared<LogsOptions>();
  CLI::App* command =
      app.add_subcommand("logs", "Print what a program wrote that slaq run or slaq serve started");
  command->add_option("job", options->job, "its job; may be left out where there is one");
  command->add_option("--directory", options->directory,
                      "that of --logs of the run (the newest run of commands)");
  flags::addServerFlag(*command, options->cluster);
  command->add_option("-n,--namespace", options->cluster.ns, "namespace of a job of slaq serve (default)");
  command->add_flag("-f,--follow", options->follows, "go on with what it writes, until interrupted");
  command->callback([options, &run] { run = [options] { return show(*options); }; });
}

}  // namespace slaq::cli::logs
