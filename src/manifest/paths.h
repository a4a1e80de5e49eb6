// The path of a value in a document, as text for people ("spec.workers.template.spec.containers[0].image")
// and as steps, by which the line of a violation is found.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace slaq::manifest {

// A key of an object or an index of an array.
using PathStep = std::variant<std::string, std::size_t>;
using Path = std::vector<PathStep>;

// `path` extended by a key; a key that is no plain word is quoted: metadata.labels["app.kubernetes.io/name"].
// Control characters are escaped for people, and stepsOf does not find them again.
std::string pathTo(const std::string& path, std::string_view key);
// `path` extended by an index: containers[0].
std::string pathTo(const std::string& path, std::size_t index);

// The steps of a path that the functions above wrote. Stops at the first thing that it cannot read.
Path stepsOf(std::string_view path);

}  // namespace slaq::manifest
