// The files of web/, built into the program (cmake/SlaqPage.cmake).
#pragma once

#include <string_view>

namespace slaq::page {

extern const std::string_view kHtml;    // with places for the other files
extern const std::string_view kStyle;   // CSS
extern const std::string_view kScript;  // JavaScript, with the plotting library

}  // namespace slaq::page
