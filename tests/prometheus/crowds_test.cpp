#include "prometheus/crowds.h"

#include <gmock/gmock.h>

#include "prometheus/answers.h"

namespace slaq::prom {
namespace {

using ::testing::StartsWith;

TEST(Crowds, TellOfAnyNumber) {
  const std::pair<const char*, const char*> cases[] = {
      {"3001", "its pods export 3001 series"},
      {"1e300", "its pods export 1e+300 series"},
      {"+Inf", "its pods export +Inf series"},
  };
  for (const auto& [count, sentence] : cases) {
    const auto counts =
        readMatrix(test::answerOf({{"", {{"namespace", "a"}, {"slaq_io_job", "j"}}, {{1, count}}}}));
    ASSERT_TRUE(counts);
    Crowds crowds;
    EXPECT_TRUE(crowds.update(*counts, {}));
    EXPECT_THAT(crowds.problemOf({"a", "j"}), StartsWith(sentence));
  }
}

}  // namespace
}  // namespace slaq::prom
