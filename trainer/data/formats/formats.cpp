#include "trainer/data/formats/formats.h"

#include <algorithm>
#include <array>

#include "trainer/data/formats/csv.h"
#include "trainer/data/formats/idx.h"
#include "trainer/data/formats/lda_c.h"
#include "trainer/data/formats/libsvm.h"

namespace slaq::trainer::data::formats {
namespace {

void nothing(Outputs&, std::int64_t, std::int64_t) {}

const std::array kFormats{
    Format{.name = "csv",
           .summary = "comma-separated values, with or without names in the first line",
           .settings = csvSettings(),
           .read = readCsv,
           .begin = beginCsv,
           .write = writeCsv},
    Format{.name = "libsvm",
           .summary = "TARGET INDEX:VALUE ..., indexes from 1",
           .read = readLibsvm,
           .begin = nothing,
           .write = writeLibsvm},
    Format{.name = "idx",
           .summary = "MNIST's images, the labels in a file of their own",
           .labelsApart = true,
           .read = readIdx,
           .begin = beginIdx,
           .write = writeIdx},
    Format{.name = "lda-c",
           .summary = "documents: WORDS WORD:COUNT ..., words from 0",
           .documents = true,
           .read = readLdaC,
           .begin = nothing,
           .write = writeLdaC},
};

}  // namespace

std::span<const Format> formats() { return kFormats; }

const Format* findFormat(std::string_view name) {
  const auto found = std::ranges::find(kFormats, name, &Format::name);
  return found == kFormats.end() ? nullptr : &*found;
}

}  // namespace slaq::trainer::data::formats
