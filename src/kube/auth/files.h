// Small files and encodings that credentials come in.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace slaq::kube::auth {

// NotFound when it can't be read.
Result<std::string> readFile(const std::string& path);

// Without white space at both ends.
std::string trimmed(std::string_view text);

std::string encodeBase64(std::string_view bytes);
// Nothing when it is no base64; line breaks are skipped.
std::optional<std::string> decodeBase64(std::string_view text);

}  // namespace slaq::kube::auth
