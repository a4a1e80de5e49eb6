// The directories with the output of programs that were given as commands: one for each run, in the user's
// state directory ($XDG_STATE_HOME, else ~/.local/state).
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

namespace slaq::cli::logs {

// The directory of all runs; empty if the user has no home.
std::optional<std::filesystem::path> runsDirectory();

// The directories of runs, the newest last.
std::vector<std::filesystem::path> keptRuns(const std::filesystem::path& runs);

// A name for the directory of a run that begins now: "20261127-153000-4711". Removes the oldest runs that
// have ended, so that some tens are kept.
std::filesystem::path newRun(const std::filesystem::path& runs);

}  // namespace slaq::cli::logs
