#include "manifest/record_codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slaq::manifest {
namespace {

using ::testing::HasSubstr;

KindRecord resnet() {
  return {.kind = "resnet \"50\"\n",
          .trainings = 12,
          .newest = {{.iterations = 90,
                      .unit = 0.5,
                      .losses = {{0, 2.5}, {90, -0.25}},
                      .speeds = {{1, 40, 3}, {2.5, 19.75, 30}},
                      .growPause = Seconds(31),
                      .lost = Seconds(0),
                      .uid = "a",
                      .ended = 1'790'000'001},
                     {}}};
}

TEST(RecordCodec, ReadsWhatItWrote) {
  const auto back = readKindRecord(toText(resnet()));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(*back, resnet());
}

std::string whyNot(const std::string& newest) {
  const auto read = readKindRecord(R"({"kind": "a", "trainings": 1, "newest": [)" + newest + "]}");
  return read ? "" : read.error().message;
}

TEST(RecordCodec, RefusesWhatNoTrainingCanShow) {
  const std::string good = R"("iterations": 1, "unit": 1, "losses": [], )";
  EXPECT_EQ(whyNot("{" + good + R"("speeds": []})"), "");
  EXPECT_THAT(whyNot("{" + good + R"("speeds": [[1, 0, 1]]})"), HasSubstr("times and weights above 0"));
  EXPECT_THAT(whyNot("{" + good + R"("speeds": [[1, 2]]})"), HasSubstr("lists of 3 numbers"));
  EXPECT_THAT(whyNot("{" + good + R"("speeds": [["1", 2, 3]]})"), HasSubstr("lists of 3 numbers"));
  EXPECT_THAT(whyNot("{" + good + R"("speeds": [], "lostSeconds": -1})"), HasSubstr("at least 0"));
  EXPECT_THAT(whyNot(R"({"iterations": 1, "unit": 0, "losses": [], "speeds": []})"), HasSubstr("above 0"));
  for (const char* speeds : {"[1e300, 1, 1]", "[1, 1e300, 1]", "[1, 1, 1e300]", "[1, 4.9e-324, 1]"}) {
    EXPECT_THAT(whyNot("{" + good + R"("speeds": [)" + speeds + "]}"), HasSubstr("sizes from 1 to 1e6"));
  }
  for (const char* losses : {"[1e300, 1]", "[-1, 1]", "[1, 1e300]", "[1, -1e300]"}) {
    EXPECT_THAT(
        whyNot(R"({"iterations": 1, "unit": 1, "speeds": [], "losses": [)" + std::string(losses) + "]}"),
        HasSubstr("iterations from 0 to 1e15"));
  }
  EXPECT_THAT(whyNot(R"({"iterations": 1e300, "unit": 1, "losses": [], "speeds": []})"), HasSubstr("1e15"));
  EXPECT_THAT(whyNot("3"), HasSubstr("object"));
  EXPECT_FALSE(readKindRecord("{"));
  EXPECT_FALSE(readKindRecord("[]"));
  EXPECT_FALSE(readKindRecord(R"({"trainings": 3, "newest": []})"));
  EXPECT_FALSE(readKindRecord(R"({"kind": "a", "trainings": -1, "newest": []})"));
}

TEST(RecordCodec, ReadsTextsOfAnyDepth) {
  const std::string deep = std::string(1'000'000, '[') + std::string(1'000'000, ']');
  EXPECT_FALSE(readKindRecord(deep));
  EXPECT_TRUE(readKindRecord(R"({"kind": "a", "trainings": 0, "newest": [], "x": )" + deep + "}"));
}

}  // namespace
}  // namespace slaq::manifest
