#include "cli/output/page_file.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <utility>

#include "cli/output/output_file.h"
#include "page/page.h"

namespace slaq::cli::output {
namespace {

constexpr const char* kFlag = "--report";

}  // namespace

void addReportFlag(CLI::App& command, std::string& file, const std::string& what) {
  command.add_option(kFlag, file, "an HTML file to write: " + what + " as a page, with pictures");
}

Result<PageFile> PageFile::at(const std::string& file) {
  if (file.empty()) return PageFile("");
  std::error_code ignored;
  const bool isNew =
      std::filesystem::symlink_status(file, ignored).type() == std::filesystem::file_type::not_found;
  const auto opened = outputFile(file, kFlag, std::ios::app);
  if (!opened) return failure(opened.error());
  if (isNew) std::filesystem::remove(file, ignored);
  return PageFile(file);
}

Result<void> PageFile::write(const std::string& document) const {
  auto out = outputFile(file_, kFlag);
  if (!out) return failure(out.error());
  *out << page::pageWith(document);
  auto written = finish(*out, file_);
  if (written) std::cerr << file_ << " shows it as a page.\n";
  return written;
}

}  // namespace slaq::cli::output
