// The flags that say which columns of a table hold a trace.
#pragma once

#include "simulate/input/trace.h"

namespace CLI {
class App;
}

namespace slaq::cli::flags {

// `columns` outlives the command.
void addTraceFlags(CLI::App& command, simulate::TraceColumns& columns);

}  // namespace slaq::cli::flags
