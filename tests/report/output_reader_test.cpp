// What the libraries that people use write, and what is read of it.
#include "report/output/output_reader.h"

#include <gmock/gmock.h>

#include <sstream>

namespace slaq::report {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<Report> reportsOf(const std::string& text, ReaderOptions options = {}) {
  OutputReader reader(std::move(options));
  std::vector<Report> reports;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (const auto report = reader.read(line)) reports.push_back(*report);
  }
  if (const auto report = reader.settle()) reports.push_back(*report);
  return reports;
}

// The first iteration is known once the second one shows that it was whole, or after a while.
TEST(OutputReader, ReadsScikitLearnsNeuralNetwork) {
  EXPECT_THAT(
      reportsOf(
          "Iteration 1, loss = 0.69314718\nIteration 2, loss = 0.5\nIteration 3, loss = 0.4\n"
          "Training loss did not improve more than tol=0.000100 for 10 consecutive epochs. Stopping.\n"),
      ElementsAre(Report{2, 0.5}, Report{3, 0.4}));
  EXPECT_THAT(reportsOf("Iteration 1, loss = 0.69\n"), ElementsAre(Report{1, 0.69}));
}

TEST(OutputReader, ReadsScikitLearnsGradientBoosting) {
  EXPECT_THAT(reportsOf("      Iter       Train Loss   Remaining Time \n"
                        "         1           1.2613            2.50s\n"
                        "         2           1.1715            1.20m\n"
                        "        10           0.7905            0.00s\n"),
              ElementsAre(Report{2, 1.1715}, Report{10, 0.7905}));
}

TEST(OutputReader, ReadsXgboost) {
  EXPECT_THAT(
      reportsOf("[0]\ttrain-logloss:0.60\teval-logloss:0.61\n[1]\ttrain-logloss:0.52\teval-logloss:0.53\n"
                "[2]\ttrain-logloss:0.45\teval-logloss:0.47\n"),
      ElementsAre(Report{2, 0.53}, Report{3, 0.47}));
}

TEST(OutputReader, ReadsLightgbm) {
  EXPECT_THAT(reportsOf("[LightGBM] [Info] Number of positive: 212, number of negative: 357\n"
                        "[LightGBM] [Info] [binary:BoostFromScore]: pavg=0.372583 -> initscore=-0.521150\n"
                        "[1]\ttraining's binary_logloss: 0.6\tvalid_1's binary_logloss: 0.61\n"
                        "[2]\ttraining's binary_logloss: 0.5\tvalid_1's binary_logloss: 0.52\n"),
              ElementsAre(Report{2, 0.52}));
}

TEST(OutputReader, ReadsCatboost) {
  EXPECT_THAT(
      reportsOf("Learning rate set to 0.03\n"
                "0:\tlearn: 0.6549\ttest: 0.6561\tbest: 0.6561 (0)\ttotal: 53.1ms\tremaining: 5.2s\n"
                "1:\tlearn: 0.6200\ttest: 0.6210\tbest: 0.6210 (1)\ttotal: 60.1ms\tremaining: 5.1s\n"),
      ElementsAre(Report{2, 0.621}));
}

TEST(OutputReader, ReadsKeras) {
  EXPECT_THAT(
      reportsOf("Epoch 1/3\n"
                " 1/32 ━━━━━━━━━━━━━━━━━━━━ 10s 350ms/step - accuracy: 0.4 - loss: 0.9\n"
                "32/32 ━━━━━━━━━━━━━━━━━━━━ 1s 2ms/step - accuracy: 0.5 - loss: 0.69 - val_accuracy: 0.6 - "
                "val_loss: 0.68\n"
                "Epoch 2/3\n"
                "32/32 ━━━━━━━━━━━━━━━━━━━━ 1s 2ms/step - accuracy: 0.6 - loss: 0.6 - val_accuracy: 0.7 - "
                "val_loss: 0.61\n"
                "Epoch 2: val_loss improved from 0.68000 to 0.61000, saving model to best.keras\n"
                "Epoch 3/3\n"
                "32/32 - 1s - 2ms/step - accuracy: 0.6 - loss: 0.5 - val_accuracy: 0.7 - val_loss: 0.55\n"),
      ElementsAre(Report{2, 0.61}, Report{3, 0.55}));
}

