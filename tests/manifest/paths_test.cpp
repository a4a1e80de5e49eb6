#include "manifest/paths.h"

#include <gmock/gmock.h>

namespace slaq::manifest {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Paths, NameKeysAndIndexesTheWayKubernetesDoes) {
  const std::string containers = pathTo(pathTo("spec", "template"), "containers");
  EXPECT_EQ(pathTo(pathTo(containers, 0), "image"), "spec.template.containers[0].image");
  EXPECT_EQ(pathTo("", "spec"), "spec");
  EXPECT_EQ(pathTo("metadata.labels", "app.kubernetes.io/name"),
            "metadata.labels[\"app.kubernetes.io/name\"]");
}

TEST(Paths, ComeApartIntoTheSameSteps) {
  EXPECT_THAT(
      stepsOf("spec.containers[12].image"),
      ElementsAre(PathStep("spec"), PathStep("containers"), PathStep(std::size_t{12}), PathStep("image")));
  const std::string odd = "a\"b\\c.d[0]";
  EXPECT_THAT(stepsOf(pathTo(pathTo("x", odd), 3)),
              ElementsAre(PathStep("x"), PathStep(odd), PathStep(std::size_t{3})));
}

TEST(Paths, StopAtWhatTheyCannotRead) {
  EXPECT_THAT(stepsOf(""), IsEmpty());
  EXPECT_THAT(stepsOf("a[b]"), ElementsAre(PathStep("a")));
  EXPECT_THAT(stepsOf("a[\"b"), ElementsAre(PathStep("a")));
  EXPECT_THAT(stepsOf("a[1"), ElementsAre(PathStep("a")));
  EXPECT_THAT(stepsOf("a.$"), ElementsAre(PathStep("a")));
}

}  // namespace
}  // namespace slaq::manifest
