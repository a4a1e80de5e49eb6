// Reads a plain (unquoted) YAML scalar as kubectl and the API server do. They follow YAML 1.1 as
// sigs.k8s.io/yaml has it: yes, on and y are true, 010 is 8, 1_000 is 1000, and a number past the range of
// its type is text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <variant>

namespace slaq::yaml {

struct YamlNull {
  bool operator==(const YamlNull&) const = default;
};

using YamlScalar = std::variant<YamlNull, bool, std::int64_t, std::uint64_t, double, std::string>;

// The value of a plain scalar, or a sentence about one that JSON can't hold (.nan, .inf).
tl::expected<YamlScalar, std::string> readPlainScalar(std::string_view text);

}  // namespace slaq::yaml
