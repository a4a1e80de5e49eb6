// Skips with one loud line where no cluster can be had; with CI=true that is a failure.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <string>

#include "shell.h"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const auto check = slaq::e2e::shell(SLAQ_SOURCE_DIR "/tests/rig/rig check");
  if (check.code == 0 || testing::GTEST_FLAG(list_tests)) return RUN_ALL_TESTS();
  const char* ci = std::getenv("CI");
  const bool mustRun = ci != nullptr && std::string(ci) == "true";
  std::cerr << (mustRun ? "FAILED" : "SKIPPED") << ": END-TO-END TESTS NEED A CLUSTER: " << check.text
            << std::endl;
  return mustRun ? 1 : 77;
}
