// The advice of `slaq advise` as text for people, as JSON for scripts and as a page.
#pragma once

#include <string>

#include "cli/advise/advice.h"
#include "cli/terminal/grid.h"

namespace slaq::cli::advise {

// The advice as text; `title` names the job. REQUIRES: the advice was made from this outlook.
std::string adviceText(const std::string& title, const Outlook& outlook, const Advice& advice,
                       const terminal::Frame& frame);

// The advice as JSON for scripts.
std::string adviceJson(const std::string& title, const Outlook& outlook, const Advice& advice);

// The advice as the document of a page (page/document.h).
std::string adviceDocument(const std::string& title, const Outlook& outlook, const Advice& advice);

}  // namespace slaq::cli::advise