// The bar of an epoch is whole before its validation has begun, which may take long.
TEST(OutputReader, WaitsForTheValidationOfAnEpoch) {
  OutputReader reader({});
  const auto read = [&](const std::string& line) { return reader.read(line); };
  read("Epoch 1/3");
  EXPECT_EQ(read("32/32 ━━━━ 1s 2ms/step - loss: 0.69"), std::nullopt);
  EXPECT_EQ(reader.guess(), (Report{1, 0.69}));
  EXPECT_EQ(read("32/32 ━━━━ 9s 2ms/step - loss: 0.69 - val_loss: 0.68"), std::nullopt);
  EXPECT_EQ(reader.guess(), (Report{1, 0.68}));
  read("Epoch 2/3");
  EXPECT_EQ(read("32/32 ━━━━ 1s 2ms/step - loss: 0.6"), (Report{1, 0.68}));
  EXPECT_EQ(read("32/32 ━━━━ 1s 2ms/step - loss: 0.6 - val_loss: 0.61"), (Report{2, 0.61}));
  EXPECT_EQ(reader.guess(), std::nullopt);
}

TEST(OutputReader, ReadsHuggingFace) {
  EXPECT_THAT(reportsOf("{'loss': 0.9, 'grad_norm': 1.25, 'learning_rate': 5e-05, 'epoch': 0.5}\n"
                        "{'loss': 0.8, 'grad_norm': 1.2, 'learning_rate': 4e-05, 'epoch': 1.0}\n"
                        "{'eval_loss': 0.85, 'eval_runtime': 1.2, 'epoch': 1.0}\n"
                        "{'loss': 0.7, 'grad_norm': 1.1, 'learning_rate': 3e-05, 'epoch': 1.5}\n"
                        "{'train_runtime': 3.2, 'train_loss': 0.8, 'epoch': 1.5}\n"),
              ElementsAre(Report{2, 0.8}, Report{3, 0.7}))
      << "fractions of epochs count no iterations";
}

TEST(OutputReader, CountsNoSpeedsNorLimits) {
  const std::string speeds = "'eval_samples_per_second': 80.1, 'eval_steps_per_second': 10.4";
  EXPECT_THAT(reportsOf("{'loss': 0.9, 'epoch': 1.0}\n{'eval_loss': 0.85, " + speeds + ", 'epoch': 1.0}\n" +
                        "{'loss': 0.8, 'epoch': 2.0}\n{'eval_loss': 0.75, " + speeds + ", 'epoch': 2.0}\n"),
              ElementsAre(Report{1, 0.85}, Report{2, 0.75}));
  EXPECT_THAT(
      reportsOf(
          "epoch 1 step_time 0.3 max_steps: 1000 loss 0.5\nepoch 2 step_time 0.2 max_steps: 1000 loss 0.4\n"),
      ElementsAre(Report{2, 0.4}));
}

TEST(OutputReader, ReadsLightning) {
  EXPECT_THAT(reportsOf("Epoch 0:  50%|█████     | 16/32 [00:01<00:01, 30.0it/s, v_num=0, train_loss=0.9]\n"
                        "Epoch 0: 100%|██████████| 32/32 [00:01<00:00, 30.0it/s, v_num=0, train_loss=0.5]\n"
                        "Epoch 1: 100%|██████████| 32/32 [00:01<00:00, 30.0it/s, v_num=0, train_loss=0.4]\n"),
              ElementsAre(Report{2, 0.4}));
}

TEST(OutputReader, CountsOnWhereABarOrABatchBeginsAnewWithoutAnEpoch) {
  EXPECT_THAT(reportsOf(" 50%|█████     | 1/2 [00:01<00:01, 1.0it/s, loss=0.9]\n"
                        "100%|██████████| 2/2 [00:02<00:00, 1.0it/s, loss=0.8]\n"
                        "100%|██████████| 2/2 [00:02<00:00, 1.0it/s, loss=0.8]\n"
                        " 50%|█████     | 1/2 [00:01<00:01, 1.0it/s, loss=0.7]\n"),
              ElementsAre(Report{2, 0.8}, Report{2, 0.8}, Report{3, 0.7}));
  EXPECT_THAT(reportsOf("  9%|▉| 9/99 [loss=0.9]\n 10%|█| 10/99 [loss=0.8]\n  9%|▉| 9/99 [loss=0.8]\n"),
              ElementsAre(Report{10, 0.8}, Report{9, 0.8}))
      << "of two programs";
  EXPECT_THAT(reportsOf(" 50%|█| 1/2 [loss=0.9]\n100%|█| 2/2 [loss=0.8]\nEpoch 0: val_loss 0.85\n"
                        " 50%|█| 1/2 [loss=0.7]\n100%|█| 2/2 [loss=0.6]\n"),
              ElementsAre(Report{2, 0.8}, Report{3, 0.7}, Report{4, 0.6}))
      << "with the validation between bars";
  EXPECT_THAT(reportsOf("0/9 [==>] loss=0.9\n0/9 [==>] loss=0.9\n4/9 [==>] loss=0.8\n"),
              ElementsAre(Report{5, 0.8}))
      << "drawn twice";
  EXPECT_THAT(reportsOf("batch 0 loss 0.9\nbatch 100 loss 0.8\nbatch 0 loss 0.7\n"),
              ElementsAre(Report{101, 0.8}, Report{102, 0.7}));
}

