#include "cli/store/serve_directory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>

namespace slaq::cli::store {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::milliseconds kLongestLaunch(30'000);  // a start normally takes milliseconds
constexpr std::chrono::milliseconds kLaunchTick(10);

}  // namespace

std::string dottedName(const JobKey& job) { return job.ns + "." + job.name; }

std::string shortName(const JobKey& job) { return job.ns == "default" ? job.name : dottedName(job); }

fs::path ServeDirectory::statusOf(const JobKey& job) const {
  return path / (shortName(job) + ".status.json");
}

Result<void> ServeDirectory::open() {
  std::error_code error;
  path = fs::absolute(path);
  if (fs::create_directories(path, error)) ::chmod(path.c_str(), 0755);  // independent of the umask
  for (const auto& each : {kept(), logs(), states(), losses(), unfinished()}) {
    if (!error) fs::create_directory(each, error);
    if (error) return failure(ErrorKind::Invalid, "can't make " + each.string() + ": " + error.message());
    ::chmod(each.c_str(), 0755);
  }
  if (auto safe = checkOwner(); !safe) return safe;
  if (auto locked = lock(); !locked) return locked;
  for (const auto& entry : fs::directory_iterator(unfinished(), error)) fs::remove(entry.path(), error);
  return {};
}

// The file has two locks. The lock of fcntl() belongs to this process alone, so it shows at once whether
// another server runs. The lock of flock() is inherited by a new process until it executes its program. A
// killed server can leave such a process without a record, so lock() waits for it.
Result<void> ServeDirectory::lock() {
  const auto file = kept() / "lock";
  lock_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  if (lock_ < 0 || ::fcntl(lock_, F_SETLK, &whole) != 0) {
    const bool isTaken = errno == EACCES || errno == EAGAIN;
    return failure(ErrorKind::Invalid, lock_ >= 0 && isTaken
                                           ? "another slaq serve has the directory " + path.string()
                                           : "can't lock " + file.string());
  }
  for (auto left = kLongestLaunch; ::flock(lock_, LOCK_EX | LOCK_NB) != 0; left -= kLaunchTick) {
    if (left <= kLaunchTick.zero())
      return failure(ErrorKind::Transient,
                     "an earlier slaq serve of " + path.string() +
                         " was killed while it started a program, which still hangs; end that program first");
    std::this_thread::sleep_for(kLaunchTick);
  }
  return {};
}

void ServeDirectory::sweep(const std::set<JobKey>& jobs) const {
  std::set<fs::path> kept;
  for (const auto& job : jobs) {
    kept.insert(statusOf(job));
    kept.insert(losses() / (dottedName(job) + ".csv"));
  }
  std::error_code ignored;
  for (const auto& [directory, ending] : {std::pair(path, ".status.json"), std::pair(losses(), ".csv")}) {
    for (const auto& entry : fs::directory_iterator(directory, ignored)) {
      if (entry.path().string().ends_with(ending) && !kept.contains(entry.path()))
        fs::remove(entry.path(), ignored);
    }
  }
}

// A user who may write here decides which programs run as this user, and for root as any user.
Result<void> ServeDirectory::checkOwner() const {
  for (const auto& each : {path, kept()}) {
    struct stat about {};
    const bool isRead = ::lstat(each.c_str(), &about) == 0;
    const bool isOurs =
        isRead && S_ISDIR(about.st_mode) && (about.st_uid == ::geteuid() || about.st_uid == 0);
    const mode_t others = ::geteuid() == 0 ? S_IWOTH | S_IWGRP : S_IWOTH;
    if (isOurs && (about.st_mode & others) == 0) continue;
    return failure(ErrorKind::Invalid,
                   "others may write in " + each.string() +
                       ", and so start programs; chown it to yourself, and chmod it to 755");
  }
  return {};
}

}  // namespace slaq::cli::store
