#include "layout/sources.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>

namespace slaq::layout {
namespace {

namespace fs = std::filesystem;

std::string folderOf(const std::string& path) { return fs::path(path).parent_path().string(); }

bool exists(const std::string& target) {
  const fs::path root(SLAQ_SOURCE_DIR);
  return fs::exists(root / "src" / target) || fs::exists(root / target);
}

std::vector<Include> includesOf(const std::string& text) {
  static const std::regex kPattern(R"re(^\s*#include\s*(["<])([^">]+)[">])re");
  std::vector<Include> found;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    std::smatch match;
    if (line.find("#include") == std::string::npos || !std::regex_search(line, match, kPattern)) continue;
    Include include{match[2], match[1] == "\"", ""};
    include.ours = include.ours && include.target.find('/') != std::string::npos && exists(include.target);
    if (include.ours) include.folder = folderOf(include.target);
    found.push_back(include);
  }
  return found;
}

Source read(const fs::path& file, const fs::path& base) {
  Source out;
  out.path = fs::relative(file, base).generic_string();
  out.folder = folderOf(out.path);
  std::ifstream in(file);
  out.text.assign(std::istreambuf_iterator<char>(in), {});
  out.includes = includesOf(out.text);
  return out;
}

std::vector<Source> readAll() {
  const fs::path root(SLAQ_SOURCE_DIR);
  std::vector<Source> out;
  for (const char* top : {"src", "cli", "trainer", "controller"}) {
    const fs::path base = top == std::string("src") ? root / "src" : root;
    for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
      const auto extension = entry.path().extension();
      if (extension == ".h" || extension == ".cpp") out.push_back(read(entry.path(), base));
    }
  }
  std::ranges::sort(out, {}, &Source::path);
  return out;
}

}  // namespace

const std::vector<Source>& sources() {
  static const auto all = readAll();
  return all;
}

bool names(const std::set<std::string>& set, const std::string& path) {
  for (fs::path each = path; !each.empty(); each = each.parent_path()) {
    if (set.contains(each.string())) return true;
  }
  return false;
}

std::size_t linesOf(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

}  // namespace slaq::layout
