// The end of a program whose work is done.
#pragma once

namespace slaq {

// Writes out what the standard streams hold and ends the process without the destructors of static objects:
// the HTTP library joins its threads in one, and a process was seen to wait there for ever. What matters is
// released before, by its owner. Under a sanitizer the process ends in the usual way, for its report.
[[noreturn]] void endProcess(int status);

}  // namespace slaq
