// Values as bytes in the machine's own order, for the wire and for checkpoints: both are read by the program
// that wrote them. A type with fields of its own declares them once for both ways, as
// `template <class Io> void fields(Io& io, Type& value) { io(value.a), io(value.b); }`.
#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "trainer/data/chunk.h"
#include "trainer/problem/settings.h"

namespace slaq::trainer::io {

template <class T>
concept Arithmetic = std::is_arithmetic_v<T>;

class ByteWriter {
 public:
  void operator()(Arithmetic auto number) { append(&number, sizeof number); }
  void operator()(const std::string& text) { array(text.data(), text.size()); }
  void operator()(const data::Vector& values) {
    array(values.data(), static_cast<std::size_t>(values.size()));
  }
  void operator()(const data::Floats& values) {
    array(values.data(), static_cast<std::size_t>(values.size()));
  }
  void operator()(const data::Matrix& values);
  void operator()(const problem::Settings& settings);
  template <Arithmetic Number>
  void operator()(const std::vector<Number>& numbers) {
    array(numbers.data(), numbers.size());
  }

  std::string take() { return std::move(bytes_); }

 private:
  template <class T>
  void array(const T* first, std::size_t count) {
    (*this)(static_cast<std::uint64_t>(count));
    append(first, count * sizeof(T));
  }
  void append(const void* data, std::size_t size) { bytes_.append(static_cast<const char*>(data), size); }

  std::string bytes_;
};

// Once something is missing all that follows stays empty, and whole() is false.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  void operator()(Arithmetic auto& number) { fill(&number, sizeof number); }
  void operator()(std::string& text);
  void operator()(data::Vector& values);
  void operator()(data::Floats& values);
  void operator()(data::Matrix& values);
  void operator()(problem::Settings& settings);
  template <Arithmetic Number>
  void operator()(std::vector<Number>& numbers) {
    numbers.resize(length(sizeof(Number)));
    fill(numbers.data(), numbers.size() * sizeof(Number));
  }

  bool failed() const { return failed_; }
  void fail() { failed_ = true; }
  // All was there, and nothing more.
  bool whole() const { return !failed_ && bytes_.empty(); }

 private:
  void fill(void* target, std::size_t size);
  // The number of elements that follow, 0 if they do not.
  std::size_t length(std::size_t each);

  std::string_view bytes_;
  bool failed_ = false;
};

}  // namespace slaq::trainer::io
