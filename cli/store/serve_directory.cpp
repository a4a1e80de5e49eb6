#include "cli/store/serve_directory.h"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>

namespace slaq::cli::store {

namespace fs = std::filesystem;

fs::path ServeDirectory::statusOf(const JobKey& job) const {
  return path / ((job.ns == "default" ? "" : job.ns + ".") + job.name + ".status.json");
}

Result<void> ServeDirectory::open() {
  std::error_code error;
  for (const auto& each : {logs(), states(), losses(), unfinished()}) {
    fs::create_directories(each, error);
    if (error) return failure(ErrorKind::Invalid, "can't make " + each.string() + ": " + error.message());
  }
  const auto lockFile = kept() / "lock";
  lock_ = ::open(lockFile.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock_ < 0 || ::flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    return failure(ErrorKind::Invalid, errno == EWOULDBLOCK
                                           ? "another slaq serve has the directory " + path.string()
                                           : "can't lock " + lockFile.string());
  }
  return {};
}

}  // namespace slaq::cli::store
