#include "cli/store/serve_directory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include "local/processes/machine.h"
#include "local/system/files.h"

namespace slaq::cli::store {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::milliseconds kLongestLaunch(30'000);  // a start normally takes milliseconds
constexpr std::chrono::milliseconds kLaunchTick(10);

// A user who may write here decides which programs run as this user, and for root as any user.
bool isSafe(const struct stat& about) {
  const bool isOurs = S_ISDIR(about.st_mode) && (about.st_uid == ::geteuid() || about.st_uid == 0);
  const mode_t others = ::geteuid() == 0 ? S_IWOTH | S_IWGRP : S_IWOTH;
  return isOurs && (about.st_mode & others) == 0;
}

// Makes the directory, or takes over one that is there. Nothing is changed in a directory that others may
// write in, nor through a link. `isOwn`: only slaq has files there.
Result<void> takeOver(const fs::path& directory, bool isOwn) {
  const bool isNew = ::mkdir(directory.c_str(), 0755) == 0;
  if (!isNew && errno != EEXIST)
    return local::system::systemFailure(ErrorKind::Invalid, "make " + directory.string());
  const local::system::Descriptor opened(
      ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat about {};
  if (!opened.isOpen() || ::fstat(opened.number(), &about) != 0)
    return local::system::systemFailure(ErrorKind::Invalid, "use the directory " + directory.string());
  if (!isSafe(about))
    return failure(ErrorKind::Invalid,
                   "others may write in " + directory.string() +
                       ", and so start programs; chown it to yourself, and chmod it to 755");
  if (isNew || isOwn) ::fchmod(opened.number(), 0755);  // the mode does not depend on the umask
  return {};
}

}  // namespace

std::string dottedName(const JobKey& job) { return job.ns + "." + job.name; }

std::string shortName(const JobKey& job) { return job.ns == "default" ? job.name : dottedName(job); }

fs::path ServeDirectory::statusOf(const JobKey& job) const {
  return path / (shortName(job) + ".status.json");
}

Result<void> ServeDirectory::open() {
  std::error_code error;
  path = fs::absolute(path).lexically_normal();
  if (path.filename().empty()) path = path.parent_path();  // "jobs/"
  const bool isNew = fs::create_directories(path.parent_path(), error);
  // Other users may read their logs there, whatever the umask is.
  if (isNew && ::geteuid() == 0) ::chmod(path.parent_path().c_str(), 0755);
  for (const auto& each : {path, kept(), logs(), states(), losses(), unfinished()}) {
    if (auto taken = takeOver(each, each != path); !taken) return taken;
  }
  if (auto locked = lock(); !locked) return locked;
  for (const auto& entry : fs::directory_iterator(unfinished(), error)) fs::remove(entry.path(), error);
  return {};
}

// The lock of fcntl() belongs to this process alone, so it shows at once whether another server runs. The
// lock of flock() is inherited by a new process until it executes its program. A killed server can leave such
// a process without a record, so lock() waits for it. The two locks are of two files, since NFS makes both of
// the same kind.
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
  const auto launches = kept() / "launches";
  launches_ = ::open(launches.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (launches_ < 0) return failure(ErrorKind::Invalid, "can't lock " + launches.string());
  for (auto left = kLongestLaunch; ::flock(launches_, LOCK_EX | LOCK_NB) != 0; left -= kLaunchTick) {
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
  sweepLogs(jobs);
}

void ServeDirectory::sweepLogs(const std::set<JobKey>& jobs) const {
  std::vector<std::pair<fs::file_time_type, fs::path>> left;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(logs(), ignored)) {
    const bool isKept = jobs.contains(local::processes::jobOfLog(entry.path()));
    if (entry.path().extension() == ".log" && !isKept)
      left.emplace_back(entry.last_write_time(ignored), entry.path());
  }
  std::ranges::sort(left, std::greater());
  for (std::size_t i = kKeptLogs; i < left.size(); ++i) fs::remove(left[i].second, ignored);
}

}  // namespace slaq::cli::store