TEST(OutputReader, NamesWhatCouldBeMeantWhereAMetricIsNotThere) {
  OutputReader reader({.metric = "val_los"});
  for (const char* line : {"epoch 1 loss 0.5 val_loss 0.6 lr 0.1", "epoch 2 loss 0.4 val_loss 0.5 lr 0.1"})
    EXPECT_EQ(reader.read(line), std::nullopt);
  EXPECT_EQ(reader.otherNames(), "loss, val_loss");
  EXPECT_EQ(OutputReader({}).otherNames(), "");
}

TEST(OutputReader, ReadsPercentages) {
  EXPECT_THAT(reportsOf("epoch 1 acc: 51.2%\nepoch 2 acc: 60%\n"), ElementsAre(Report{2, -60}));
  EXPECT_THAT(reportsOf("Iteration: 45% 12/32 [loss=0.5]\nIteration: 50% 13/32 [loss=0.4]\n"),
              ElementsAre(Report{2, 0.4}))
      << "which count no iterations";
}

TEST(OutputReader, ReadsFastai) {
  EXPECT_THAT(reportsOf("epoch     train_loss  valid_loss  accuracy  time    \n"
                        "0         0.534       0.456       0.81      00:03     \n"
                        "1         0.434       0.356       0.85      00:03     \n"
                        "2         0.334       0.256       0.88      00:03     \n"),
              ElementsAre(Report{2, 0.356}, Report{3, 0.256}));
}

TEST(OutputReader, ReadsWhatPeoplePrint) {
  EXPECT_THAT(reportsOf("epoch 1 loss 0.5\nepoch 2 loss 0.4\n"), ElementsAre(Report{2, 0.4}));
  EXPECT_THAT(reportsOf("loss: 0.5\nloss: 0.4\nloss: 0.3\n"), ElementsAre(Report{2, 0.4}, Report{3, 0.3}))
      << "counted";
  EXPECT_THAT(reportsOf("INFO:root:step=10 loss=0.5\nINFO:root:step=20 loss=0.4\n"),
              ElementsAre(Report{20, 0.4}));
  EXPECT_THAT(reportsOf("2024-01-02 12:30:01,250 INFO train | iter 5 | loss 0.5\n"
                        "2024-01-02 12:30:02,250 INFO train | iter 6 | loss 0.4\n"),
              ElementsAre(Report{6, 0.4}));
  EXPECT_THAT(reportsOf("Train loss: 0.5\nTest loss: 0.6\nTrain loss: 0.4\nTest loss: 0.55\n"),
              ElementsAre(Report{1, 0.6}, Report{2, 0.55}));
  EXPECT_THAT(reportsOf(R"({"step": 1, "loss": 0.5})"
                        "\n"
                        R"({"step": 2, "loss": 0.25})"
                        "\n"),
              ElementsAre(Report{2, 0.25}));
  EXPECT_THAT(reportsOf("epoch,loss,val_loss\n1,0.5,0.6\n2,0.4,0.5\n"), ElementsAre(Report{2, 0.5}));
}

TEST(OutputReader, CountsStepsThatBeginAnewInEachEpoch) {
  EXPECT_THAT(reportsOf("Epoch [1/2], Step [100/200], Loss: 0.9\nEpoch [1/2], Step [200/200], Loss: 0.8\n"
                        "Epoch [2/2], Step [100/200], Loss: 0.7\nEpoch [2/2], Step [200/200], Loss: 0.6\n"),
              ElementsAre(Report{200, 0.8}, Report{300, 0.7}, Report{400, 0.6}));
  EXPECT_THAT(
      reportsOf("Train Epoch: 1 [640/60000 (1%)]\tLoss: 2.3\nTrain Epoch: 1 [59520/60000 (99%)]\tLoss: 1\n"
                "Train Epoch: 2 [640/60000 (1%)]\tLoss: 0.5\n"),
      ElementsAre(Report{59520, 1}, Report{60160, 0.5}));
}

