#include "release/version.h"

namespace slaq::release {

const Build& thisBuild() {
  static const Build build{SLAQ_VERSION, SLAQ_REVISION};
  return build;
}

std::string toString(const Build& build) { return build.version + " (revision " + build.revision + ")"; }

}  // namespace slaq::release
