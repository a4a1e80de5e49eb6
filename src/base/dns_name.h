// The names that Kubernetes takes (RFC 1123).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace slaq {

// Names of namespaces: at most 63 of a-z, 0-9 and '-', with no '-' at either end.
bool isDnsLabel(std::string_view text);
// Makes a label out of any text. It begins with a letter and has at most `longest` characters; it is empty if
// the text has no letter or digit.
std::string dnsLabelFrom(std::string_view text, std::size_t longest = 63);
// Names of most other objects: such labels joined by dots, 253 characters at most.
bool isDnsSubdomain(std::string_view text);

}  // namespace slaq
