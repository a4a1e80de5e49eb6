// The flag --report: a command writes a page with pictures in addition to its output.
#pragma once

#include <string>

#include "base/result.h"

namespace CLI {
class App;
}

namespace slaq::cli::output {

// `file` stays empty without the flag; `what` describes the page's content in the help.
void addReportFlag(CLI::App& command, std::string& file, const std::string& what);

class PageFile {
 public:
  // Invalid if `file` can't be written, so call it before the work begins. Changes nothing yet, so that the
  // page of an earlier run stays if this run fails. With an empty `file` no page is wanted.
  static Result<PageFile> at(const std::string& file);

  bool isWanted() const { return !file_.empty(); }
  // Writes the page with this document (page/page.h) and says so on standard error. Transient if not all of
  // it could be written. REQUIRES: a page is wanted.
  Result<void> write(const std::string& document) const;

 private:
  explicit PageFile(std::string file) : file_(std::move(file)) {}

  std::string file_;
};

}  // namespace slaq::cli::output
