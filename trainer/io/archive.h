// What an algorithm must remember to go on exactly where it was, as named fields. One function both saves and
// loads: `archive(Archive& fields) { fields("weights", weights_), fields("step", step_); }`. A field that is
// not there, or has another name, makes the whole archive failed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "trainer/io/bytes.h"

namespace slaq::trainer::io {

class Archive {
 public:
  // To be filled.
  Archive() = default;
  // To be read. `bytes` must outlive it.
  explicit Archive(std::string_view bytes) : io_(ByteReader(bytes)) {}

  bool reads() const { return std::holds_alternative<ByteReader>(io_); }

  // Numbers, bool, std::string, Vector, Floats, Matrix, std::vector of numbers.
  template <class T>
  void operator()(const char* name, T& value) {
    tag(name);
    std::visit([&](auto& io) { io(value); }, io_);
  }
  // A deque or vector: its size, then `each(archive, element)` for each element.
  template <class List, class Each>
  void list(const char* name, List& values, Each each) {
    auto size = static_cast<std::uint64_t>(values.size());
    (*this)(name, size);
    if (reads()) values.clear();
    for (std::uint64_t i = 0; i < size && !failed(); ++i) {
      if (reads()) values.emplace_back();
      each(*this, values[static_cast<std::size_t>(i)]);
    }
  }

  bool failed() const { return reads() && std::get<ByteReader>(io_).failed(); }
  // All was read, and nothing is left.
  bool whole() const { return std::get<ByteReader>(io_).whole(); }
  std::string take() { return std::get<ByteWriter>(io_).take(); }

 private:
  void tag(const std::string& name);

  std::variant<ByteWriter, ByteReader> io_;
};

}  // namespace slaq::trainer::io
