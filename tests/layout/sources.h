// The project's own C++ sources as the layout's tests see them: their folders, their includes and their text.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace slaq::layout {

struct Include {
  std::string target;
  bool ours = false;   // in quotes, and a file of this project
  std::string folder;  // of the target, where it is ours
};

struct Source {
  std::string path;    // as #include has it: "kube/client/api.h", "cli/top_table.cpp"
  std::string folder;  // "kube/client"
  std::string text;
  std::vector<Include> includes;

  bool isHeader() const { return path.ends_with(".h"); }
  // The path without its extension, which a header and its source share.
  std::string pair() const { return path.substr(0, path.rfind('.')); }
};

// All headers and sources of src, cli, trainer and controller.
const std::vector<Source>& sources();

// Whether a folder, or a file, is named in the set or lies below one that is.
bool names(const std::set<std::string>& set, const std::string& path);

std::size_t linesOf(const std::string& text);

}  // namespace slaq::layout
