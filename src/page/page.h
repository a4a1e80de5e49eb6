// The page of web/ as one self-contained HTML file, which makes no requests to other servers.
#pragma once

#include <string>

namespace slaq::page {

// The page with this document in it (page/document.h), which a browser can open as a file.
std::string pageWith(const std::string& document);

}  // namespace slaq::page
