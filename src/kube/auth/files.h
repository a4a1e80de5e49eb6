// Reads the small files and the encodings in which credentials are stored.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace slaq::kube::auth {

// NotFound if the file can't be read.
Result<std::string> readFile(const std::string& path);

// The text without white space at its ends.
std::string trimmed(std::string_view text);

std::string encodeBase64(std::string_view bytes);
// Empty if the text is not base64. Line breaks are skipped.
std::optional<std::string> decodeBase64(std::string_view text);

}  // namespace slaq::kube::auth
