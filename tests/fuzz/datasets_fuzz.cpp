// Training data in the formats that the trainer reads.
#include <string>

#include "fuzz/checks.h"
#include "fuzz/memory_file.h"
#include "trainer/data/formats/formats.h"

namespace slaq::fuzz {
namespace {

namespace formats = trainer::data::formats;

// Without it a line that names a feature far away takes gigabytes, as is written of the format.
constexpr std::int64_t kWidth = 64;

void checkTable(const formats::Table& table) {
  check(table.rows() > 0, "a table has rows");
  check(table.features.allFinite(), "features are numbers");
  const auto& documents = table.documents;
  check(documents.begins.back() == static_cast<std::int64_t>(documents.words.size()),
        "documents end with their words");
  for (const auto word : documents.words)
    check(word >= 0 && word < table.words, "a word is of the vocabulary");
  const auto all = formats::slice(table, 0, 0, table.rows());
  check(all.features.rows() == table.features.rows(), "a slice has the rows that were asked for");
}

void readAs(const formats::Format& format, const std::string& path) {
  const auto settings = trainer::problem::complete({}, format.settings, "data");
  if (!settings) return;
  const auto table = format.read({path, {}}, *settings, kWidth);
  if (!table) return checkSentence(table.error().message);
  checkTable(*table);
}

}  // namespace
}  // namespace slaq::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace slaq;
  const fuzz::MemoryFile file(fuzz::textOf(data, size));
  for (const auto& format : fuzz::formats::formats()) fuzz::readAs(format, file.path());
  return 0;
}
