// Turns a container of a pod template into a process of this machine.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "job/job.h"
#include "local/processes/process.h"

namespace slaq::local::processes {

using Variables = std::map<std::string, std::string>;

// Expands variables as Kubernetes does: $(NAME) becomes the value of a known variable and stays as it is
// otherwise; $$ becomes one $, so that $$(NAME) is not expanded.
std::string expand(std::string_view text, const Variables& variables);

// The file of a program. A name with a slash is a path; others are looked up in the directories.
Result<std::string> findProgram(const std::string& name, const std::vector<std::filesystem::path>& path);
// `first`, then the directories of $PATH.
std::vector<std::filesystem::path> searchPath(const std::filesystem::path& first);
// `first`, then the directories of `text`, which is in the form of $PATH.
std::vector<std::filesystem::path> searchPath(const std::filesystem::path& first, const std::string& text);

// The process of a container. Its command and args are expanded with `given` and the container's own
// variables. Its environment also inherits this process' environment, or only the part that is no secret
// where it runs as another user. Variables in `given` override the container's. REQUIRES: container.command
// is not empty.
Result<ProcessSpec> commandOf(const Container& container, const Variables& given,
                              const std::vector<std::filesystem::path>& path,
                              const std::shared_ptr<const Owner>& owner = {});

}  // namespace slaq::local::processes
