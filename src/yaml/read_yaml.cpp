#include "yaml/read_yaml.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>

#include "yaml/document_builder.h"

namespace slaq::yaml {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

int lineOf(const YAML::Mark& mark) { return std::max(mark.line, 0) + 1; }

// Passes yaml-cpp's events on to a builder.
class Events final : public YAML::EventHandler {
 public:
  LocatedDocument take() { return builder_.take(); }
  // Where the document begins: the position of its "---", if it has one.
  const YAML::Mark& start() const { return start_; }

  void OnDocumentStart(const YAML::Mark& mark) override { start_ = mark; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    builder_.addNull(lineOf(mark), anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    builder_.addAlias(lineOf(mark), anchor);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    builder_.addScalar(lineOf(mark), tag, anchor, value);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    builder_.openSequence(lineOf(mark), tag, anchor);
  }
  void OnSequenceEnd() override { builder_.close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    builder_.openMap(lineOf(mark), tag, anchor);
  }
  void OnMapEnd() override { builder_.close(); }

 private:
  DocumentBuilder builder_;
  YAML::Mark start_;
};

// yaml-cpp reads text after a finished value ("[a] [b]") as one more document.
bool isSetApart(std::string_view text, const YAML::Mark& start) {
  return start.pos >= 0 && static_cast<std::size_t>(start.pos) <= text.size() &&
         text.substr(static_cast<std::size_t>(start.pos)).starts_with("---");
}

std::vector<LocatedDocument> readDocuments(const std::string& file, std::string_view text) {
  std::istringstream in{std::string(text)};
  YAML::Parser parser(in);
  Events events;
  std::vector<LocatedDocument> documents;
  for (bool first = true; parser.HandleNextDocument(events); first = false) {
    if (!first && !isSetApart(text, events.start())) {
      throw Refused{lineOf(events.start()), "text after the end of the document; start another one with ---"};
    }
    auto document = events.take();
    document.file = file;
    if (!document.value.IsNull()) documents.push_back(std::move(document));
  }
  return documents;
}

// yaml-cpp speaks of its grammar. These sentences speak of what was written.
constexpr std::pair<std::string_view, const char*> kPlainWords[] = {
    {"illegal map value",
     "a field can't begin here; quote a text that has a colon in it, or mend the indentation"},
    {"end of map not found", "the indentation is that of none of the fields above, or a colon is missing"},
    {"end of sequence not found", "the indentation is that of none of the list's entries above"},
    {"end of map flow not found", "a { or a quote is not closed"},
    {"end of sequence flow not found", "a [ or a quote is not closed"}};

bool isIndentedWithTab(std::string_view text, int line) {
  for (int skipped = 1; skipped < line; ++skipped) {
    const auto end = text.find('\n');
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  const auto first = text.find_first_not_of(' ');
  return first != std::string_view::npos && text[first] == '\t';
}

std::string sentenceOf(const YAML::Exception& error, std::string_view text) {
  if (isIndentedWithTab(text, lineOf(error.mark))) return "the line is indented with a tab; write spaces";
  const auto* const known =
      std::ranges::find(kPlainWords, error.msg, [](const auto& each) { return each.first; });
  return known != std::end(kPlainWords) ? known->second : printable(error.msg);
}

tl::unexpected<Error> malformed(const std::string& file, int line, const std::string& sentence) {
  return failure(ErrorKind::Malformed, file + ":" + std::to_string(line) + ": " + sentence);
}

}  // namespace

Result<std::vector<LocatedDocument>> readYaml(const std::string& file, std::string_view text) {
  if (text.size() > kMostYamlBytes) {
    return malformed(file, 1, "the file is larger than " + std::to_string(kMostYamlBytes >> 20) + " MiB");
  }
  if (text.find('\0') != std::string_view::npos) {
    return malformed(file, 1, "the file is not UTF-8 text");
  }
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  try {
    return readDocuments(file, text);
  } catch (const Refused& refused) {
    return malformed(file, refused.line, refused.sentence);
  } catch (const YAML::Exception& error) {
    return malformed(file, lineOf(error.mark), sentenceOf(error, text));
  }
}

}  // namespace slaq::yaml
