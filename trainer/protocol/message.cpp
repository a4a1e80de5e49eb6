#include "trainer/protocol/message.h"

#include <utility>

#include "trainer/io/bytes.h"

namespace slaq::trainer::protocol {
namespace {

// The fields of each message, once for both ways: `io` writes or reads them.
template <class Io>
void fields(Io& io, Hello& m) {
  io(m.protocol), io(m.worker), io(m.job);
}
template <class Io>
void fields(Io& io, Welcome& m) {
  fields(io, m.problem);
}
template <class Io>
void fields(Io& io, State& m) {
  io(m.round), io(m.values);
}
template <class Io>
void fields(Io& io, Rows& m) {
  fields(io, m.chunk);
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
  io::ByteWriter body;
  body(static_cast<std::uint8_t>(copy.index()));
  std::visit([&](auto& kind) { fields(body, kind); }, copy);
  const std::string bytes = body.take();
  io::ByteWriter frame;
  frame(static_cast<std::uint32_t>(bytes.size()));
  return frame.take() + bytes;
}

Result<std::size_t> decodeLength(std::string_view bytes) {
  std::uint32_t length = 0;
  io::ByteReader{bytes}(length);
  if (length == 0 || length > kLongestBody) return failure(ErrorKind::Malformed, "not a message of ours");
  return length;
}

Result<Message> decodeBody(std::string_view body) {
  io::ByteReader reader(body);
  std::uint8_t kind = 0;
  reader(kind);
  constexpr std::size_t kKinds = std::variant_size_v<Message>;
  if (kind >= kKinds) return failure(ErrorKind::Malformed, "a message of an unknown kind");
  Message message = empty(kind, std::make_index_sequence<kKinds>());
  std::visit([&](auto& fieldsOf) { fields(reader, fieldsOf); }, message);
  if (!reader.whole()) return failure(ErrorKind::Malformed, "a message of a wrong length");
  return message;
}

}  // namespace slaq::trainer::protocol
