#include "trainer/io/bytes.h"

namespace slaq::trainer::io {

void ByteWriter::operator()(const data::Matrix& values) {
  (*this)(static_cast<std::int64_t>(values.cols()));
  array(values.data(), static_cast<std::size_t>(values.size()));
}

void ByteWriter::operator()(const problem::Settings& settings) {
  (*this)(static_cast<std::uint64_t>(settings.all().size()));
  for (const auto& [name, value] : settings.all()) {
    (*this)(name);
    (*this)(static_cast<std::uint8_t>(value.index()));
    std::visit(*this, value);
  }
}

void ByteReader::operator()(std::string& text) {
  text.resize(length(1));
  fill(text.data(), text.size());
}

void ByteReader::operator()(data::Vector& values) {
  const std::size_t size = length(sizeof(double));
  values.resize(static_cast<Eigen::Index>(size));
  fill(values.data(), size * sizeof(double));
}

void ByteReader::operator()(data::Floats& values) {
  const std::size_t size = length(sizeof(float));
  values.resize(static_cast<Eigen::Index>(size));
  fill(values.data(), size * sizeof(float));
}

void ByteReader::operator()(data::Matrix& values) {
  std::int64_t columns = 0;
  (*this)(columns);
  const auto size = static_cast<Eigen::Index>(length(sizeof(float)));
  if (columns < 0 || (columns == 0 ? size != 0 : size % columns != 0)) failed_ = true;
  if (failed_) return;
  values.resize(columns == 0 ? 0 : size / columns, columns);
  fill(values.data(), static_cast<std::size_t>(size) * sizeof(float));
}

void ByteReader::operator()(problem::Settings& settings) {
  std::uint64_t count = 0;
  (*this)(count);
  for (; count > 0 && !failed_; --count) {
    std::string name;
    std::uint8_t kind = 0;
    (*this)(name), (*this)(kind);
    problem::Value value;
    if (kind == 1) value = std::string();
    if (kind == 2) value = std::vector<std::int64_t>();
    if (kind > 2) failed_ = true;
    std::visit([this](auto& held) { (*this)(held); }, value);
    settings.set(name, std::move(value));
  }
}

void ByteReader::fill(void* target, std::size_t size) {
  if (size > bytes_.size()) failed_ = true;
  if (failed_ || size == 0) return;
  std::memcpy(target, bytes_.data(), size);
  bytes_.remove_prefix(size);
}

std::size_t ByteReader::length(std::size_t each) {
  std::uint64_t count = 0;
  (*this)(count);
  if (count > bytes_.size() / each) failed_ = true;
  return failed_ ? 0 : static_cast<std::size_t>(count);
}

}  // namespace slaq::trainer::io
