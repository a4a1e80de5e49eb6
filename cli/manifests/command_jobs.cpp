#include "cli/manifests/command_jobs.h"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

#include "base/dns_name.h"
#include "cli/manifests/command_check.h"
#include "job/loss_from.h"

namespace slaq::cli::manifests {
namespace {

constexpr std::size_t kLongestName = 40;
constexpr const char* kNameless = "job";

std::string quoted(const std::string& text) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  writer.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
  return buffer.GetString();
}

std::string yamlList(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : ", ") + quoted(withoutExpansion(word));
  return "[" + text + "]";
}

// "{file: {path: "log.csv", metric: "loss"}}"
std::string lossFromText(const CommandDefaults& defaults) {
  const auto colon = defaults.lossFrom.find(':');
  const std::string kind = defaults.lossFrom.empty() ? "output" : defaults.lossFrom.substr(0, colon);
  std::string fields;
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) fields += (fields.empty() ? "" : ", ") + std::string(name) + ": " + quoted(value);
  };
  add("path", colon == std::string::npos ? "" : defaults.lossFrom.substr(colon + 1));
  add("metric", defaults.metric);
  add("pattern", defaults.pattern);
  return "{" + kind + ": {" + fields + "}}";
}

std::string sizeText(const CommandDefaults& defaults) {
  if (!defaults.workers.empty()) {
    const auto colon = defaults.workers.find(':');
    return "    minReplicas: " + defaults.workers.substr(0, colon) +
           "               # each runs the command\n    maxReplicas: " + defaults.workers.substr(colon + 1) +
           "\n";
  }
  const std::string one = "    minReplicas: 1               # one process";
  if (defaults.onGpu) return one + "\n    maxReplicas: 1\n";
  return one +
         ", whose CPU changes while it runs\n    maxReplicas: 1\n    scaling: CPU\n    cpu: {min: 100m, "
         "max: " +
         quoted(defaults.maxCpu) + "}  # its bounds, in cores\n";
}

std::string resourcesText(const CommandDefaults& defaults) {
  if (defaults.onGpu) return "          resources: {limits: {nvidia.com/gpu: 1}}\n";
  const auto memory = parseMemory(defaults.gpuMemory);
  const bool hasWorkers = !defaults.workers.empty();
  std::string limits = hasWorkers ? "cpu: " + quoted(defaults.maxCpu) : "";
  if (memory)
    limits += (limits.empty() ? "" : ", ") + std::string(kGpuMemory) + ": " + std::to_string(memory->value());
  return "          resources: {requests: {cpu: " + (hasWorkers ? quoted(defaults.maxCpu) : "100m") + "}" +
         (limits.empty() ? "" : ", limits: {" + limits + "}") + "}\n";
}

// torchrun reads each of its flags from a variable PET_FLAG too, so a command need not know that it is
// elastic. The workers are torchrun's nodes, and worker 0 hosts the rendezvous, since it leaves last.
std::string torchrunText() {
  return R"yaml(          env:  # flags of torchrun
          - {name: PET_NNODES, value: "$(SLAQ_WORKERS_MIN):$(SLAQ_WORKERS_MAX)"}
          - {name: PET_NPROC_PER_NODE, value: "1"}
          - {name: PET_MAX_RESTARTS, value: "1000"}  # one at each change of the workers
          - {name: PET_RDZV_BACKEND, value: c10d}
          - {name: PET_RDZV_ID, value: $(SLAQ_JOB)}
          - {name: PET_RDZV_ENDPOINT, value: $(SLAQ_DRIVER_ADDRESS)}
          ports:
          - {name: driver, containerPort: 29400}
)yaml";
}

// The shell decides whether a worker hosts the rendezvous. torchrun would decide by the host name, which all
// workers of one machine share.
constexpr const char* kWithRendezvous =
    R"([ "$SLAQ_WORKER_INDEX" = 0 ] && host=true || host=false; )"
    R"(export PET_RDZV_CONF="is_host=$host,last_call_timeout=2"; exec "$@")";

std::vector<std::string> startedCommand(const std::vector<std::string>& command,
                                        const CommandDefaults& defaults) {
  if (defaults.workers.empty()) return command;
  std::vector<std::string> words = shellCommand(kWithRendezvous);
  words.emplace_back("sh");
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

}  // namespace

void completeMaxCpu(CommandDefaults& defaults, Cores machine) {
  if (defaults.maxCpu.empty()) defaults.maxCpu = defaults.workers.empty() ? toString(machine) : "1";
}

std::string nameOf(const std::vector<std::string>& words) {
  const auto stem = [](const std::string& word) {
    return dnsLabelFrom(std::filesystem::path(word).stem().string(), kLongestName);
  };
  auto named = std::ranges::find_if(words, isScript);
  if (named == words.end()) {
    const auto module = std::ranges::find(words, "-m");  // python -m package.train
    named = module != words.end() && module + 1 != words.end() ? module + 1 : words.begin();
  }
  const auto name = named == words.end() ? "" : stem(*named);
  return name.empty() ? kNameless : name;
}

std::vector<std::string> shellCommand(const std::string& line) { return {"/bin/sh", "-c", line}; }

bool isListOfCommands(const std::string& path) { return std::filesystem::path(path).extension() == ".txt"; }

std::vector<std::string> commandLines(std::string_view text) {
  std::vector<std::string> lines;
  std::istringstream in{std::string(text)};
  for (std::string line; std::getline(in, line);) {
    const auto begin = line.find_first_not_of(" \t\r");
    if (begin == std::string::npos || line[begin] == '#') continue;
    lines.push_back(line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1));
  }
  return lines;
}

std::string manifestText(const std::vector<std::string>& command, const std::string& name,
                         const CommandDefaults& defaults) {
  return "apiVersion: slaq.io/v1alpha1\n"
         "kind: TrainingJob\n"
         "metadata: {name: " +
         quoted(name) +
         "}\n"
         "spec:\n"
         "  workers:\n" +
         sizeText(defaults) +
         "    template:\n"
         "      spec:\n"
         "        containers:\n"
         "        - name: trainer\n"
         "          image: " +
         quoted(defaults.image) +
         "  # what a cluster runs the command in; one machine needs none\n"
         "          command: " +
         yamlList(startedCommand(command, defaults)) + "\n" + resourcesText(defaults) +
         (defaults.workers.empty() ? "" : torchrunText()) +
         (defaults.retries ? "  backoffLimit: " + std::to_string(*defaults.retries) + "\n" : "") +
         "  loss:\n"
         "    from: " +
         lossFromText(defaults) + "      # found in what the program writes\n" +
         (defaults.maximizes ? "    mode: Maximize             # it is to rise\n" : "");
}

void CommandJobs::add(const std::vector<std::string>& words) {
  jobs_.push_back({defaults_.name.empty() ? nameOf(words) : defaults_.name, words});
}

void CommandJobs::addLine(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream in(line);
  for (std::string word; in >> word;) words.push_back(word);
  jobs_.push_back({defaults_.name.empty() ? nameOf(words) : defaults_.name, shellCommand(line)});
}

std::vector<ManifestText> CommandJobs::manifests() const {
  std::map<std::string, int> count;
  for (const auto& job : jobs_) ++count[job.name];
  std::map<std::string, int> number;
  std::vector<ManifestText> texts;
  for (const auto& job : jobs_) {
    const bool isOne = count[job.name] == 1;
    const std::string name = isOne ? job.name : job.name + "-" + std::to_string(++number[job.name]);
    texts.push_back({"the command of " + name, manifestText(job.command, name, defaults_)});
  }
  return texts;
}

}  // namespace slaq::cli::manifests
