// Runs the tests of a program and ends it as ours end.
#include <gmock/gmock.h>

#include "base/process/end_process.h"

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  slaq::endProcess(RUN_ALL_TESTS());
}
