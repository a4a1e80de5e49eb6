#include "report/logs/file_tail.h"

#include <gmock/gmock.h>

#include <fstream>

#include "local/support.h"

namespace slaq::report {
namespace {

TEST(FileTail, HandsOnWhatCame) {
  local::TemporaryDirectory directory;
  const auto path = directory / "metrics.csv";
  FileTail file(path);
  const auto news = [&] {
    std::string all;
    file.read([&](std::string_view bytes) { all += bytes; });
    return all;
  };
  const auto write = [&](const char* text, std::ios::openmode mode) { std::ofstream(path, mode) << text; };
  EXPECT_EQ(news(), "") << "it is not there yet";
  write("epoch,loss\n1,0", std::ios::trunc);
  EXPECT_EQ(news(), "epoch,loss\n1,0");
  write(".5\n", std::ios::app);
  EXPECT_EQ(news(), ".5\n");
  EXPECT_EQ(news(), "");
  write("epoch\n", std::ios::trunc);
  EXPECT_EQ(news(), "epoch\n") << "another training writes it";
}

// A table that gets another column is written as a whole again, into the same file.
TEST(FileTail, GoesOnWithATableThatIsWrittenAgain) {
  local::TemporaryDirectory directory;
  const auto path = directory / "metrics.csv";
  FileTail file(path);
  std::string news;
  const auto take = [&](std::string_view bytes) { news += bytes; };
  std::ofstream(path) << "epo";
  file.read(take);
  std::ofstream(path, std::ios::app) << "ch,loss\n1,0.5\n";
  file.read(take);
  EXPECT_EQ(std::exchange(news, ""), "epoch,loss\n1,0.5\n");
  std::ofstream(path) << "epoch,loss,val_loss\n1,0.5,\n1,,0.6\n";
  file.read(take);
  EXPECT_EQ(std::exchange(news, ""), "epoch,loss,val_loss\n1,,0.6\n")
      << "without the row that was read before";
  std::ofstream(path, std::ios::app) << "2,0.4,\n";
  file.read(take);
  EXPECT_EQ(news, "2,0.4,\n");
}

TEST(FileTail, LeavesOutWhatAnEarlierProgramWroteButItsHeader) {
  local::TemporaryDirectory directory;
  const auto path = directory / "metrics.csv";
  std::ofstream(path) << "epoch,loss\n1,9\n";
  FileTail file(path);
  std::string news;
  const auto take = [&](std::string_view bytes) { news += bytes; };
  file.read(take);
  EXPECT_EQ(news, "");
  std::ofstream(path, std::ios::app) << "1,0.5\n";
  file.read(take);
  EXPECT_EQ(news, "epoch,loss\n1,0.5\n");
}

}  // namespace
}  // namespace slaq::report
