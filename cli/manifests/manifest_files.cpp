#include "cli/manifests/manifest_files.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "base/text_file.h"
#include "job/validate.h"

namespace slaq::cli::manifests {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> filesIn(const fs::path& directory) {
  std::vector<std::string> files;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(directory, ignored)) {
    const auto extension = entry.path().extension();
    if (extension == ".yaml" || extension == ".yml") files.push_back(entry.path().string());
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace

Result<std::vector<ManifestText>> manifestsAt(const std::string& path, std::istream& input) {
  if (path == "-")
    return std::vector<ManifestText>{{"stdin", std::string(std::istreambuf_iterator(input), {})}};
  std::error_code ignored;
  const bool directory = fs::is_directory(path, ignored);
  const auto files = directory ? filesIn(path) : std::vector{path};
  if (files.empty()) {
    return failure(ErrorKind::Invalid,
                   path + ": there is no file *.yaml in it; name a manifest, or another directory");
  }
  std::vector<ManifestText> manifests;
  for (const auto& file : files) {
    auto text = readTextFile(file);
    if (!text) return failure(std::move(text).error());
    manifests.push_back({file, std::move(*text)});
  }
  return manifests;
}

std::string hintLines(const ManifestText& manifest, const manifest::ManifestJob& job) {
  std::string lines;
  for (const auto& [path, message] : hints(job.job, job.resource))
    lines += manifest.name + ": hint: " + toString(job.job.key) + ": " + path + " " + message + "\n";
  return lines;
}

}  // namespace slaq::cli::manifests
