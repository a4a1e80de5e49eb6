#include "cli/jobs/display.h"

#include <string>
#include <vector>

#include "cli/jobs/change_lines.h"
#include "cli/jobs/live_table.h"
#include "cli/terminal/terminal.h"

namespace slaq::cli::jobs {
namespace {

void write(std::FILE* out, const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), out);
  std::fflush(out);
}

class Table final : public Display {
 public:
  explicit Table(std::FILE* out) : out_(out), place_(out) {}

  void show(const RunSnapshot& snapshot) override {
    place_.show(liveTable(snapshot, terminal::frameOf(out_)));
  }
  void finish() override { place_.finish(); }

 private:
  std::FILE* out_;
  terminal::RedrawnText place_;
};

class Lines final : public Display {
 public:
  explicit Lines(std::FILE* out) : out_(out) {}

  void show(const RunSnapshot& snapshot) override {
    for (const auto& line : changeLines(last_, snapshot)) write(out_, line + "\n");
    last_ = snapshot.jobs;
  }

 private:
  std::FILE* out_;
  std::vector<JobRow> last_;
};

}  // namespace

std::unique_ptr<Display> makeDisplay(std::FILE* out, bool plain) {
  if (plain || !terminal::isTerminal(out)) return std::make_unique<Lines>(out);
  return std::make_unique<Table>(out);
}

}  // namespace slaq::cli::jobs
