// Skips with one loud line where no cluster can be had; with CI=true that is a failure.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <string>

#include "end_to_end.h"
#include "shell.h"

namespace {

class Cluster : public testing::Environment {
 public:
  void TearDown() override { slaq::e2e::EndToEnd::takeClusterDown(); }
};

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  testing::AddGlobalTestEnvironment(new Cluster);  // owned by GoogleTest
  const auto check = slaq::e2e::shell(SLAQ_SOURCE_DIR "/tests/rig/rig check");
  if (check.code == 0 || testing::GTEST_FLAG(list_tests)) return RUN_ALL_TESTS();
  const char* ci = std::getenv("CI");
  const bool mustRun = ci != nullptr && std::string(ci) == "true";
  std::cerr << (mustRun ? "FAILED" : "SKIPPED") << ": END-TO-END TESTS NEED A CLUSTER: " << check.text
            << std::endl;
  return mustRun ? 1 : 77;
}
