// The flag --report: a page with pictures that a command writes besides what it prints.
#pragma once

#include <string>

#include "base/result.h"

namespace CLI {
class App;
}

namespace slaq::cli::output {

// `file` stays empty without the flag; `what` says what the page shows.
void addReportFlag(CLI::App& command, std::string& file, const std::string& what);

class PageFile {
 public:
  // Invalid where `file` can't be written: best known before the work begins. Changes nothing yet, so that
  // the page of an earlier run stays where this one fails. Nothing is wanted where `file` is empty.
  static Result<PageFile> at(const std::string& file);

  bool isWanted() const { return !file_.empty(); }
  // Writes the page with that document in it (page/page.h) and says so on standard error. Transient where not
  // all of it could be written. REQUIRES: it is wanted.
  Result<void> write(const std::string& document) const;

 private:
  explicit PageFile(std::string file) : file_(std::move(file)) {}

  std::string file_;
};

}  // namespace slaq::cli::output
