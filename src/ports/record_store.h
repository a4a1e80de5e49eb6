// The port through which what was learned of kinds of trainings outlives the controller.
#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "job/training_record.h"

namespace slaq {

// One thread (the loop's) calls it.
class RecordStore {
 public:
  virtual ~RecordStore() = default;

  // All that was written before; what cannot be read of it is left out.
  virtual Result<std::vector<KindRecord>> read() = 0;

  // Replaces what is kept of these kinds, and forgets those of which nothing is said.
  virtual Result<void> write(std::span<const KindRecord> kinds) = 0;
};

}  // namespace slaq
