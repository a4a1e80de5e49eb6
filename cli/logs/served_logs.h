// The directory in which slaq serve keeps the output of a job's programs.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/result.h"
#include "cli/flags/cluster_flags.h"
#include "job/job.h"

namespace slaq::cli::logs {

struct ServedLogs {
  std::filesystem::path directory;
  JobKey job;
};

// The directory of the job JOB or NAMESPACE/JOB on the server that `flags` name; empty text: the server's
// only job. If they name no server, the default server is asked about a named job. Empty if no server has the
// job.
Result<std::optional<ServedLogs>> servedLogs(const flags::ClusterFlags& flags, const std::string& job);

}  // namespace slaq::cli::logs
