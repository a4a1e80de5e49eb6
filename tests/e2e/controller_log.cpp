#include "controller_log.h"

#include <algorithm>
#include <fstream>

namespace slaq::e2e {
namespace {

namespace fs = std::filesystem;

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
    std::error_code gone;  // there is no folder before a container starts, and the kubelet removes old files
    for (fs::recursive_directory_iterator each(pod, gone), end; !gone && each != end; each.increment(gone)) {
      if (each->path().extension() != ".log") continue;
      const auto written = each->last_write_time(gone);
      if (!gone && written >= latest) {
        latest = written;
        found = each->path();
      }
      gone.clear();
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
