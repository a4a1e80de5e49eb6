#include "cli/output/output_file.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "cli/output/page_file.h"

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

TEST(PageFile, LeavesTheEarlierPageUntilThereIsANewOne) {
  const auto file = (std::filesystem::path(testing::TempDir()) / "page-file-test.html").string();
  std::filesystem::remove(file);
  const auto page = output::PageFile::at(file);
  ASSERT_TRUE(page) << page.error().message;
  EXPECT_FALSE(std::filesystem::exists(file));
  ASSERT_TRUE(page->write(R"({"title":"one"})"));
  const auto size = std::filesystem::file_size(file);
  EXPECT_GT(size, 1000u);
  ASSERT_TRUE(output::PageFile::at(file));
  EXPECT_EQ(std::filesystem::file_size(file), size);
  ASSERT_TRUE(page->write("{}"));
  EXPECT_LT(std::filesystem::file_size(file), size);
  std::filesystem::remove(file);
}

TEST(PageFile, SaysAtOnceThatItCannotBeWritten) {
  const auto page = output::PageFile::at("/does/not/exist/page.html");
  ASSERT_FALSE(page);
  EXPECT_EQ(page.error().kind, ErrorKind::Invalid);
  EXPECT_NE(page.error().message.find("give --report another file"), std::string::npos);
  EXPECT_FALSE(output::PageFile::at("")->isWanted());
}

}  // namespace
}  // namespace slaq::cli
