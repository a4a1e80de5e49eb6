#include "trainer/message.h"

#include <cstring>
#include <type_traits>
#include <utility>

namespace slaq::trainer {
namespace {

// The fields of each message, once for both ways: `io` writes or reads them.
template <class Io>
void fields(Io& io, Hello& m) {
  io(m.protocol), io(m.worker);
}
template <class Io>
void fields(Io& io, Welcome& m) {
  Problem& p = m.problem;
  io(p.algorithm), io(p.rows), io(p.features), io(p.clusters), io(p.chunks), io(p.seed);
  io(p.noise), io(p.condition), io(p.learningRate), io(p.l2);
}
template <class Io>
void fields(Io& io, State& m) {
  io(m.round), io(m.values);
}
template <class Io>
void fields(Io& io, Compute& m) {
  io(m.round), io(m.chunk);
}
template <class Io>
void fields(Io& io, Forget& m) {
  io(m.round), io(m.chunk);
}
template <class Io>
void fields(Io& io, Partial& m) {
  io(m.round), io(m.chunk), io(m.cpuSeconds), io(m.values);
}
template <class Io>
void fields(Io&, Alive&) {}
template <class Io>
void fields(Io&, Over&) {}

class Writer {
 public:
  template <class Number>
  requires std::is_arithmetic_v<Number>
  void operator()(Number number) { append(&number, sizeof number); }
  void operator()(const std::string& text) {
    (*this)(static_cast<std::uint64_t>(text.size()));
    append(text.data(), text.size());
  }
  void operator()(const Vector& values) {
    (*this)(static_cast<std::uint64_t>(values.size()));
    append(values.data(), static_cast<std::size_t>(values.size()) * sizeof(double));
  }

  std::string take() { return std::move(bytes_); }

 private:
  void append(const void* data, std::size_t size) { bytes_.append(static_cast<const char*>(data), size); }

  std::string bytes_;
};

// Once something is missing all that follows stays empty, and whole() is false.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  template <class Number>
  requires std::is_arithmetic_v<Number>
  void operator()(Number& number) {
    const std::string_view part = take(sizeof number);
    if (part.size() == sizeof number) std::memcpy(&number, part.data(), sizeof number);
  }
  void operator()(std::string& text) { text = take(length(1)); }
  void operator()(Vector& values) {
    const std::size_t size = length(sizeof(double));
    values.resize(static_cast<Eigen::Index>(size));
    const std::string_view part = take(size * sizeof(double));
    if (!part.empty()) std::memcpy(values.data(), part.data(), part.size());
  }

  bool whole() const { return !short_ && bytes_.empty(); }

 private:
  std::string_view take(std::size_t size) {
    if (size > bytes_.size()) short_ = true;
    if (short_) return {};
    const std::string_view part = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return part;
  }

  // The number of elements that follow, 0 if they do not.
  std::size_t length(std::size_t each) {
    std::uint64_t count = 0;
    (*this)(count);
    if (count > bytes_.size() / each) short_ = true;
    return short_ ? 0 : static_cast<std::size_t>(count);
  }

  std::string_view bytes_;
  bool short_ = false;
};

// A message of the kind numbered `kind`, empty.
template <std::size_t... Index>
Message empty(std::size_t kind, std::index_sequence<Index...>) {
  Message message;
  ((kind == Index ? static_cast<void>(message.emplace<Index>()) : void()), ...);
  return message;
}

}  // namespace

std::string encode(const Message& message) {
  Message copy = message;
  Writer body;
  body(static_cast<std::uint8_t>(copy.index()));
  std::visit([&](auto& kind) { fields(body, kind); }, copy);
  const std::string bytes = body.take();
  Writer frame;
  frame(static_cast<std::uint32_t>(bytes.size()));
  return frame.take() + bytes;
}

Result<std::size_t> decodeLength(std::string_view bytes) {
  std::uint32_t length = 0;
  Reader{bytes}(length);
  if (length == 0 || length > kLongestBody) return failure(ErrorKind::Malformed, "not a message of ours");
  return length;
}

Result<Message> decodeBody(std::string_view body) {
  Reader reader(body);
  std::uint8_t kind = 0;
  reader(kind);
  constexpr std::size_t kKinds = std::variant_size_v<Message>;
  if (kind >= kKinds) return failure(ErrorKind::Malformed, "a message of an unknown kind");
  Message message = empty(kind, std::make_index_sequence<kKinds>());
  std::visit([&](auto& fieldsOf) { fields(reader, fieldsOf); }, message);
  if (!reader.whole()) return failure(ErrorKind::Malformed, "a message of a wrong length");
  return message;
}

}  // namespace slaq::trainer
