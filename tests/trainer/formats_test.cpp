// Files of data: what is read, and what is said about files that are wrong.
#include "trainer/data/formats/formats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "trainer/data/formats/lines.h"
#include "trainer/process.h"

namespace slaq::trainer {
namespace {

using testing::HasSubstr;

class FormatTest : public testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& content) const {
    std::ofstream(folder_.path(name), std::ios::binary) << content;
    return folder_.path(name);
  }

  Result<data::formats::Table> read(const std::string& format, const std::string& content,
                                    const std::string& target = "last", std::int64_t width = 0) const {
    problem::Settings settings;
    settings.set("target", target);
    return data::formats::findFormat(format)->read({file("data", content), ""}, settings, width);
  }

  Result<data::formats::Table> readIdx(const std::string& images, const std::string& labels) const {
    return data::formats::findFormat("idx")->read({file("images", images), file("labels", labels)}, {}, 0);
  }

  TemporaryFolder folder_;
};

std::string bytes(std::initializer_list<int> values) {
  std::string text;
  for (const int value : values) text += static_cast<char>(value);
  return text;
}

// Two images of 1 x 3.
std::string images() { return bytes({0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 3, 0, 255, 51, 1, 2, 3}); }
std::string labels() { return bytes({0, 0, 8, 1, 0, 0, 0, 2, 7, 9}); }

TEST_F(FormatTest, CsvHasItsTargetInTheColumnThatIsNamed) {
  const std::string content = "a,b,\"c\"\n1, 2,3\r\n\n4,5.5,-6e1\n";
  const data::formats::Table last = read("csv", content).value();
  EXPECT_EQ(last.features, (data::Matrix{{1, 2}, {4, 5.5}}));
  EXPECT_EQ(last.targets, (data::Floats{{3, -60}}));
  EXPECT_EQ(read("csv", content, "first")->targets, (data::Floats{{1, 4}}));
  EXPECT_EQ(read("csv", content, "b")->features, (data::Matrix{{1, 3}, {4, -60}}));
  EXPECT_EQ(read("csv", content, "c")->targets, last.targets);
  EXPECT_EQ(read("csv", content, "none")->targets.size(), 0);
  EXPECT_EQ(read("csv", content, "none")->features.cols(), 3);
}

TEST_F(FormatTest, CsvNeedsNoNames) {
  EXPECT_EQ(read("csv", "1,2\n3,4")->features, (data::Matrix{{1}, {3}}));
}

TEST_F(FormatTest, LibsvmFillsInZeros) {
  const data::formats::Table table = read("libsvm", "+1 2:0.5 4:-2 # a comment\n# nothing\n-1\n").value();
  EXPECT_EQ(table.features, (data::Matrix{{0, 0.5, 0, -2}, {0, 0, 0, 0}}));
  EXPECT_EQ(table.targets, (data::Floats{{1, -1}}));
  EXPECT_EQ(read("libsvm", "1 1:1\n", "", 3)->features.cols(), 3) << "as many as there should be";
}

TEST_F(FormatTest, LdaCHasBagsOfWords) {
  const data::formats::Table table = read("lda-c", "2 0:3 4:1\n0\n1 2:7\n").value();
  EXPECT_EQ(table.documents, (data::Documents{{0, 2, 2, 3}, {0, 4, 2}, {3, 1, 7}}));
  EXPECT_EQ(table.words, 5);
  EXPECT_EQ(read("lda-c", "1 2:7\n", "", 9)->words, 9);
}

TEST_F(FormatTest, IdxHasGreyValuesAndLabels) {
  const data::formats::Table table = readIdx(images(), labels()).value();
  EXPECT_EQ(table.features.rows(), 2);
  EXPECT_EQ(table.features(0, 1), 1);
  EXPECT_FLOAT_EQ(table.features(0, 2), 0.2f);
  EXPECT_EQ(table.targets, (data::Floats{{7, 9}}));
}

struct RefusedFile {
  std::string format;
  std::string content;
  std::string says;
  std::string target = "last";
  std::int64_t width = 0;
};

