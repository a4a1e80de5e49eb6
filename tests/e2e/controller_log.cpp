#include "controller_log.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace slaq::e2e {
namespace {

namespace fs = std::filesystem;

fs::path folderOfLogs() {
  const char* rig = std::getenv("SLAQ_RIG_DIR");
  return fs::path(rig ? rig : "/tmp/slaq-rig") / "pod-logs";
}

// "TIME stdout F what was written": what was written, with its end unless it was cut (P).
std::string written(const std::string& line) {
  const auto stream = line.find(' ');
  const auto tag = line.find(' ', stream + 1);
  if (tag == std::string::npos) return "";
  return line.substr(std::min(tag + 3, line.size())) + (line[tag + 1] == 'P' ? "" : "\n");
}

}  // namespace

fs::path ControllerLog::newest() const {
  fs::path found;
  fs::file_time_type latest = fs::file_time_type::min();
  for (const auto& pod : pods_) {
    std::error_code none;  // there is no folder before its container starts
    for (const auto& each : fs::recursive_directory_iterator(folderOfLogs() / pod, none)) {
      if (!each.is_regular_file() || each.path().extension() != ".log") continue;
      if (each.last_write_time() >= latest) {
        latest = each.last_write_time();
        found = each.path();
      }
    }
  }
  return found;
}

const std::string& ControllerLog::read() {
  if (const auto file = newest(); file != file_) {
    file_ = file;
    end_ = 0;
    text_.clear();
  }
  std::ifstream file(file_);
  file.seekg(end_);
  for (std::string line; std::getline(file, line) && !file.eof();) {
    text_ += written(line);
    end_ += static_cast<std::streamoff>(line.size()) + 1;
  }
  return text_;
}

}  // namespace slaq::e2e
