#include "report/child/install.h"

#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace slaq::report {
namespace {

constexpr mode_t kForAll = 0755;
constexpr std::size_t kAtOnce = 1u << 20;

// Returns 0, or errno on failure.
int copy(int from, int to) {
  ssize_t count = 0;
  while ((count = ::sendfile(to, from, nullptr, kAtOnce)) > 0) {
  }
  return count < 0 || ::fchmod(to, kForAll) != 0 ? errno : 0;
}

}  // namespace

Result<void> installTo(const std::string& folder) {
  const int from = ::open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  const int to =
      from < 0 ? -1
               : ::open((folder + "/slaq-report").c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kForAll);
  int problem = to < 0 ? errno : copy(from, to);
  if (from >= 0) ::close(from);
  if (to >= 0 && ::close(to) != 0 && problem == 0) problem = errno;
  if (problem == 0) return {};
  return failure(ErrorKind::Invalid, "it can't be copied to " + folder + ": " + std::strerror(problem));
}

}  // namespace slaq::report
