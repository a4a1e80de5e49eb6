#include "local/system/open_files.h"

#include <sys/resource.h>

namespace slaq::local::system {
namespace {

rlimit original{};
bool isRaised = false;

}  // namespace

void allowMoreOpenFiles() {
  if (isRaised || ::getrlimit(RLIMIT_NOFILE, &original) != 0) return;
  const rlimit most{original.rlim_max, original.rlim_max};
  isRaised = ::setrlimit(RLIMIT_NOFILE, &most) == 0;
}

void restoreOpenFiles() {
  if (isRaised) ::setrlimit(RLIMIT_NOFILE, &original);
}

}  // namespace slaq::local::system
