// The advice of `slaq advise` as text for people, as JSON for scripts and as a page.
#pragma once

#include <string>

#include "cli/advise/advice.h"
#include "cli/terminal/grid.h"

namespace slaq::cli::advise {

// A page for people; `title` is the job. REQUIRES: the advice is of this outlook.
std::string adviceText(const std::string& title, const Outlook& outlook, const Advice& advice,
                       const terminal::Frame& frame);

// The same as JSON for scripts.
std::string adviceJson(const std::string& title, const Outlook& outlook, const Advice& advice);

// The same as the document of a page (page/document.h).
std::string adviceDocument(const std::string& title, const Outlook& outlook, const Advice& advice);

}  // namespace slaq::cli::advise
