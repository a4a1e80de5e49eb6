// Where functions begin and end in a C++ source, told by braces alone: good enough for code that compiles and
// that has no brace in a macro.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace slaq::layout {

struct Function {
  std::string head;       // what stands before its brace, on one line
  std::size_t line = 0;   // of the head's beginning, from 1
  std::size_t lines = 0;  // to the closing brace
};

// The functions of namespaces and classes, in the order of their ends. A lambda or a local class is part of
// the function that it stands in.
std::vector<Function> functionsOf(const std::string& source);

// The source with every comment, text and character blanked, its lines kept.
std::string withoutTexts(const std::string& source);

}  // namespace slaq::layout
