// Skips with one loud line where no cluster can be had; with CI=true that is a failure.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <string>

#include "end_to_end.h"
#include "shell.h"
#include "used_rights.h"

namespace {

using ::testing::IsEmpty;

bool allRan() {
  const auto& tests = *testing::UnitTest::GetInstance();
  return tests.test_to_run_count() == tests.total_test_count();
}

// All tests together make use of each right: what the server refuses for want of one is no use of it.
void expectAllRightsUsed() {
  const auto log =
      slaq::e2e::shell(SLAQ_SOURCE_DIR "/tests/rig/rig run sh -c 'cat $SLAQ_RIG_DIR/logs/audit.json'");
  EXPECT_EQ(log.code, 0) << log.text;
  EXPECT_THAT(slaq::e2e::unusedRights(log.text), IsEmpty());
}

class Cluster : public testing::Environment {
 public:
  void TearDown() override {
    if (allRan()) expectAllRightsUsed();
    slaq::e2e::EndToEnd::takeClusterDown();
  }
};

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  testing::AddGlobalTestEnvironment(new Cluster);  // owned by GoogleTest
  const auto check = slaq::e2e::shell(SLAQ_SOURCE_DIR "/tests/rig/rig check");
  if (check.code == 0 || testing::GTEST_FLAG(list_tests)) {
    const int result = RUN_ALL_TESTS();
    if (testing::UnitTest::GetInstance()->test_to_run_count() > 0 || testing::GTEST_FLAG(list_tests))
      return result;
    std::cerr << "FAILED: no test has a name that --gtest_filter asks for" << std::endl;
    return 1;
  }
  const char* ci = std::getenv("CI");
  const bool mustRun = ci != nullptr && std::string(ci) == "true";
  std::cerr << (mustRun ? "FAILED" : "SKIPPED") << ": END-TO-END TESTS NEED A CLUSTER: " << check.text
            << std::endl;
  return mustRun ? 1 : 77;
}
