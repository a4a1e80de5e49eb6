#include "report/logs/event_records.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <protozero/pbf_reader.hpp>

namespace slaq::report {
namespace {

static_assert(std::endian::native == std::endian::little, "records are little-endian");

// Lengths and checksums around the data of a record.
constexpr std::size_t kBefore = 12;
constexpr std::size_t kAfter = 4;
// A longer record counts as damaged: even images are shorter.
constexpr std::uint64_t kLongest = 256u << 20;

// The fields of tensorflow/core/util/event.proto and framework/{summary,tensor}.proto that are read.
enum Event : protozero::pbf_tag_type { kStep = 2, kSummary = 5 };
enum Summary : protozero::pbf_tag_type { kValue = 1 };
enum Value : protozero::pbf_tag_type { kTag = 1, kSimpleValue = 2, kTensor = 8 };
enum Tensor : protozero::pbf_tag_type { kContent = 4, kFloats = 5 };

// Returns the number of a tensor that contains exactly one.
std::optional<double> scalarIn(protozero::pbf_reader tensor) {
  std::optional<double> scalar;
  while (tensor.next()) {
    if (tensor.tag() == kContent && tensor.wire_type() == protozero::pbf_wire_type::length_delimited) {
      const auto content = tensor.get_view();
      float number = 0;
      if (content.size() != sizeof number) return std::nullopt;
      std::memcpy(&number, content.data(), sizeof number);
      scalar = number;
    } else if (tensor.tag() == kFloats && tensor.wire_type() == protozero::pbf_wire_type::length_delimited) {
      const auto floats = tensor.get_packed_float();
      if (floats.size() != 1) return std::nullopt;
      scalar = *floats.begin();
    } else if (tensor.tag() == kFloats && tensor.wire_type() == protozero::pbf_wire_type::fixed32) {
      scalar = tensor.get_float();
    } else {
      tensor.skip();
    }
  }
  return scalar;
}

void tellValue(protozero::pbf_reader value, double step, const TellScalar& tell) {
  std::string tag;
  std::optional<double> scalar;
  while (value.next()) {
    switch (value.tag()) {
      case kTag:
        tag = value.get_string();
        break;
      case kSimpleValue:
        scalar = value.get_float();
        break;
      case kTensor:
        scalar = scalarIn(value.get_message());
        break;
      default:
        value.skip();
    }
  }
  if (scalar && !tag.empty()) tell(tag, step, *scalar);
}

void tellEvent(std::string_view data, const TellScalar& tell) {
  protozero::pbf_reader event(data.data(), data.size());
  double step = 0;
  protozero::data_view summary;
  while (event.next()) {
    switch (event.tag()) {
      case kStep:
        step = static_cast<double>(event.get_int64());
        break;
      case kSummary:
        summary = event.get_view();
        break;
      default:
        event.skip();
    }
  }
  protozero::pbf_reader values(summary);
  while (values.next(kValue)) tellValue(values.get_message(), step, tell);
}

}  // namespace

void EventRecords::add(std::string_view bytes, const TellScalar& tell) {
  if (isBroken_) return;
  rest_ += bytes;
  std::size_t at = 0;
  while (rest_.size() - at >= kBefore) {
    std::uint64_t length = 0;
    std::memcpy(&length, rest_.data() + at, sizeof length);
    isBroken_ = length > kLongest;
    if (isBroken_ || rest_.size() - at < kBefore + length + kAfter) break;
    try {
      tellEvent({rest_.data() + at + kBefore, static_cast<std::size_t>(length)}, tell);
    } catch (const protozero::exception&) {  // this record is no event; the next ones may be
    }
    at += kBefore + length + kAfter;
  }
  rest_.erase(0, isBroken_ ? rest_.size() : at);
}

}  // namespace slaq::report
