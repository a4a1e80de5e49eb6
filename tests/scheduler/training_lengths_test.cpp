#include "scheduler/runtime/training_lengths.h"

#include <gtest/gtest.h>

namespace slaq::scheduler {
namespace {

TEST(TrainingLengths, AreKnownByKind) {
  TrainingLengths lengths;
  for (const double length : {90, 100, 110}) lengths.update("resnet", length);
  EXPECT_EQ(lengths.expected("resnet", 0), 100);
  EXPECT_FALSE(lengths.expected("bert", 0));
}

TEST(TrainingLengths, OfThoseThatDidLessSayNothingAnyMore) {
  TrainingLengths lengths;
  for (const double length : {50, 90, 100, 110}) lengths.update("resnet", length);
  EXPECT_EQ(lengths.expected("resnet", 95), 100);
  EXPECT_FALSE(lengths.expected("resnet", 110));
}

TEST(TrainingLengths, OfJobsThatResembleNoneAreNotKept) {
  TrainingLengths lengths;
  lengths.update("", 50);
  EXPECT_FALSE(lengths.expected("", 0));
}

TEST(TrainingLengths, NewOnesTakeThePlaceOfOldOnes) {
  TrainingLengths lengths;
  for (int i = 0; i < 15; ++i) lengths.update("resnet", 1000);
  for (int i = 0; i < 15; ++i) lengths.update("resnet", 10);
  EXPECT_FALSE(lengths.expected("resnet", 10));
}

}  // namespace
}  // namespace slaq::scheduler
