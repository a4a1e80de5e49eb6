// The flags that name the columns of a table with a trace.
#pragma once

#include "simulate/input/trace.h"

namespace CLI {
class App;
}

namespace slaq::cli::flags {

// `columns` outlives the command.
void addTraceFlags(CLI::App& command, simulate::TraceColumns& columns);

}  // namespace slaq::cli::flags
