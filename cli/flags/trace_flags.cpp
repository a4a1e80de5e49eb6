#include "cli/flags/trace_flags.h"

#include <CLI/CLI.hpp>

namespace slaq::cli::flags {

void addTraceFlags(CLI::App& command, simulate::TraceColumns& columns) {
  command.add_option("--iteration", columns.iteration,
                     "the column of the iterations (iteration, step, epoch or round)");
  command.add_option("--loss", columns.loss,
                     "the column of the losses (loss, the only one with loss in its name, or value)");
  command.add_option("--job", columns.job, "the job whose losses are meant, of a table with a column job");
}

}  // namespace slaq::cli::flags