// PyTorch's example of MNIST, and that of ImageNet: an evaluation has numbers and names of its own.
TEST(OutputReader, LeavesEvaluationsBetweenEpochsAside) {
  EXPECT_THAT(
      reportsOf("Train Epoch: 1 [0/60000 (0%)]\tLoss: 2.3\nTrain Epoch: 1 [48000/60000 (80%)]\tLoss: 1\n\n"
                "Test set: Average loss: 0.05, Accuracy: 9830/10000 (98%)\n\n"
                "Train Epoch: 2 [0/60000 (0%)]\tLoss: 0.9\nTrain Epoch: 2 [16000/60000 (27%)]\tLoss: 0.5\n"),
      ElementsAre(Report{48001, 1}, Report{48001, 0.9}, Report{64001, 0.5}));
  EXPECT_THAT(reportsOf("Epoch: [0][  1/100]\tTime 0.5 (0.5)\tLoss 6.9e+00 (6.9e+00)\tAcc@1 0.1\n"
                        "Epoch: [0][ 51/100]\tTime 0.5 (0.5)\tLoss 6.5e+00 (6.7e+00)\tAcc@1 0.2\n"
                        "Test: [ 1/391]\tTime 1.2 (1.2)\tLoss 9.0e+00 (9.0e+00)\tAcc@1 0.5\n"
                        "Epoch: [1][  1/100]\tTime 0.5 (0.5)\tLoss 6.0e+00 (6.0e+00)\tAcc@1 0.3\n"),
              ElementsAre(Report{51, 6.5}, Report{52, 6.0}));
}

// What is printed once is no measure of a training.
TEST(OutputReader, TakesNothingThatIsPrintedOnce) {
  for (const char* once :
       {"Train: 60000, Test: 10000", "Initial val loss: 2.30", "Resuming from checkpoint, best val_loss 0.32",
        "data loading cost 5.2", "failed call to cuInit: UNKNOWN ERROR (303)"}) {
    EXPECT_THAT(reportsOf(std::string(once) + "\nepoch 1 loss 0.5\nepoch 2 loss 0.4\n"),
                ElementsAre(Report{2, 0.4}))
        << once;
    EXPECT_THAT(reportsOf(std::string(once) + "\nloss 0.5\nloss 0.4\n"), ElementsAre(Report{2, 0.4})) << once;
  }
}

TEST(OutputReader, ReadsBothPhasesOfAnEpoch) {
  EXPECT_THAT(reportsOf("Epoch 0/2\n----------\ntrain Loss: 0.9 Acc: 0.5\nval Loss: 0.8 Acc: 0.6\n"
                        "Epoch 1/2\n----------\ntrain Loss: 0.7 Acc: 0.7\nval Loss: 0.6 Acc: 0.8\n"),
              ElementsAre(Report{1, 0.8}, Report{2, 0.6}));
}

TEST(OutputReader, ReadsTablesWithEmptyCellsAndWords) {
  EXPECT_THAT(reportsOf("epoch,step,train_loss,val_loss\n0,49,0.9,\n0,49,,0.95\n1,99,0.5,\n1,99,,0.55\n"),
              ElementsAre(Report{49, 0.95}, Report{99, 0.55}));
  EXPECT_THAT(
      reportsOf("time,epoch,loss,file\n12:00:01,1,0.5,a.pt\n12:00:02,2,NA,b.pt\n12:00:03,3,0.4,c.pt\n"),
      ElementsAre(Report{3, 0.4}));
}

TEST(OutputReader, TakesWordsForAHeaderOnceARowFits) {
  EXPECT_THAT(
      reportsOf(
          "epoch,train_loss,valid_loss\n1,0.9,0.8\nEarly stopping, it monitors valid_loss\n2,0.7,0.6\n"),
      ElementsAre(Report{2, 0.6}));
  EXPECT_THAT(reportsOf("epoch,loss\n1,0.9\n2,0.8\nepoch,loss,val_loss\n3,0.7,0.6\n"),
              ElementsAre(Report{2, 0.8}, Report{3, 0.7}));
}

