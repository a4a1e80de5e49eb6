// Which build this program is.
#pragma once

#include <string>

namespace slaq::release {

struct Build {
  std::string version;   // "0.1.0"
  std::string revision;  // of the sources, such as "4f2c1d9"; "unknown" where they were in no repository
};

const Build& thisBuild();

// "0.1.0 (revision 4f2c1d9)"
std::string toString(const Build& build);

}  // namespace slaq::release
