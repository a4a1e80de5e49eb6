#include "report/logs/log_directory.h"

#include <map>
#include <set>
#include <sstream>
#include <string>

#include "report/logs/event_records.h"
#include "report/logs/file_tail.h"
#include "report/output/line_splitter.h"

namespace slaq::report {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepest = 8;

// The files below a directory; what can't be read is passed over.
template <class Take>
void forFiles(const fs::path& directory, Take take) {
  std::error_code error;
  fs::recursive_directory_iterator entries(directory, fs::directory_options::skip_permission_denied, error);
  for (const fs::recursive_directory_iterator end; !error && entries != end; entries.increment(error)) {
    if (entries.depth() >= kDeepest) entries.disable_recursion_pending();
    std::error_code ignored;
    if (entries->is_regular_file(ignored)) take(entries->path());
  }
}

std::set<fs::path> filesIn(const fs::path& directory) {
  std::set<fs::path> files;
  forFiles(directory, [&](const fs::path& file) { files.insert(file); });
  return files;
}

// A file, and what reads its bytes.
template <class Reader>
struct ReadFile {
  ReadFile(const fs::path& path, FileTail::Former former) : tail(path, former) {}

  FileTail tail;
  Reader reader;
};

class TensorBoard final : public LogDirectory {
 public:
  explicit TensorBoard(fs::path path) : path_(std::move(path)), former_(filesIn(path_)) {}

  void read(const TellScalar& tell) override {
    forFiles(path_, [&](const fs::path& file) {
      const bool isEvents = file.filename().string().find("tfevents") != std::string::npos;
      if (isEvents && !former_.contains(file)) files_.try_emplace(file, file, FileTail::Former::All);
    });
    for (auto& [path, file] : files_) {
      const std::string before = fs::relative(path.parent_path(), path_).string();
      const auto named = [&](std::string_view tag, double step, double value) {
        tell(before.empty() || before == "." ? std::string(tag) : before + "/" + std::string(tag), step,
             value);
      };
      file.tail.read([&, &reader = file.reader](std::string_view bytes) { reader.add(bytes, named); });
    }
  }

 private:
  const fs::path path_;
  const std::set<fs::path> former_;
  std::map<fs::path, ReadFile<EventRecords>> files_;
};

class Mlflow final : public LogDirectory {
 public:
  explicit Mlflow(fs::path path) : path_(std::move(path)) { look(FileTail::Former::Nothing); }

  void read(const TellScalar& tell) override {
    look(FileTail::Former::All);
    for (auto& [path, file] : files_) {
      const std::string name = nameOf(path);
      const auto read = [&](std::string_view line) {
        double time = 0, value = 0, step = 0;
        std::istringstream in{std::string(line)};
        if (in >> time >> value >> step) tell(name, step, value);
      };
      file.tail.read([&, &reader = file.reader](std::string_view bytes) { reader.add(bytes, read); });
    }
  }

 private:
  // A run that goes on has its files already; what is in them is of an earlier program.
  void look(FileTail::Former former) {
    forFiles(path_, [&](const fs::path& file) {
      if (isMetric(file)) files_.try_emplace(file, file, former);
    });
  }

  static bool isMetric(const fs::path& file) { return file.string().find("/metrics/") != std::string::npos; }
  static std::string nameOf(const fs::path& file) {
    const std::string text = file.string();
    return text.substr(text.rfind("/metrics/") + sizeof("/metrics/") - 1);
  }

  const fs::path path_;
  std::map<fs::path, ReadFile<LineSplitter>> files_;
};

}  // namespace

std::unique_ptr<LogDirectory> tensorBoardDirectory(const fs::path& path) {
  return std::make_unique<TensorBoard>(path);
}

std::unique_ptr<LogDirectory> mlflowDirectory(const fs::path& path) { return std::make_unique<Mlflow>(path); }

}  // namespace slaq::report