TEST(OutputReader, ReadsNumbersInTheirTypes) {
  EXPECT_THAT(
      reportsOf(
          "step 1 loss tensor(0.5, grad_fn=<MseLossBackward0>)\nstep 2 loss tensor(0.4, grad_fn=<X>)\n"),
      ElementsAre(Report{2, 0.4}));
  EXPECT_THAT(reportsOf("Cost after iteration 100: 0.6\nCost after iteration 200: 0.5\n"),
              ElementsAre(Report{200, 0.5}));
}

TEST(OutputReader, BeginsAnewWithASecondTraining) {
  EXPECT_THAT(reportsOf("Iteration 1, loss = 0.5\nIteration 2, loss = 0.4\nIteration 1, loss = 0.6\n"),
              ElementsAre(Report{2, 0.4}, Report{1, 0.6}));
}

TEST(OutputReader, ListensToTheFirstOfParallelPrograms) {
  EXPECT_THAT(reportsOf("[rank0]: step 1 loss 0.5\n[rank1]: step 1 loss 9\n[rank1]: step 2 loss 9\n"
                        "[rank0]: step 2 loss 0.4\n"),
              ElementsAre(Report{2, 0.4}));
}

TEST(OutputReader, NegatesWhatIsToRise) {
  EXPECT_THAT(reportsOf("episode 1: reward 10\nepisode 2: reward 12\n"), ElementsAre(Report{2, -12}));
  EXPECT_THAT(reportsOf("step 1 margin: 0.5\nstep 2 margin: 0.6\n", {.metric = "margin", .maximizes = true}),
              ElementsAre(Report{1, -0.5}, Report{2, -0.6}));
}

TEST(OutputReader, TakesTheMetricThatIsNamed) {
  const std::string text =
      "[1]\ttrain-logloss:0.6\teval-logloss:0.7\n[2]\ttrain-logloss:0.5\teval-logloss:0.65\n";
  EXPECT_THAT(reportsOf(text, {.metric = "train-logloss"}), ElementsAre(Report{1, 0.6}, Report{2, 0.5}));
  EXPECT_THAT(reportsOf(text, {.metric = "auc"}), IsEmpty());
}

TEST(OutputReader, TakesScalarsThatAreLogged) {
  OutputReader reader({});
  std::vector<Report> reports;
  for (int step = 0; step < 3; ++step) {
    for (const auto& [name, value] : {std::pair("train/epoch_loss", 0.5), {"validation/epoch_loss", 0.75}}) {
      if (const auto report = reader.readScalar(name, step, value - 0.1 * step)) reports.push_back(*report);
    }
  }
  EXPECT_THAT(reports, ElementsAre(Report{1, 0.75}, Report{2, 0.65}, Report{3, 0.55}));
}

// mlflow.log_metric(name, value) and add_scalar(tag, value) write the step 0 each time.
TEST(OutputReader, CountsScalarsThatAreLoggedWithoutSteps) {
  OutputReader reader({});
  std::vector<Report> reports;
  for (int round = 0; round < 3; ++round) {
    for (const auto& [name, value] : {std::pair("train_loss", 0.5), {"val_loss", 0.75}}) {
      if (const auto report = reader.readScalar(name, 0, value - 0.1 * round)) reports.push_back(*report);
    }
  }
  EXPECT_THAT(reports, ElementsAre(Report{1, 0.75}, Report{2, 0.65}, Report{3, 0.55}));
  EXPECT_EQ(reader.readScalar("val_loss", 1, 0.4), (Report{4, 0.4})) << "never less than before";
}

TEST(OutputReader, SaysWhichItTook) {
  OutputReader reader({});
  reader.read("epoch 1 loss 0.5 val_loss 0.6 accuracy 0.7");
  EXPECT_EQ(reader.takeNotice(), std::nullopt);
  reader.read("epoch 2 loss 0.4 val_loss 0.5 accuracy 0.8");
  const auto notice = reader.takeNotice().value();
  EXPECT_THAT(notice, HasSubstr("'val_loss' is reported as the loss"));
  EXPECT_THAT(notice, HasSubstr("loss, accuracy"));
  EXPECT_EQ(reader.takeNotice(), std::nullopt);
}

TEST(OutputReader, FindsNoLossWhereNoneIs) {
  EXPECT_THAT(
      reportsOf("loading data from s3://bucket/part-0\nloss function: cross entropy\nloss scale: 65536\n"
                "loss scale: 32768\n4 files, 3 errors\nuses 10 epochs\n"),
      IsEmpty());
}

}  // namespace
}  // namespace slaq::report
