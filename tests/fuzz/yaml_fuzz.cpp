// YAML documents, whatever they are for.
#include "fuzz/checks.h"
#include "yaml/read_yaml.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace slaq;
  const auto documents = yaml::readYaml("input.yaml", fuzz::textOf(data, size));
  if (!documents) {
    fuzz::checkSentence(documents.error().message);
    return 0;
  }
  for (const auto& document : *documents) {
    fuzz::check(!document.value.IsNull(), "empty documents are left out");
    for (const auto& [path, line] : document.lines) {
      fuzz::check(line >= 1, "lines count from 1");
      fuzz::checkSentence(yaml::describe(document, path, "is a path"));
    }
  }
  return 0;
}
