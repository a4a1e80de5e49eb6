#include "trainer/io/archive.h"

namespace slaq::trainer::io {

void Archive::tag(const std::string& name) {
  if (auto* writer = std::get_if<ByteWriter>(&io_)) return (*writer)(name);
  auto& reader = std::get<ByteReader>(io_);
  std::string found;
  reader(found);
  if (found != name) reader.fail();
}

}  // namespace slaq::trainer::io
