// Where slaq serve keeps what the programs of a job write.
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

// Of the job that the text names (JOB or NAMESPACE/JOB; empty: the only one that there is) on the server that
// `flags` name; where they name none, on the one that listens where servers do, if it knows the job. Nothing
// where no server has it.
Result<std::optional<ServedLogs>> servedLogs(const flags::ClusterFlags& flags, const std::string& job);

}  // namespace slaq::cli::logs
