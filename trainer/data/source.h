// Where the rows come from: a generator that makes a chunk from the problem's seed wherever it is asked, or
// a file that the driver has read.
#pragma once

#include <cstdint>

#include "trainer/data/chunk.h"

namespace slaq::trainer::data {

class Source {
 public:
  virtual ~Source() = default;
  // REQUIRES: 0 <= index < problem.chunks. The same rows at each call, rowsOf(problem, index) of them.
  virtual Chunk chunk(std::int64_t index) const = 0;
};

}  // namespace slaq::trainer::data
