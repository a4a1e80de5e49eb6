// Ends the test program if a condition does not hold. It is for code of tests that depends on nothing
// outside: where that fails, the test itself is wrong.
#pragma once

#include <cstdlib>

namespace slaq::test {

inline void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace slaq::test
