// The page of web/ as one self-contained HTML file: it asks no other server for anything.
#pragma once

#include <string>

namespace slaq::page {

// The page with that document in it (page/document.h), to be opened from a file.
std::string pageWith(const std::string& document);

}  // namespace slaq::page
