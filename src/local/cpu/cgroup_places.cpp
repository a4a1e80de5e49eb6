#include "local/cpu/cgroup_places.h"

#include <algorithm>
#include <optional>
#include <sstream>
#include <string>

namespace slaq::local::cpu {
namespace {

struct Mount {
  std::string root;   // the mounted part of the hierarchy
  std::string point;  // the directory where it is mounted
  std::string type;
  std::string options;
};

bool lists(std::string_view words, std::string_view word) {
  std::istringstream in{std::string(words)};
  for (std::string each; std::getline(in, each, ',');) {
    if (each == word) return true;
  }
  return false;
}

// "32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu", see proc(5).
std::optional<Mount> readMount(const std::string& line) {
  const auto dash = line.find(" - ");
  if (dash == std::string::npos) return std::nullopt;
  Mount mount;
  std::string skipped;
  std::istringstream(line) >> skipped >> skipped >> skipped >> mount.root >> mount.point;
  std::istringstream(line.substr(dash + 3)) >> mount.type >> skipped >> mount.options;
  return mount;
}

// This process' group in the hierarchy whose controllers `wanted` accepts.
template <class Predicate>
std::optional<std::string> ownGroup(std::string_view selfCgroup, Predicate wanted) {
  std::istringstream in{std::string(selfCgroup)};
  for (std::string line; std::getline(in, line);) {
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    if (wanted(line.substr(first + 1, second - first - 1))) return line.substr(second + 1);
  }
  return std::nullopt;
}

// The directory of a group below a mount; the mount itself if the group lies outside of it.
std::filesystem::path directoryOf(const Mount& mount, const std::string& group) {
  const std::string root = mount.root == "/" ? "" : mount.root;
  if (!group.starts_with(root + "/")) return mount.point;
  return (std::filesystem::path(mount.point) / group.substr(root.size() + 1)).lexically_normal();
}

std::filesystem::path withoutSlash(const std::filesystem::path& path) {
  return path.has_filename() ? path : path.parent_path();
}

void addVersionTwo(const Mount& mount, const std::string& group, std::vector<CgroupPlace>& out) {
  const auto top = withoutSlash(mount.point);
  for (auto each = withoutSlash(directoryOf(mount, group));; each = each.parent_path()) {
    out.push_back({CgroupVersion::Two, each});
    if (each == top || each == each.parent_path()) return;
  }
}

}  // namespace

std::vector<CgroupPlace> cgroupPlaces(std::string_view mountinfo, std::string_view selfCgroup) {
  const auto one = ownGroup(selfCgroup, [](const std::string& list) { return lists(list, "cpu"); });
  const auto two = ownGroup(selfCgroup, [](const std::string& list) { return list.empty(); });
  std::vector<CgroupPlace> places;
  std::istringstream in{std::string(mountinfo)};
  for (std::string line; std::getline(in, line);) {
    const auto mount = readMount(line);
    if (!mount) continue;
    if (mount->type == "cgroup" && lists(mount->options, "cpu") && one) {
      places.push_back({CgroupVersion::One, withoutSlash(directoryOf(*mount, *one))});
    }
    if (mount->type == "cgroup2" && two) addVersionTwo(*mount, *two, places);
  }
  std::ranges::stable_sort(places, {}, &CgroupPlace::version);
  return places;
}

}  // namespace slaq::local::cpu
