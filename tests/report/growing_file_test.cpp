#include "report/output/growing_file.h"

#include <gmock/gmock.h>

#include <fstream>

#include "local/support.h"

namespace slaq::report {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(GrowingFile, TellsTheLinesThatCame) {
  local::TemporaryDirectory directory;
  const auto path = directory / "metrics.csv";
  GrowingFile file(path);
  const auto lines = [&] {
    std::vector<std::string> all;
    file.read([&](std::string_view line) { all.emplace_back(line); });
    return all;
  };
  const auto write = [&](const char* text, std::ios::openmode mode) { std::ofstream(path, mode) << text; };
  EXPECT_THAT(lines(), IsEmpty()) << "it is not there yet";
  write("epoch,loss\n1,0", std::ios::trunc);
  EXPECT_THAT(lines(), ElementsAre("epoch,loss"));
  write(".5\n2,0.4\n", std::ios::app);
  EXPECT_THAT(lines(), ElementsAre("1,0.5", "2,0.4"));
  EXPECT_THAT(lines(), IsEmpty());
  write("epoch,loss\n", std::ios::trunc);
  EXPECT_THAT(lines(), ElementsAre("epoch,loss")) << "another training writes it";
}

}  // namespace
}  // namespace slaq::report
