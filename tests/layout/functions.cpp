#include "layout/functions.h"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace slaq::layout {
namespace {

bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// The position behind the literal or the comment that begins at `at`; `at` itself where none does.
std::size_t endOfText(const std::string& source, std::size_t at) {
  const auto behind = [&](const std::string& mark, std::size_t from) {
    const auto found = source.find(mark, from);
    return found == std::string::npos ? source.size() : found + mark.size();
  };
  if (source.compare(at, 2, "//") == 0) return std::min(source.find('\n', at), source.size());
  if (source.compare(at, 2, "/*") == 0) return behind("*/", at + 2);
  if (source.compare(at, 2, "R\"") == 0 && (at == 0 || !isWord(source[at - 1]))) {
    const auto open = source.find('(', at);
    return behind(")" + source.substr(at + 2, open - at - 2) + "\"", open);
  }
  const char quote = source[at];
  const bool separatesDigits = quote == '\'' && at > 0 && isWord(source[at - 1]);
  if ((quote != '"' && quote != '\'') || separatesDigits) return at;
  for (++at; at < source.size() && source[at] != quote; ++at) {
    if (source[at] == '\\') ++at;
  }
  return std::min(at + 1, source.size());
}

std::string withoutDirectives(const std::string& source) {
  std::string out;
  std::istringstream in(source);
  bool continued = false;
  for (std::string line; std::getline(in, line);) {
    const auto first = line.find_first_not_of(' ');
    const bool directive = continued || (first != std::string::npos && line[first] == '#');
    continued = directive && line.ends_with('\\');
    out += (directive ? std::string() : line) + "\n";
  }
  return out;
}

bool hasWord(const std::string& text, const std::string& word) {
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const bool begins = at == 0 || !isWord(text[at - 1]);
    const auto end = at + word.size();
    if (begins && (end == text.size() || !isWord(text[end]))) return true;
  }
  return false;
}

enum class Block { Scope, Function, Inner };

// What a brace opens, by the text since the last statement or block.
Block kindOf(const std::string& head, Block around) {
  if (around != Block::Scope) return Block::Inner;
  if (hasWord(head, "namespace")) return Block::Scope;
  // A constructor's body behind members that are initialized in braces has no text of its own before it.
  if (head.empty()) return Block::Function;
  if (head[head.find_last_not_of(" \n")] == '=') return Block::Inner;
  // `template <class T> void f() {` is a function, `struct X final : Y<int (*)()> {` a class.
  const auto parameters = head.find('(');
  const std::string before = head.substr(0, parameters);
  const auto behindTemplate = before.rfind('>') == std::string::npos ? 0 : before.rfind('>');
  const std::string declared = hasWord(head, "template") ? head.substr(behindTemplate) : before;
  for (const char* word : {"struct", "class", "union", "enum"}) {
    if (hasWord(declared, word)) return Block::Scope;
  }
  return parameters == std::string::npos ? Block::Inner : Block::Function;
}

std::string onOneLine(const std::string& text) {
  std::istringstream in(text);
  std::string out;
  for (std::string word; in >> word;) out += (out.empty() ? "" : " ") + word;
  return out;
}

struct Open {
  Block kind;
  std::string head;
  std::size_t line;
};

// Reads blanked source character by character.
class Scanner {
 public:
  void take(char c) {
    if (c == '{') open();
    if (c == '}') close();
    if (c == ';' || c == '{' || c == '}') {
      head_.clear();
    } else if (!head_.empty() || !std::isspace(static_cast<unsigned char>(c))) {
      if (head_.empty()) headLine_ = line_;
      head_ += c;
    }
    if (c == '\n') ++line_;
  }

  std::vector<Function> take() { return std::move(found_); }

 private:
  void open() {
    const Block around = blocks_.empty() ? Block::Scope : blocks_.back().kind;
    blocks_.push_back({kindOf(head_, around), onOneLine(head_), head_.empty() ? line_ : headLine_});
  }

  void close() {
    if (blocks_.empty()) return;
    const Open& block = blocks_.back();
    if (block.kind == Block::Function) found_.push_back({block.head, block.line, line_ - block.line + 1});
    blocks_.pop_back();
  }

  std::vector<Open> blocks_;
  std::vector<Function> found_;
  std::string head_;
  std::size_t headLine_ = 1;
  std::size_t line_ = 1;
};

}  // namespace

std::string withoutTexts(const std::string& source) {
  std::string out = source;
  for (std::size_t at = 0; at < source.size();) {
    const auto end = endOfText(source, at);
    for (auto each = at; each < end; ++each) {
      if (out[each] != '\n') out[each] = ' ';
    }
    at = std::max(end, at + 1);
  }
  return out;
}

std::vector<Function> functionsOf(const std::string& source) {
  Scanner scanner;
  for (const char c : withoutDirectives(withoutTexts(source))) scanner.take(c);
  return scanner.take();
}

}  // namespace slaq::layout
