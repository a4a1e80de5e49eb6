// Which processes are in control groups, and how groups are removed.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <vector>

namespace slaq::local::cpu {

// How the names of the groups begin that have all processes of one slaq: "slaq-4711-1f3a9c".
inline constexpr const char* kNameOfAll = "slaq-";

// The slaq whose processes are in the groups of this directory; 0 where it is none's.
pid_t ownerOf(const std::filesystem::path& directory);

// Without those of another pid namespace.
std::vector<pid_t> processesIn(const std::filesystem::path& group);
void killAllIn(const std::filesystem::path& group);

// Removes a control group and those in it as far as no process is in them.
void sweepCgroup(const std::filesystem::path& directory);
// Does so with what was left under `parent` by each slaq that has ended.
void sweepCgroups(const std::filesystem::path& parent);

// Kills every process in a control group and in the groups below it, and removes the groups. A group that
// can't be removed within a second stays.
void removeCgroup(const std::filesystem::path& directory);

}  // namespace slaq::local::cpu
