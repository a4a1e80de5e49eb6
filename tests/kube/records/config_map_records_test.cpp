#include "kube/records/config_map_records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kube/support/fake_server.h"

namespace slaq::kube::records {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

constexpr const char* kPath = "/api/v1/namespaces/slaq-system/configmaps/slaq-kinds";

class Records : public ::testing::Test {
 protected:
  static KindRecord kind(const std::string& name, double iterations) {
    return {.kind = name, .trainings = 1, .newest = {{.iterations = iterations}}};
  }

  FakeServer server_;
  client::Api api_{server_, {.pause = [](Seconds) { return false; }}};
  ConfigMapRecords records_{api_, "slaq-system", "slaq-kinds"};
};

TEST_F(Records, AreNoneBeforeTheFirstWrite) {
  const auto read = records_.read();
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_THAT(*read, IsEmpty());
}

TEST_F(Records, ComeBackAsTheyWereWritten) {
  const std::vector<KindRecord> first = {kind("a/b: c --d", 10), kind("resnet", 20)};
  ASSERT_TRUE(records_.write(first));
  const std::vector<KindRecord> second = {kind("resnet", 30)};
  ASSERT_TRUE(records_.write(second));
  EXPECT_THAT(*records_.read(), UnorderedElementsAre(first[0], second[0]));
  const auto writes = server_.takeWrites();
  EXPECT_THAT(writes.back(), ::testing::Not(HasSubstr("a/b")));  // only what changed
}

TEST_F(Records, OfAKindThatIsForgottenAreRemoved) {
  const std::vector<KindRecord> both = {kind("a", 10), kind("b", 20)};
  ASSERT_TRUE(records_.write(both));
  const std::vector<KindRecord> gone = {{.kind = "a"}};
  ASSERT_TRUE(records_.write(gone));
  EXPECT_THAT(*records_.read(), ElementsAre(both[1]));
}

TEST_F(Records, ThatSomebodyBrokeAreLeftOut) {
  ASSERT_TRUE(records_.write(std::vector<KindRecord>{kind("a", 10)}));
  server_.put(kPath,
              R"({"metadata": {}, "data": {"kind-1": "{", "kind-2": "{\"kind\": \"x\"}", "other": ""}})");
  const auto read = records_.read();
  ASSERT_TRUE(read);
  EXPECT_THAT(*read, ElementsAre(KindRecord{.kind = "x"}));
}

TEST_F(Records, SayWhatTheServerRefused) {
  server_.before = [](const http::HttpRequest&) { return refusal(403, "Forbidden", "no right to it"); };
  EXPECT_THAT(records_.read().error().message, HasSubstr("no right to it"));
  EXPECT_THAT(records_.write(std::vector<KindRecord>{kind("a", 1)}).error().message,
              HasSubstr("no right to it"));
}

}  // namespace
}  // namespace slaq::kube::records
