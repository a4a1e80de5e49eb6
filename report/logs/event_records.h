// The records of a TensorBoard event file: serialized Event messages, each with its length before and a
// checksum after it.
#pragma once

#include <string>
#include <string_view>

#include "report/output/scalar.h"

namespace slaq::report {

class EventRecords {
 public:
  // Adds the next bytes of the file, and calls `tell` with the scalars of all records that are complete now.
  // Records that are not events are skipped.
  void add(std::string_view bytes, const TellScalar& tell);

 private:
  std::string rest_;       // the beginning of an incomplete record
  bool isBroken_ = false;  // the length of a record is impossible, so no further record can be found
};

}  // namespace slaq::report
