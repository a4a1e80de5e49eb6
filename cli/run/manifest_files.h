// The manifests that a command line names: files, all files of a directory, or the standard input.
#pragma once

#include <istream>
#include <string>
#include <vector>

#include "base/result.h"
#include "job/job.h"

namespace slaq::cli::run {

struct ManifestText {
  std::string name;  // for sentences: the file, or "stdin"
  std::string text;
};

// `path` is a file, "-" for `input`, or a directory, which stands for its own files *.yaml and *.yml by name.
// Invalid where something can't be read, or a directory has none.
Result<std::vector<ManifestText>> manifestsAt(const std::string& path, std::istream& input);

// Returns a line for each thing in the job that is allowed and probably not meant.
std::string hintLines(const ManifestText& manifest, const TrainingJob& job);

}  // namespace slaq::cli::run
