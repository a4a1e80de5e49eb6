// Lists the processes in control groups, and removes groups.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <vector>

namespace slaq::local::cpu {

// The prefix of the parent groups' names, one for each running slaq: "slaq-4711-1f3a9c".
inline constexpr const char* kNameOfAll = "slaq-";

// The process id of the slaq whose processes are in the groups of this directory; 0 if it is not a slaq's.
pid_t ownerOf(const std::filesystem::path& directory);

// Without processes of another pid namespace.
std::vector<pid_t> processesIn(const std::filesystem::path& group);
void killAllIn(const std::filesystem::path& group);

// Removes a control group and the groups in it, except those with processes.
void sweepCgroup(const std::filesystem::path& directory);
// Removes in this way what each slaq that has ended left under `parent`.
void sweepCgroups(const std::filesystem::path& parent);

// Kills every process in a control group and in the groups below it, and removes the groups. A group that
// can't be removed within a second stays.
void removeCgroup(const std::filesystem::path& directory);

}  // namespace slaq::local::cpu
