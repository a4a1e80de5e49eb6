#include "telemetry/log.h"

#include <gtest/gtest.h>

namespace slaq::telemetry {
namespace {

TEST(Quoted, LetsNoValueLeaveItsQuotes) {
  EXPECT_EQ(quoted("a \"b\" \\ c"), "\"a \\\"b\\\" \\\\ c\"");
  EXPECT_EQ(quoted("first\nlevel=error"), "\"first level=error\"");
}

TEST(Quoted, CommandsNoTerminal) {
  EXPECT_EQ(quoted("\x1b[31mred\r\x7f"), "\"\\x1b[31mred\\x0d\\x7f\"");
  EXPECT_EQ(quoted("Zürich"), "\"Zürich\"");
}

}  // namespace
}  // namespace slaq::telemetry
