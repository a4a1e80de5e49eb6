// The records of a TensorBoard event file: serialized Event messages, each with its length before and a
// checksum after it.
#pragma once

#include <string>
#include <string_view>

#include "report/output/scalar.h"

namespace slaq::report {

class EventRecords {
 public:
  // The next bytes of the file. Tells the scalars of the records that are whole now; what is no event is
  // passed over.
  void add(std::string_view bytes, const TellScalar& tell);

 private:
  std::string rest_;       // of a record that is not whole
  bool isBroken_ = false;  // no record can be that long
};

}  // namespace slaq::report
