// What ends a test's program where a piece that tests share fails though it depends on nothing outside: the
// test itself is mistaken.
#pragma once

#include <cstdlib>

namespace slaq::test {

inline void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace slaq::test
