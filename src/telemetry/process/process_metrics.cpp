#include "telemetry/process/process_metrics.h"

#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

namespace slaq::telemetry::process {
namespace {

using prometheus::MetricFamily;
using prometheus::MetricType;

// The fields of /proc/self/stat after the name, which may contain blanks: proc(5) counts them from 3.
class Stat {
 public:
  explicit Stat(const std::string& file) {
    std::ifstream in(file);
    std::string text;
    std::getline(in, text, '\0');
    const auto end = text.rfind(')');
    if (end == std::string::npos) return;
    std::istringstream fields(text.substr(end + 1));
    for (std::string field; fields >> field;) fields_.push_back(field);
  }

  std::optional<double> at(std::size_t number) const {
    if (number - 3 >= fields_.size()) return std::nullopt;
    return std::strtod(fields_[number - 3].c_str(), nullptr);
  }

 private:
  std::vector<std::string> fields_;
};

// The time at which the machine was started, in seconds since 1970.
std::optional<double> bootTime(const std::string& file) {
  std::ifstream in(file);
  for (std::string word; in >> word;) {
    double time = 0;
    if (word == "btime" && in >> time) return time;
  }
  return std::nullopt;
}

std::optional<double> countOf(const std::string& folder) {
  std::error_code unreadable;
  double count = 0;
  for (auto it = std::filesystem::directory_iterator(folder, unreadable);
       !unreadable && it != std::filesystem::directory_iterator(); it.increment(unreadable))
    ++count;
  return unreadable ? std::nullopt : std::optional(count);
}

std::optional<double> mostDescriptors() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return std::nullopt;
  return static_cast<double>(limit.rlim_cur);
}

void add(std::vector<MetricFamily>& families, const char* name, const char* help,
         const std::optional<double>& value, MetricType type = MetricType::Gauge) {
  if (!value) return;
  prometheus::ClientMetric metric;
  (type == MetricType::Gauge ? metric.gauge.value : metric.counter.value) = *value;
  families.push_back({name, help, type, {metric}});
}

}  // namespace

std::vector<MetricFamily> ProcessMetrics::Collect() const {
  const Stat stat(folder_ + "/self/stat");
  const double ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
  const double page = static_cast<double>(sysconf(_SC_PAGESIZE));
  const auto boot = bootTime(folder_ + "/stat");
  const auto user = stat.at(14), kernel = stat.at(15), start = stat.at(22), resident = stat.at(24);
  std::vector<MetricFamily> families;
  add(families, "process_cpu_seconds_total", "Processor time that the process has used.",
      user && kernel ? std::optional((*user + *kernel) / ticks) : std::nullopt, MetricType::Counter);
  add(families, "process_resident_memory_bytes", "Resident memory.",
      resident ? std::optional(*resident * page) : std::nullopt);
  add(families, "process_virtual_memory_bytes", "Virtual memory.", stat.at(23));
  add(families, "process_threads", "Threads.", stat.at(20));
  add(families, "process_open_fds", "Open file descriptors.", countOf(folder_ + "/self/fd"));
  add(families, "process_max_fds", "The most file descriptors that it may open.", mostDescriptors());
  add(families, "process_start_time_seconds", "When the process was started, in seconds since 1970.",
      boot && start ? std::optional(*boot + *start / ticks) : std::nullopt);
  return families;
}

}  // namespace slaq::telemetry::process
