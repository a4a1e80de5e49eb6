#include "cli/manifests/manifest_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace slaq::cli {
namespace {

class ManifestFiles : public testing::Test {
 protected:
  ManifestFiles() {
    std::string name = (std::filesystem::temp_directory_path() / "slaq-test-XXXXXX").string();
    directory_ = ::mkdtemp(name.data());
  }
  ~ManifestFiles() override { std::filesystem::remove_all(directory_); }

  void write(const std::string& name, const std::string& text) { std::ofstream(directory_ / name) << text; }
  std::string path(const std::string& name = "") { return (directory_ / name).string(); }

  std::filesystem::path directory_;
  std::istringstream input_{"from outside"};
};

TEST_F(ManifestFiles, AreOneFile) {
  write("a.json", "text");
  const auto read = manifests::manifestsAt(path("a.json"), input_).value();
  ASSERT_EQ(read.size(), 1u);
  EXPECT_EQ(read[0].name, path("a.json"));
  EXPECT_EQ(read[0].text, "text");
}

TEST_F(ManifestFiles, AreThoseOfADirectoryByName) {
  for (const char* name : {"b.yaml", "a.yml", "c.txt"}) write(name, name);
  std::filesystem::create_directory(directory_ / "deeper");
  write("deeper/d.yaml", "d");
  const auto read = manifests::manifestsAt(path(), input_).value();
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0].text, "a.yml");
  EXPECT_EQ(read[1].text, "b.yaml");
}

TEST_F(ManifestFiles, ComeFromTheStandardInput) {
  const auto read = manifests::manifestsAt("-", input_).value();
  ASSERT_EQ(read.size(), 1u);
  EXPECT_EQ(read[0].name, "stdin");
  EXPECT_EQ(read[0].text, "from outside");
}

TEST_F(ManifestFiles, SayWhatCannotBeRead) {
  EXPECT_EQ(manifests::manifestsAt("/nowhere.yaml", input_).error().message,
            "/nowhere.yaml: can't be read: No such file or directory");
  EXPECT_EQ(manifests::manifestsAt(path(), input_).error().message,
            path() + ": there is no file *.yaml in it; name a manifest, or another directory");
  std::filesystem::create_directory(directory_ / "deeper.yaml");
  EXPECT_EQ(manifests::manifestsAt(path(), input_).error().message,
            path("deeper.yaml") + ": can't be read: it is a directory; name a file");
}

}  // namespace
}  // namespace slaq::cli
