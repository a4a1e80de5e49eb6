#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <sstream>

#include "yaml/document_builder.h"
#include "yaml/yaml.h"

namespace slaq {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// yaml-cpp takes what follows a finished value ("[a] [b]") for one more document.
bool isSetApart(std::string_view text, const YAML::Mark& start) {
  return start.pos >= 0 && static_cast<std::size_t>(start.pos) <= text.size() &&
         text.substr(static_cast<std::size_t>(start.pos)).starts_with("---");
}

std::vector<LocatedDocument> readDocuments(const std::string& file, std::string_view text) {
  std::istringstream in{std::string(text)};
  YAML::Parser parser(in);
  DocumentBuilder builder;
  std::vector<LocatedDocument> documents;
  for (bool first = true; parser.HandleNextDocument(builder); first = false) {
    if (!first && !isSetApart(text, builder.start())) {
      throw YAML::ParserException(builder.start(),
                                  "text after the end of the document; start another one with ---");
    }
    auto document = builder.take();
    document.file = file;
    if (!document.value.IsNull()) documents.push_back(std::move(document));
  }
  return documents;
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
  } catch (const YAML::Exception& error) {
    return malformed(file, std::max(error.mark.line, 0) + 1, error.msg);
  }
}

}  // namespace slaq
