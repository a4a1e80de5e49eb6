// The manifests that a command line names: files, all files of a directory, or the standard input.
#pragma once

#include <istream>
#include <string>
#include <vector>

#include "base/result.h"
#include "manifest/manifest.h"

namespace slaq::cli::manifests {

struct ManifestText {
  std::string name;  // for messages: the file, or "stdin"
  std::string text;
};

// `path` is a file, "-" for `input`, or a directory, which means its own files *.yaml and *.yml by name.
// Invalid if something can't be read, or a directory has no such file.
Result<std::vector<ManifestText>> manifestsAt(const std::string& path, std::istream& input);

// Returns a line for each setting of the job that is allowed but probably not meant.
std::string hintLines(const ManifestText& manifest, const manifest::ManifestJob& job);

}  // namespace slaq::cli::manifests
