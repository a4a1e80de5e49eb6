// What TensorBoard's writers and MLflow's store leave in a directory.
#include "report/logs/log_directory.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <protozero/pbf_writer.hpp>
#include <tuple>

#include "local/support.h"
#include "report/logs/event_records.h"

namespace slaq::report {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Scalar = std::tuple<std::string, double, double>;

std::string recordOf(const std::string& event) {
  const std::uint64_t length = event.size();
  std::string record(sizeof length, 0);
  std::memcpy(record.data(), &length, sizeof length);
  return record + "crc1" + event + "crc2";
}

// As tf.summary and Keras write it, or as PyTorch does.
std::string scalarEvent(const std::string& tag, int step, float value, bool asTensor = false) {
  std::string tensor, inValue, summary, event;
  if (asTensor)
    protozero::pbf_writer(tensor).add_bytes(4, reinterpret_cast<const char*>(&value), sizeof value);
  protozero::pbf_writer values(inValue);
  values.add_string(1, tag);
  if (asTensor) values.add_message(8, tensor);
  if (!asTensor) values.add_float(2, value);
  protozero::pbf_writer(summary).add_message(1, inValue);
  protozero::pbf_writer writer(event);
  writer.add_double(1, 1.7e9);
  writer.add_int64(2, step);
  writer.add_message(5, summary);
  return recordOf(event);
}

TEST(EventRecords, AreReadHoweverTheyCome) {
  const std::string bytes = recordOf("brain.Event:2") + scalarEvent("loss/train", 1, 0.5f) +
                            scalarEvent("epoch_loss", 2, 0.25f, true) + "rest";
  std::vector<Scalar> found;
  EventRecords records;
  for (const char c : bytes) {
    records.add({&c, 1}, [&](std::string_view tag, double step, double value) {
      found.emplace_back(tag, step, value);
    });
  }
  EXPECT_THAT(found, ElementsAre(Scalar("loss/train", 1, 0.5), Scalar("epoch_loss", 2, 0.25)));
}

TEST(EventRecords, StopWhereALengthCannotBe) {
  EventRecords records;
  const auto none = [](std::string_view, double, double) { FAIL(); };
  records.add(std::string(64, '\xff'), none);
  records.add(scalarEvent("loss", 1, 0.5f), none);
}

class LogDirectoryTest : public ::testing::Test {
 protected:
  void write(const std::string& file, const std::string& text) {
    std::filesystem::create_directories((directory_ / file).parent_path());
    std::ofstream(directory_ / file, std::ios::app | std::ios::binary) << text;
  }
  static std::vector<Scalar> read(LogDirectory& logs) {
    std::vector<Scalar> found;
    logs.read(
        [&](std::string_view name, double step, double value) { found.emplace_back(name, step, value); });
    return found;
  }

  local::TemporaryDirectory directory_;
};

TEST_F(LogDirectoryTest, HasTheEventFilesOfThisRun) {
  write("former/events.out.tfevents.1", scalarEvent("loss", 1, 9));
  const auto logs = tensorBoardDirectory(directory_ / "");
  EXPECT_THAT(read(*logs), IsEmpty());
  write("events.out.tfevents.2", scalarEvent("loss", 1, 0.5f));
  write("validation/events.out.tfevents.3", scalarEvent("epoch_loss", 1, 0.75f, true));
  EXPECT_THAT(read(*logs), ElementsAre(Scalar("loss", 1, 0.5), Scalar("validation/epoch_loss", 1, 0.75)));
  write("events.out.tfevents.2", scalarEvent("loss", 2, 0.25f));
  EXPECT_THAT(read(*logs), ElementsAre(Scalar("loss", 2, 0.25)));
}

TEST_F(LogDirectoryTest, HasTheMetricsOfMlflowsStore) {
  write("0/former/metrics/loss", "1700000000000 9 1\n");
  const auto logs = mlflowDirectory(directory_ / "");
  write("0/run/params/lr", "0.1");
  write("0/run/metrics/val_loss", "1700000000000 0.5 1\n1700000000001 0.2");
  EXPECT_THAT(read(*logs), ElementsAre(Scalar("val_loss", 1, 0.5)));
  write("0/run/metrics/val_loss", "5 2\n");
  EXPECT_THAT(read(*logs), ElementsAre(Scalar("val_loss", 2, 0.25)));
}

TEST_F(LogDirectoryTest, OfMlflowIsToldToTheProgramUnlessItKnowsAnother) {
  for (const char* variable : {"MLFLOW_ALLOW_FILE_STORE", "MLFLOW_TRACKING_URI"}) ::unsetenv(variable);
  announceMlflow("mlruns");
  EXPECT_STREQ(std::getenv("MLFLOW_ALLOW_FILE_STORE"), "true");
  const std::string announced = std::getenv("MLFLOW_TRACKING_URI");
  EXPECT_EQ(announced, (std::filesystem::current_path() / "mlruns").string());
  announceMlflow("others");
  EXPECT_EQ(std::getenv("MLFLOW_TRACKING_URI"), announced);
}

TEST_F(LogDirectoryTest, MayBeMissing) {
  EXPECT_THAT(read(*tensorBoardDirectory(directory_ / "none")), IsEmpty());
}

}  // namespace
}  // namespace slaq::report
