#include "cli/output/output_file.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace slaq::cli {
namespace {

TEST(OutputFile, IsCompleteWhereAllCouldBeWritten) {
  const auto file = (std::filesystem::path(testing::TempDir()) / "output-file-test").string();
  auto out = output::outputFile(file, "--series");
  ASSERT_TRUE(out) << out.error().message;
  *out << "text";
  EXPECT_TRUE(output::finish(*out, file));
  EXPECT_EQ(std::filesystem::file_size(file), 4u);
  std::filesystem::remove(file);
}

// Little is noticed when the file is closed, much while it is written.
TEST(OutputFile, IsIncompleteOnAFullDisk) {
  for (const std::size_t size : {1u, 100'000u}) {
    auto out = output::outputFile("/dev/full", "--series");
    ASSERT_TRUE(out) << out.error().message;
    *out << std::string(size, 'x');
    const auto written = output::finish(*out, "/dev/full");
    ASSERT_FALSE(written) << size;
    EXPECT_EQ(written.error().message.find("/dev/full: is incomplete: "), 0u) << written.error().message;
  }
}

TEST(OutputFile, ThatNobodyWantedIsNeverIncomplete) {
  auto out = output::outputFile("", "--series");
  *out << "text";
  EXPECT_TRUE(output::finish(*out, ""));
}

}  // namespace
}  // namespace slaq::cli