TEST_F(FormatTest, WrongFilesAreRefusedWithLineAndReason) {
  for (const RefusedFile& refusal : std::vector<RefusedFile>{
           {"csv", "", "data has no rows"},
           {"csv", "a,b\n", "data has no rows"},
           {"csv", "1,2\n3\n", "data:2: there are 1 values, not 2 as in the first line"},
           {"csv", "a,b\n1,2\n\n1,2,3\n", "data:4: there are 3 values"},
           {"csv", "1,2\n3,x\n", "data:2: \"x\" is not a number"},
           {"csv", "1,2\n3,\n", "data:2: a value is missing"},
           {"csv", "1,2\nnan,4\n", "data:2: \"nan\" is not finite"},
           {"csv", "1,2\n3,inf\n", "data:2: \"inf\" is not finite"},
           {"csv", "1,2\n3,1e99\n", "data:2: \"1e99\" is not finite"},
           {"csv", "1\n2\n", "data:1: there is one column only"},
           {"csv", "a,b\n1,2\n", "data:1: no column is named \"c\", the --target", "c"},
           {"libsvm", "# only\n", "data has no rows"},
           {"libsvm", "1\n2\n", "data has no row with a feature"},
           {"libsvm", "1 1:2\nx 1:2\n", "data:2: the target \"x\" is not a number"},
           {"libsvm", "1 1:2\n1 3:1 2:1\n", "data:2: index 2 comes after 3; indexes must ascend"},
           {"libsvm", "1 2:1 2:1\n", "index 2 comes after 2"},
           {"libsvm", "1 0:1\n", "data:1: index 0: indexes count from 1"},
           {"libsvm", "1 1:\n", "a value is missing"},
           {"libsvm", "1 x:1\n", "\"x:1\" is not INDEX:VALUE"},
           {"libsvm", "1 7\n", "\"7\" is not INDEX:VALUE"},
           {"libsvm", "1 1:nan\n", "\"nan\" is not finite"},
           {"libsvm", "1 5:1\n", "index 5 is beyond the --features 4", "", 4},
           {"libsvm", "1 999999999999:1\n", "take more than 8 GB"},
           {"lda-c", "", "data has no documents"},
           {"lda-c", "0\n", "data has no document with a word"},
           {"lda-c", "2 1:1\n", "data:1: \"2\" is not the number of the words that follow, 1"},
           {"lda-c", "1 1:1\n1 -1:1\n", "data:2: word -1: words count from 0"},
           {"lda-c", "1 10:1\n", "word 10 is beyond the vocabulary of --features 10", "", 10},
           {"lda-c", "2 3:1 3:1\n", "word 3 comes twice"},
           {"lda-c", "1 3:0\n", "word 3 must be counted by a whole number from 1"},
           {"lda-c", "1 3:1.5\n", "word 3 must be counted by a whole number"},
           {"lda-c", "1 99999999999:1\n", "is beyond the vocabulary"},
       }) {
    const auto table = read(refusal.format, refusal.content, refusal.target, refusal.width);
    ASSERT_FALSE(table) << refusal.says;
    EXPECT_THAT(table.error().message, HasSubstr(refusal.says));
  }
}

TEST_F(FormatTest, WrongImagesAreRefused) {
  const auto refusal = [&](const std::string& images, const std::string& labels) {
    const auto table = readIdx(images, labels);
    return table ? "" : table.error().message;
  };
  EXPECT_THAT(refusal("", labels()), HasSubstr("images: is not an IDX file of bytes with 3 dimensions"));
  EXPECT_THAT(refusal(labels(), labels()), HasSubstr("3 dimensions, which images have"));
  EXPECT_THAT(refusal(images(), images()), HasSubstr("labels: is not an IDX file of bytes with 1 dimension"));
  for (std::size_t size = 16; size < images().size(); ++size) {
    EXPECT_THAT(refusal(images().substr(0, size), labels()), HasSubstr("bytes after its heading, not the 6"));
  }
  EXPECT_THAT(refusal(images() + "x", labels()), HasSubstr("has 7 bytes after its heading, not the 6"));
  EXPECT_THAT(refusal(images(), bytes({0, 0, 8, 1, 0, 0, 0, 1, 7})), HasSubstr("has 1 labels for 2 images"));
  EXPECT_THAT(refusal(bytes({0, 0, 8, 3, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 3}), labels()),
              HasSubstr("no rows"));
  EXPECT_THAT(
      refusal(bytes({0, 0, 8, 3, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255}), labels()),
      HasSubstr("announces"));
}

TEST_F(FormatTest, AFileThatIsNotThereIsNamed) {
  for (const data::formats::Format& format : data::formats::formats()) {
    problem::Settings settings;
    settings.set("target", "last");
    const auto table = format.read({"/no/such/file", ""}, settings, 0);
    ASSERT_FALSE(table);
    EXPECT_THAT(table.error().message, HasSubstr("/no/such/file")) << format.name;
  }
}

TEST(Lines, QuoteInOneLine) {
  namespace formats = data::formats;
  EXPECT_EQ(formats::parseFinite("\x1b[31m").error().message, "\"\\x1b[31m\" is not a number");
  EXPECT_FALSE(formats::parseFinite("+-1"));
  EXPECT_EQ(formats::parseFinite("+1").value(), 1);
}

}  // namespace
}  // namespace slaq::trainer
