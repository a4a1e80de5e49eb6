#include "cli/logs/logs_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/process/stop_signals.h"
#include "base/units.h"
#include "cli/logs/kept_logs.h"
#include "cli/logs/served_logs.h"
#include "local/processes/machine.h"

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

std::string jobOf(const fs::path& file) { return local::processes::jobOfLog(file).name; }

std::vector<fs::path> logsIn(const fs::path& directory) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(directory, error)) {
    if (entry.path().extension() == ".log") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

// Prints a file from where the last call ended.
class Printer {
 public:
  explicit Printer(fs::path file) : file_(std::move(file)) {}

  // False if the file can't be read.
  bool print() {
    std::ifstream in(file_, std::ios::binary | std::ios::ate);
    if (!in) return false;
    if (in.tellg() < position_) position_ = 0;  // the job was submitted again
    in.seekg(position_);
    char buffer[64 << 10];
    while (in.read(buffer, sizeof buffer) || in.gcount() > 0) {
      std::cout.write(buffer, in.gcount());
      position_ += in.gcount();
    }
    std::cout << std::flush;
    return true;
  }

 private:
  fs::path file_;
  std::streamoff position_ = 0;
};

// Prints the files of a job. While it follows them, it asks `files` again, since workers may start later.
int printAll(const std::function<std::vector<fs::path>()>& files, bool follows) {
  const StopSignals signals({SIGINT, SIGTERM, SIGHUP});
  std::map<fs::path, Printer> printers;
  do {
    for (const auto& file : files()) {
      const bool isRead = printers.try_emplace(file, file).first->second.print();
      if (!isRead) return fail(file.string() + " can't be read: " + std::strerror(errno));
    }
  } while (follows && !signals.within(kLook));
  return 0;
}

// Where the run compares policies, each has a directory of its own. The newest one is the last.
fs::path withLogs(const fs::path& directory) {
  if (!logsIn(directory).empty()) return directory;
  std::optional<std::pair<fs::file_time_type, fs::path>> newest;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(directory, error)) {
    if (!entry.is_directory(error) || logsIn(entry.path()).empty()) continue;
    const std::pair each(entry.last_write_time(error), entry.path());
    if (!newest || *newest < each) newest = each;
  }
  if (!newest) return directory;
  std::cerr << "hint: this is of the run under " << newest->second.filename().string() << ", in "
            << newest->second.string() << '\n';
  return newest->second;
}

int showRun(const fs::path& given, const LogsOptions& options) {
  const fs::path directory = withLogs(given);
  std::set<std::string> jobs;
  for (const auto& file : logsIn(directory)) jobs.insert(jobOf(file));
  std::string names;
  for (const auto& job : jobs) names += (names.empty() ? "" : ", ") + job;
  if (jobs.empty() || (!options.job.empty() && !jobs.contains(options.job)))
    return fail("there is no output of " + (options.job.empty() ? "a job" : options.job) + " in " +
                directory.string() + (jobs.empty() ? "" : "; there is that of " + names));
  if (jobs.size() > 1 && options.job.empty())
    return fail("name one of the jobs of " + directory.string() + ": " + names);
  const std::string job = options.job.empty() ? *jobs.begin() : options.job;
  const auto files = [&] {
    auto all = logsIn(directory);
    std::erase_if(all, [&](const fs::path& file) { return jobOf(file) != job; });
    return all;
  };
  return printAll(files, options.follows);
}

int showServed(const ServedLogs& served, const LogsOptions& options) {
  const auto files = [&] {
    auto all = logsIn(served.directory);
    std::erase_if(all, [&](const fs::path& file) { return local::processes::jobOfLog(file) != served.job; });
    return all;
  };
  if (files().empty())
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
