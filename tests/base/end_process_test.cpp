#include "base/process/end_process.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <iostream>

namespace slaq {
namespace {

struct Loud {
  ~Loud() { std::fputs("a static object was destroyed", stderr); }
};

TEST(EndProcess, WritesOutTheStreamsAndEndsWithTheStatus) {
  EXPECT_EXIT(
      {
        std::cerr << "streams ";
        std::fputs("and files", stderr);
        endProcess(7);
      },
      testing::ExitedWithCode(7), "streams and files");
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(EndProcess, LeavesStaticObjectsAlone) {
  EXPECT_EXIT(
      {
        static const Loud loud;
        std::fputs("end", stderr);
        endProcess(0);
      },
      testing::ExitedWithCode(0), "^end$");
}
#endif

}  // namespace
}  // namespace slaq
