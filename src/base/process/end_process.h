// The end of a program whose work is done.
#pragma once

namespace slaq {

// Writes out what the standard streams hold and ends the process without the destructors of static objects:
// the HTTP library joins its threads in one, and may wait there for ever. All that matters must be released
// by its owner before. Under a sanitizer the process ends in the usual way, so that it can report.
[[noreturn]] void endProcess(int status);

}  // namespace slaq
