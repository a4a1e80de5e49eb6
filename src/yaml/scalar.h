// What a plain (unquoted) YAML scalar means.
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

// The value of a plain scalar, or a sentence that says why it is refused and what to write instead.
tl::expected<YamlScalar, std::string> readPlainScalar(std::string_view text);

}  // namespace slaq::yaml
