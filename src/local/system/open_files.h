// The number of files that a process may have open. Sockets and records of many jobs are more than the usual
// 1024.
#pragma once

namespace slaq::local::system {

// Allows this process the most that it may allow itself. Call it before other threads start.
void allowMoreOpenFiles();

// Gives the calling process the limit from before that, for a program that it becomes: some programs cannot
// handle files with large numbers. Allocates nothing.
void restoreOpenFiles();

}  // namespace slaq::local::system
