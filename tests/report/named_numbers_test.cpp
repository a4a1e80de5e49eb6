#include "report/output/named_numbers.h"

#include <gmock/gmock.h>

#include <cmath>

#include "metrics/metric_name.h"

namespace slaq::report {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

NamedNumber number(std::string name, double value, std::optional<double> of = {}) {
  return {std::move(name), value, of};
}

TEST(NamedNumbers, HaveTheWordsBeforeThem) {
  EXPECT_THAT(numbersIn("Iteration 1, loss = 0.69314718"),
              ElementsAre(number("iteration", 1), number("loss", 0.69314718)));
  EXPECT_THAT(numbersIn("step 100 Train Loss 1e-3"),
              ElementsAre(number("step", 100), number("train loss", 1e-3)));
  EXPECT_THAT(numbersIn("{'loss': 0.43, 'learning_rate': 5e-05, 'epoch': 1.0}"),
              ElementsAre(number("loss", 0.43), number("learning_rate", 5e-5), number("epoch", 1)));
  EXPECT_THAT(numbersIn(R"({"loss": "0.43", "step": 10})"),
              ElementsAre(number("loss", 0.43), number("step", 10)));
  EXPECT_THAT(
      numbersIn("[12]\ttrain-logloss:0.41\teval-logloss:-.42"),
      ElementsAre(number(metrics::kIndex, 12), number("train-logloss", 0.41), number("eval-logloss", -0.42)));
  EXPECT_THAT(numbersIn("[1]\tvalid_1's binary_logloss: 0.61"),
              ElementsAre(number(metrics::kIndex, 1), number("valid_1's binary_logloss", 0.61)));
  EXPECT_THAT(
      numbersIn("0:\tlearn: 0.6549\tbest: 0.65 (3)"),
      ElementsAre(number(metrics::kIndex, 0), number("learn", 0.6549), number("best", 0.65), number("", 3)));
}

TEST(NamedNumbers, MayBeParts) {
  EXPECT_THAT(numbersIn("Epoch [1/10], Step [100/600], Loss: 0.2"),
              ElementsAre(number("epoch", 1, 10), number("step", 100, 600), number("loss", 0.2)));
  EXPECT_THAT(numbersIn("Train Epoch: 1 [640/60000 (1%)]\tLoss: 2.3"),
              ElementsAre(number("train epoch", 1), number("", 640, 60000), number("loss", 2.3)));
}

TEST(NamedNumbers, MayHaveTheirDigitsInGroups) {
  EXPECT_THAT(
      numbersIn("step 1,250/12,500 loss: 1,234.5, lr 1,2"),
      ElementsAre(number("step", 1250, 12500), number("loss", 1234.5), number("lr", 1), number("", 2)));
  EXPECT_THAT(numbersIn("step=999,loss=0.5"), ElementsAre(number("step", 999), number("loss", 0.5)));
  EXPECT_THAT(numbersIn("12:30:41,250 step 1,2345"),
              ElementsAre(number("", 41), number("", 250), number("step", 1), number("", 2345)));
}

TEST(NamedNumbers, AreNoPartsOfWordsNorHaveUnits) {
  EXPECT_THAT(numbersIn("resnet18 took 53ms, 2.50s, 12it/s, 80% of cuda:0x1F on w-0"), IsEmpty());
  EXPECT_THAT(numbersIn("2024-01-02 12:30:01,250 INFO loss 0.5"),
              ElementsAre(number("", 2024), number("", 1), number("", 250), number("info loss", 0.5)));
}

TEST(NamedNumbers, MayBeNone) {
  const auto found = numbersIn("loss: nan, other=-inf");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_TRUE(std::isnan(found[0].value));
  EXPECT_EQ(found[1].value, -HUGE_VAL);
  EXPECT_THAT(numbersIn("information about nanotubes"), IsEmpty());
  EXPECT_THAT(numbersIn("- + . -- e5 1e 1e+"), IsEmpty());
}

TEST(Columns, AreCutWhereThereIsMoreThanASpace) {
  EXPECT_THAT(columnsOf("      Iter       Train Loss   Remaining Time "),
              ElementsAre("Iter", "Train Loss", "Remaining Time"));
  EXPECT_THAT(columnsOf("epoch,loss,\"val_loss\""), ElementsAre("epoch", "loss", "val_loss"))
      << "quotes are left out";
  EXPECT_THAT(columnsOf("epoch loss"), ElementsAre("epoch", "loss"));
  EXPECT_THAT(columnsOf(""), IsEmpty());
}

TEST(Bars, AreThoseOfKerasAndTqdm) {
  EXPECT_TRUE(hasBar("32/32 ━━━━━━━━━━ 0s 2ms/step - loss: 0.69"));
  EXPECT_TRUE(hasBar("Epoch 1:  50%|█████     | 16/32 [00:01<00:01, loss=0.5]"));
  EXPECT_TRUE(hasBar("10/10 [==============================] - 0s - loss: 0.69"));
  EXPECT_FALSE(hasBar("Train Epoch: 1 [640/60000 (1%)]\tLoss: 2.3"));
}

}  // namespace
}  // namespace slaq::report
