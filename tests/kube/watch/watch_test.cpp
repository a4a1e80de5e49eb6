#include "kube/watch/watch.h"

#include <gmock/gmock.h>

namespace slaq::kube::watch {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Effects = std::vector<WatchEffect>;

// A watch driven by hand, in virtual time and without jitter.
class Driven {
 public:
  Effects on(const WatchEvent& event) {
    auto [next, effects] = step(state, event, {now, 0.5});
    state = next;
    return effects;
  }
  void pass(double seconds) { now += Seconds(seconds); }

  // Listed at version 100 and watching.
  Driven& watching() {
    on(Begun{});
    on(PageCame{"100", ""});
    return *this;
  }

  WatchState state;
  Seconds now{1000};
};

Failed failed(ErrorKind kind) { return Failed{{kind, "why"}}; }

TEST(Watch, ListsFirstThenWatchesFromTheListsVersion) {
  Driven watch;
  EXPECT_THAT(watch.on(Begun{}), ElementsAre(BeginList{}, FetchPage{""}));
  EXPECT_THAT(watch.on(PageCame{"100", ""}), ElementsAre(TakeItems{}, EndList{"100"}, OpenWatch{"100"}));
}

TEST(Watch, FetchesPageByPageAndEndsTheListOnce) {
  Driven watch;
  watch.on(Begun{});
  EXPECT_THAT(watch.on(PageCame{"100", "a"}), ElementsAre(TakeItems{}, FetchPage{"a"}));
  EXPECT_THAT(watch.on(PageCame{"100", "b"}), ElementsAre(TakeItems{}, FetchPage{"b"}));
  EXPECT_THAT(watch.on(PageCame{"100", ""}), ElementsAre(TakeItems{}, EndList{"100"}, OpenWatch{"100"}));
}

TEST(Watch, GoesOnFromTheLastChangeAfterAnOrderlyEnd) {
  Driven watch;
  watch.watching();
  EXPECT_THAT(watch.on(Changed{"105"}), ElementsAre(TakeChange{}));
  watch.pass(400);
  EXPECT_THAT(watch.on(StreamEnded{}), ElementsAre(OpenWatch{"105"}));
}

TEST(Watch, ListsAtOnceWhenAListIsWanted) {
  Driven watch;
  watch.watching();
  EXPECT_THAT(watch.on(ListWanted{}), ElementsAre(BeginList{}, FetchPage{""}));
  EXPECT_THAT(watch.on(PageCame{"200", ""}), ElementsAre(TakeItems{}, EndList{"200"}, OpenWatch{"200"}));
}

TEST(Watch, GoesOnFromABookmark) {
  Driven watch;
  watch.watching();
  EXPECT_THAT(watch.on(Bookmarked{"300"}), IsEmpty());
  watch.pass(400);
  EXPECT_THAT(watch.on(StreamEnded{}), ElementsAre(OpenWatch{"300"}));
}

TEST(Watch, GoesOnFromTheLastChangeAfterACutStreamAndAPause) {
  Driven watch;
  watch.watching().on(Changed{"105"});
  EXPECT_THAT(watch.on(failed(ErrorKind::Transient)), ElementsAre(Log{"why"}, Pause{Seconds(0.8)}));
  EXPECT_THAT(watch.on(Begun{}), ElementsAre(OpenWatch{"105"}));
}

TEST(Watch, PausesWhenAStreamEndsAtOnce) {
  Driven watch;
  watch.watching();
  EXPECT_THAT(watch.on(StreamEnded{}), ElementsAre(Log{"the watch ended at once"}, Pause{Seconds(0.8)}));
}

struct Outdated {
  const char* how;
  WatchEvent event;
  const char* said;
};

class TooOld : public testing::TestWithParam<Outdated> {};

TEST_P(TooOld, MeansANewList) {
  Driven watch;
  watch.watching().on(Changed{"105"});
  EXPECT_THAT(watch.on(GetParam().event), ElementsAre(Log{GetParam().said}, Pause{Seconds(0.8)}));
  EXPECT_THAT(watch.on(Begun{}), ElementsAre(BeginList{}, FetchPage{""}));
  EXPECT_THAT(watch.on(PageCame{"200", ""}), ElementsAre(TakeItems{}, EndList{"200"}, OpenWatch{"200"}));
}

INSTANTIATE_TEST_SUITE_P(
    Versions, TooOld,
    testing::Values(Outdated{"410 as the status", failed(ErrorKind::Gone), "why"},
                    Outdated{"410 as an ERROR event", ErrorCame{410, "too old"},
                             "the watch's version is too old: too old"},
                    Outdated{"another ERROR event", ErrorCame{500, "broken"},
                             "the watch reports an error: broken"},
                    Outdated{"the resource was removed", failed(ErrorKind::NotFound), "why"},
                    Outdated{"the right was taken away", failed(ErrorKind::Forbidden), "why"}),
    [](const auto& info) {
      std::string name = info.param.how;
      std::erase_if(name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); });
      return name;
    });

TEST(Watch, BeginsTheListAnewWhenItsContinueTokenIsTooOld) {
  Driven watch;
  watch.on(Begun{});
  watch.on(PageCame{"100", "a"});
  EXPECT_THAT(watch.on(failed(ErrorKind::Gone)), ElementsAre(Log{"why"}, Pause{Seconds(0.8)}));
  EXPECT_THAT(watch.on(Begun{}), ElementsAre(BeginList{}, FetchPage{""}));
  EXPECT_THAT(watch.on(PageCame{"200", ""}), ElementsAre(TakeItems{}, EndList{"200"}, OpenWatch{"200"}));
}

TEST(Watch, WaitsLongerAndLongerUpToHalfAMinute) {
  Driven watch;
  watch.watching();
  for (const double pause : {0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 30.0, 30.0}) {
    EXPECT_THAT(watch.on(failed(ErrorKind::Transient)), ElementsAre(Log{"why"}, Pause{Seconds(pause)}));
    watch.on(Begun{});
  }
}

TEST(Watch, ForgetsFailuresAfterPeace) {
  Driven watch;
  watch.watching();
  for (int i = 0; i < 6; ++i) {
    watch.on(failed(ErrorKind::Transient));
    watch.on(Begun{});
  }
  watch.pass(121);
  EXPECT_THAT(watch.on(failed(ErrorKind::Transient)), ElementsAre(Log{"why"}, Pause{Seconds(0.8)}));
}

TEST(Watch, SpreadsItsPausesByChance) {
  const auto pauseFor = [](double chance) {
    const auto effects = step(WatchState{}, failed(ErrorKind::Transient), {Seconds(0), chance}).second;
    return std::get<Pause>(effects.back()).duration.count();
  };
  EXPECT_NEAR(pauseFor(0), 0.6, 1e-9);
  EXPECT_NEAR(pauseFor(1), 1.0, 1e-9);
}

}  // namespace
}  // namespace slaq::kube::watch
