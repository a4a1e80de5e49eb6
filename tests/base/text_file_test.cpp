#include "base/text_file.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

namespace slaq {
namespace {

class TextFile : public testing::Test {
 protected:
  TextFile() {
    std::string name = (std::filesystem::temp_directory_path() / "slaq-test-XXXXXX").string();
    directory_ = ::mkdtemp(name.data());
  }
  ~TextFile() override { std::filesystem::remove_all(directory_); }

  std::filesystem::path directory_;
};

TEST_F(TextFile, IsNamedInOneLine) {
  EXPECT_EQ(readTextFile("/none/a\n\x1b[m").error().message,
            "/none/a\\x0a\\x1b[m: can't be read: No such file or directory");
}

TEST_F(TextFile, IsReadToItsLastByte) {
  const auto file = directory_ / "file";
  for (const std::size_t size : {0u, 1u, 65535u, 65536u, 65537u, 200000u}) {
    std::string text(size, 'x');
    if (size > 0) text.back() = '\0';
    std::ofstream(file, std::ios::binary) << text;
    EXPECT_EQ(readTextFile(file.string()).value(), text);
  }
}

TEST_F(TextFile, ThatIsNoneIsRefusedByName) {
  const auto missing = readTextFile("/nowhere");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, ErrorKind::Invalid);
  EXPECT_EQ(missing.error().message, "/nowhere: can't be read: No such file or directory");
  const auto directory = readTextFile(directory_.string());
  ASSERT_FALSE(directory);
  EXPECT_EQ(directory.error().kind, ErrorKind::Invalid);
  EXPECT_EQ(directory.error().message,
            directory_.string() + ": can't be read: it is a directory; name a file");
}

TEST_F(TextFile, WithoutEndIsRefused) {
  const auto text = readTextFile("/dev/zero");
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().message, "/dev/zero: can't be read: it is larger than 64 MiB");
}

// Nobody writes to the pipe: opening it would wait for ever.
TEST_F(TextFile, OnADiskIsAskedFor) {
  const auto pipe = (directory_ / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const auto& file : {pipe, std::string("/dev/zero")}) {
    const auto text = readRegularTextFile(file);
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error().message,
              file + ": can't be read: it is a pipe, a device or a socket; name a file on a disk");
  }
  const auto link = directory_ / "link";
  std::ofstream(directory_ / "file") << "text";
  std::filesystem::create_symlink("file", link);
  EXPECT_EQ(readRegularTextFile(link.string()).value(), "text");
}

// /proc/self/mem opens, but its beginning can't be read.
TEST_F(TextFile, ThatFailsWhileItIsReadIsRefusedByName) {
  const auto text = readTextFile("/proc/self/mem");
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().message, "/proc/self/mem: can't be read: Input/output error");
}

}  // namespace
}  // namespace slaq
