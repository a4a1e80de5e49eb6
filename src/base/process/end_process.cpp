#include "base/process/end_process.h"

#include <cstdio>
#include <cstdlib>
#include <iostream>

namespace slaq {

void endProcess(int status) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  std::exit(status);
#else
  std::cout.flush();
  std::cerr.flush();
  std::fflush(nullptr);
  std::_Exit(status);
#endif
}

}  // namespace slaq
