#include "prometheus/scrape/exposition.h"

#include <algorithm>
#include <cctype>

#include "prometheus/matrix.h"

namespace slaq::prom {

namespace {

bool startsName(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || c == ':'; }
bool continuesName(char c) { return startsName(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; }

// Reads one line from left to right. Each function consumes its part and returns whether it was there.
class LineReader {
 public:
  explicit LineReader(std::string_view line) : rest_(line) {}

  bool sample(ExposedSample& sample) {
    sample.labels.clear();
    skipBlanks();
    if (!name(sample.name)) return false;
    skipBlanks();
    if (take('{') && !labels(sample)) return false;
    skipBlanks();
    return value(sample.value) && ending();
  }

 private:
  bool take(char wanted) {
    if (rest_.empty() || rest_.front() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void skipBlanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t"), rest_.size())); }

  bool name(std::string_view& name) {
    if (rest_.empty() || !startsName(rest_.front())) return false;
    const auto end = std::find_if_not(rest_.begin(), rest_.end(), continuesName);
    name = rest_.substr(0, static_cast<std::size_t>(end - rest_.begin()));
    rest_.remove_prefix(name.size());
    return true;
  }

  // Reads from behind the opening brace to the closing one; a comma may stand before it.
  bool labels(ExposedSample& sample) {
    while (true) {
      skipBlanks();
      if (take('}')) return true;
      if (!label(sample)) return false;
      skipBlanks();
      if (take(',')) continue;
      return take('}');
    }
  }

  bool label(ExposedSample& sample) {
    std::string_view key;
    if (!name(key)) return false;
    skipBlanks();
    if (!take('=')) return false;
    skipBlanks();
    std::string text;
    if (!take('"') || !quoted(text)) return false;
    sample.labels.emplace_back(key, std::move(text));
    return true;
  }

  bool quoted(std::string& text) {
    while (!rest_.empty()) {
      char c = rest_.front();
      rest_.remove_prefix(1);
      if (c == '"') return true;
      if (c == '\\') {
        if (rest_.empty()) return false;
        c = rest_.front() == 'n' ? '\n' : rest_.front();
        rest_.remove_prefix(1);
      }
      text += c;
    }
    return false;
  }

  std::string_view word() {
    const std::string_view word = rest_.substr(0, rest_.find_first_of(" \t"));
    rest_.remove_prefix(word.size());
    return word;
  }

  bool value(double& value) { return readValue(word(), value); }

  // A timestamp and an exemplar may follow.
  bool ending() {
    skipBlanks();
    double timestamp = 0;
    if (!rest_.empty() && rest_.front() != '#' && !value(timestamp)) return false;
    skipBlanks();
    return rest_.empty() || rest_.front() == '#';
  }

  std::string_view rest_;
};

bool hasSample(std::string_view line) {
  const auto first = line.find_first_not_of(" \t");
  return first != std::string_view::npos && line[first] != '#';
}

}  // namespace

Result<void> readExposition(std::string_view text,
                            const std::function<void(const ExposedSample&)>& onSample) {
  ExposedSample sample;
  for (int number = 1; !text.empty(); ++number) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (!hasSample(line)) continue;
    if (!LineReader(line).sample(sample)) {
      return failure(ErrorKind::Malformed, "line " + std::to_string(number) + " is not a metric: '" +
                                               printable(line.substr(0, 80)) +
                                               "'; write lines such as: slaq_training_loss 0.42");
    }
    onSample(sample);
  }
  return {};
}

}  // namespace slaq::prom
