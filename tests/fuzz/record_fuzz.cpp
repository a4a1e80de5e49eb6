// What is kept of kinds of trainings in a ConfigMap.
#include <string>

#include "fuzz/checks.h"
#include "manifest/record_codec.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace slaq;
  const auto record = manifest::readKindRecord(fuzz::textOf(data, size));
  if (!record) {
    fuzz::checkSentence(record.error().message);
    return 0;
  }
  fuzz::check(record->trainings >= 0, "a number of trainings is not negative");
  for (const auto& training : record->newest) {
    for (const auto& speed : training.speeds)
      fuzz::check(speed.size >= 1 && speed.size <= 1e6, "a size is one of workers");
  }
  const std::string once = manifest::toText(*record);
  const auto again = manifest::readKindRecord(once);
  fuzz::check(again.has_value(), "a record that was read can be written and read: " + once);
  fuzz::check(manifest::toText(*again) == once, "a record is the same after it is written and read");
  return 0;
}
