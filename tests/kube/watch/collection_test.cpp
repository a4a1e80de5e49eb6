#include "kube/watch/collection.h"

#include <gmock/gmock.h>

namespace slaq::kube::watch {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct Thing {
  JobKey key;
  std::string uid;
  std::string resourceVersion;
  std::string owner;
};

Thing thing(const std::string& name, const std::string& owner, const std::string& version = "1") {
  return {{"ns", name}, "uid-" + name, version, owner};
}

class IndexTest : public testing::Test {
 protected:
  std::vector<std::string> namesBy(const std::string& owner) const {
    std::vector<std::string> names;
    for (const auto* each : things.by(owner)) names.push_back(each->key.name);
    return names;
  }

  Collection<Thing> things{&Thing::owner};
};

TEST_F(IndexTest, FindsThoseOfAnOwnerInTheOrderOfTheirKeys) {
  for (const auto* name : {"c", "a", "b"}) things.update(thing(name, "x"));
  things.update(thing("d", "y"));
  EXPECT_THAT(namesBy("x"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(namesBy("y"), ElementsAre("d"));
  EXPECT_THAT(namesBy("z"), IsEmpty());
}

TEST_F(IndexTest, GoesWithTheObject) {
  for (const auto* name : {"a", "b"}) things.update(thing(name, "x"));
  things.update(thing("a", "y", "2"));
  EXPECT_THAT(namesBy("x"), ElementsAre("b"));
  EXPECT_THAT(namesBy("y"), ElementsAre("a"));
  things.remove({"ns", "a"}, "uid-a", "3");
  EXPECT_THAT(namesBy("y"), IsEmpty());
}

TEST_F(IndexTest, AListLeavesNoneThatItDoesNotHave) {
  for (const auto* name : {"a", "b"}) things.update(thing(name, "x"));
  things.beginList();
  things.list(thing("b", "x", "1"));
  things.endList("2");
  EXPECT_THAT(namesBy("x"), ElementsAre("b"));
}

TEST_F(IndexTest, AnotherObjectOfTheKeyTakesThePlaceOfTheFirst) {
  things.update(thing("a", "x"));
  Thing next = thing("a", "y", "5");
  next.uid = "another";
  things.update(next);
  EXPECT_THAT(namesBy("x"), IsEmpty());
  EXPECT_EQ(things.by("y").at(0)->uid, "another");
}

TEST_F(IndexTest, NobodyIsFoundByNoOwner) {
  things.update(thing("a", ""));
  EXPECT_THAT(namesBy(""), IsEmpty());
  EXPECT_EQ(things.all().size(), 1u);
}

}  // namespace
}  // namespace slaq::kube::watch
