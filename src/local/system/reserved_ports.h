// TCP ports of this machine that are free, each reserved for one program.
#pragma once

#include <vector>

#include "base/result.h"
#include "local/system/files.h"

namespace slaq::local::system {

// A port of one program. No process of slaq on this machine reserves it for another program as long as this
// object exists, and none binds it to see whether it is free. So it stays free until its program binds it,
// however long that takes. Movable; any thread.
class ReservedPort {
 public:
  // The port that an earlier process reserved for a program which may still use it. If another process has
  // reserved it meanwhile, that reservation stays the only one.
  static ReservedPort again(int number);

  int number() const { return number_; }

 private:
  friend Result<std::vector<ReservedPort>> reservePorts(int count, int first, int last);
  ReservedPort(int number, Descriptor name) : number_(number), name_(std::move(name)) {}

  int number_;
  Descriptor name_;  // a socket with the port's name, which only one process can have
};

// Reserves `count` different ports that are free on every address, from `first` to below `last`. The default
// range ends below Linux's range for outgoing connections, which begins at 32768. The error is Transient if
// fewer than `count` are free.
Result<std::vector<ReservedPort>> reservePorts(int count, int first = 20'000, int last = 32'000);

}  // namespace slaq::local::system
