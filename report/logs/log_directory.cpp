#include "report/logs/log_directory.h"

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "report/logs/event_records.h"
#include "report/logs/file_tail.h"
#include "report/output/line_splitter.h"

namespace slaq::report {
namespace {

constexpr int kDeepest = 8;

using TakePath = std::function<void(const std::string&)>;

bool isRegular(const std::string& path) {
  struct stat found {};
  return ::stat(path.c_str(), &found) == 0 && S_ISREG(found.st_mode);
}

// False for a link to a directory, which could lead back.
bool isDirectory(const std::string& path) {
  struct stat found {};
  return ::lstat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode);
}

// Visits the files below a directory; unreadable directories are skipped.
void forFiles(const std::string& directory, const TakePath& take, int depth = 0) {
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(directory.c_str()), ::closedir);
  if (!entries) return;
  while (const dirent* entry = ::readdir(entries.get())) {
    const std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    const std::string path = directory + "/" + name;
    if (isRegular(path)) take(path);
    if (depth < kDeepest && isDirectory(path)) forFiles(path, take, depth + 1);
  }
}

std::set<std::string> filesIn(const std::string& directory) {
  std::set<std::string> files;
  forFiles(directory, [&](const std::string& file) { files.insert(file); });
  return files;
}

std::string withoutSlash(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

// A file, and the reader of its bytes.
template <class Reader>
struct ReadFile {
  ReadFile(const std::string& path, FileTail::Former former) : tail(path, former) {}

  FileTail tail;
  Reader reader;
};

class TensorBoard final : public LogDirectory {
 public:
  explicit TensorBoard(const std::string& path) : path_(withoutSlash(path)), former_(filesIn(path_)) {}

  void read(const TellScalar& tell) override {
    forFiles(path_, [&](const std::string& file) {
      const bool isEvents = file.find("tfevents", file.rfind('/')) != std::string::npos;
      if (isEvents && !former_.contains(file)) files_.try_emplace(file, file, FileTail::Former::All);
    });
    for (auto& [path, file] : files_) {
      const auto begin = path_.size() + 1;
      const std::string before = path.substr(begin, path.rfind('/') + 1 - begin);
      const auto named = [&](std::string_view tag, double step, double value) {
        tell(before + std::string(tag), step, value);
      };
      file.tail.read([&, &reader = file.reader](std::string_view bytes) { reader.add(bytes, named); });
    }
  }

 private:
  const std::string path_;
  const std::set<std::string> former_;
  std::map<std::string, ReadFile<EventRecords>> files_;
};

// Cuts the next number off the line.
std::optional<double> takeNumber(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  double number = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
  line.remove_prefix(static_cast<std::size_t>(end - line.data()));
  return error == std::errc() ? std::optional(number) : std::nullopt;
}

class Mlflow final : public LogDirectory {
 public:
  explicit Mlflow(const std::string& path) : path_(withoutSlash(path)) { look(FileTail::Former::Nothing); }

  void read(const TellScalar& tell) override {
    look(FileTail::Former::All);
    for (auto& [path, file] : files_) {
      const std::string name = nameOf(path);
      const auto read = [&](std::string_view line) {
        const auto time = takeNumber(line), value = takeNumber(line), step = takeNumber(line);
        if (time && value && step) tell(name, *step, *value);
      };
      file.tail.read([&, &reader = file.reader](std::string_view bytes) { reader.add(bytes, read); });
    }
  }

 private:
  // A run that goes on has files from an earlier program, whose content is not read.
  void look(FileTail::Former former) {
    forFiles(path_, [&](const std::string& file) {
      if (isMetric(file)) files_.try_emplace(file, file, former);
    });
  }

  static bool isMetric(const std::string& file) { return file.find(kMetrics) != std::string::npos; }
  static std::string nameOf(const std::string& file) {
    return file.substr(file.rfind(kMetrics) + std::string_view(kMetrics).size());
  }

  static constexpr const char* kMetrics = "/metrics/";
  const std::string path_;
  std::map<std::string, ReadFile<LineSplitter>> files_;
};

}  // namespace

std::unique_ptr<LogDirectory> tensorBoardDirectory(const std::string& path) {
  return std::make_unique<TensorBoard>(path);
}

std::unique_ptr<LogDirectory> mlflowDirectory(const std::string& path) {
  return std::make_unique<Mlflow>(path);
}

void announceMlflow(const std::string& path) {
  ::setenv("MLFLOW_ALLOW_FILE_STORE", "true", 0);
  std::error_code failed;
  const auto whole = std::filesystem::absolute(path, failed);
  if (!failed) ::setenv("MLFLOW_TRACKING_URI", whole.c_str(), 0);
}

}  // namespace slaq::report
