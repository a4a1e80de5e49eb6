// A file of text that a program writes as it runs, such as metrics.csv or log.jsonl.
#pragma once

#include <cstdint>
#include <filesystem>

#include "report/output/line_splitter.h"

namespace slaq::report {

class GrowingFile {
 public:
  explicit GrowingFile(std::filesystem::path path) : path_(std::move(path)) {}

  // The lines that came since the last call. A file that was replaced by a shorter one is read from its
  // beginning; one that is not there has no lines.
  void read(const LineSplitter::Tell& tell);

 private:
  const std::filesystem::path path_;
  std::uintmax_t position_ = 0;
  LineSplitter splitter_;
};

}  // namespace slaq::report
