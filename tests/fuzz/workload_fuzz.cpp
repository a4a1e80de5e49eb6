// What is simulated: workloads, with the files that they name standing in.
#include "fuzz/checks.h"
#include "simulate/input/duration.h"
#include "simulate/input/workload.h"

namespace slaq::fuzz {
namespace {

simulate::WorkloadSources sources() {
  const auto missing = [](const std::string& name) {
    return failure(ErrorKind::NotFound, "there is no file " + printable(name));
  };
  return {.traces = [=](const std::string& name) -> Result<simulate::Trace> {
            if (name != "a.csv") return missing(name);
            return simulate::Trace{{2, 1, 0.5}};
          },
          .scalings = [=](const std::string& name) -> Result<simulate::Scaling> {
            if (name != "s.csv") return missing(name);
            return simulate::Scaling{{{1, 1}, {4, 2}}};
          },
          .constants = [=](const std::string& name) -> Result<forecast::FittedConstants> {
            return missing(name);
          }};
}

}  // namespace
}  // namespace slaq::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace slaq;
  const auto workload = simulate::readWorkload("w.yaml", fuzz::textOf(data, size), fuzz::sources());
  if (!workload) {
    fuzz::checkSentences(workload.error().message);
    return 0;
  }
  fuzz::check(!workload->jobs.empty(), "a workload has jobs");
  for (const auto& job : workload->jobs) {
    fuzz::check(job.trace != nullptr, "a job has a trace");
    fuzz::check(Workers(1) <= job.least && job.least <= job.most, "a job's bounds are in order");
    fuzz::check(job.pauses.grow >= Seconds(0) && job.start >= Seconds(0), "a job's times are not negative");
    fuzz::check(job.weight >= 1 && job.weight <= 1000, "a job's weight is in bounds");
  }
  if (const auto why = simulate::whyTooLong(*workload, 1e6)) fuzz::checkSentence(*why);
  return 0;
}
