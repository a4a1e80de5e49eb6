// Quantities of cores, as the API server reads them.
#include "yaml/value.h"

#include <gtest/gtest.h>

#include "support/quantities.h"

namespace slaq::yaml {
namespace {

TEST(Cores, AreReadInAllFormsThatAPodMayHave) {
  const auto table = test::quantities();
  ASSERT_GT(table.Size(), 50u);
  for (const auto& each : table.GetArray()) {
    const auto cores = readCores(each[0]);
    const std::string told = each[0].IsString() ? each[0].GetString() : std::string(kindOf(each[0]));
    ASSERT_EQ(cores.has_value(), !each[1].IsNull()) << told;
    if (!cores) continue;
    EXPECT_EQ(cores->value(), each[1].GetInt64()) << told;
  }
}

}  // namespace
}  // namespace slaq::yaml
