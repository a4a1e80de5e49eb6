// The names that Kubernetes takes (RFC 1123).
#pragma once

#include <string_view>

namespace slaq {

// Names of namespaces: at most 63 of a-z, 0-9 and '-', with no '-' at either end.
bool isDnsLabel(std::string_view text);
// Names of most other objects: such labels joined by dots, 253 characters at most.
bool isDnsSubdomain(std::string_view text);

}  // namespace slaq
