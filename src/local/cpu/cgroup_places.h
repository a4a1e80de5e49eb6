// Finds the places where control groups for this process' children could be made, from two files of /proc.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace slaq::local::cpu {

enum class CgroupVersion { One, Two };

struct CgroupPlace {
  CgroupVersion version = CgroupVersion::One;
  std::filesystem::path parent;  // an existing control group

  bool operator==(const CgroupPlace&) const = default;
};

// The places to try, best first: this process' own group of version 1's cpu controller, then its group of
// version 2 and that group's ancestors, nearest first. A group that contains processes can't give the cpu
// controller to children; its ancestors often can.
std::vector<CgroupPlace> cgroupPlaces(std::string_view mountinfo, std::string_view selfCgroup);

}  // namespace slaq::local::cpu
