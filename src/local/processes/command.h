// How a container of a pod template becomes a process of this machine.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "job/job.h"
#include "local/processes/process.h"

namespace slaq::local::processes {

using Variables = std::map<std::string, std::string>;

// Kubernetes' expansion: $(NAME) becomes the value of a known variable and stays as it is otherwise; $$ is
// one $, so that $$(NAME) is left alone.
std::string expand(std::string_view text, const Variables& variables);

// Where programs are found: a name with a slash is a path, others are looked up in the directories.
Result<std::string> findProgram(const std::string& name, const std::vector<std::filesystem::path>& path);
// `first`, then the directories of $PATH.
std::vector<std::filesystem::path> searchPath(const std::filesystem::path& first);

// The process of a container: command and args with `given` and the container's own variables expanded,
// this process' environment beneath them. What slaq gives wins over what the container sets.
// REQUIRES: container.command is not empty.
Result<ProcessSpec> commandOf(const Container& container, const Variables& given,
                              const std::vector<std::filesystem::path>& path);

}  // namespace slaq::local::processes
