#include "cli/store/kept_losses.h"

#include <algorithm>
#include <cstdio>
#include <fstream>

#include "base/figures.h"
#include "cli/store/job_state.h"
#include "cli/store/serve_directory.h"

namespace slaq::cli::store {
namespace {

constexpr const char* kHeader = "time,iteration,loss\n";

std::string lineOf(const LossSample& sample) {
  return toDecimal(Seconds(sample.time.time_since_epoch()).count(), 14) + "," +
         toDecimal(sample.iteration.value(), 15) + "," + toDecimal(sample.loss.value(), 9) + "\n";
}

std::optional<LossSample> sampleFrom(const std::string& line) {
  double time = 0;
  double iteration = 0;
  double loss = 0;
  if (std::sscanf(line.c_str(), "%lf,%lf,%lf", &time, &iteration, &loss) != 3) return std::nullopt;
  return LossSample{.time = Time(Seconds(time)), .iteration = Iterations(iteration), .loss = Loss(loss)};
}

// The first line names the job's uid, so that another job of the same name does not get its losses.
std::string beginningFor(const std::string& uid) { return "# " + uid + "\n" + kHeader; }

std::vector<LossSample> readSamples(const std::filesystem::path& file, const std::string& uid) {
  std::vector<LossSample> samples;
  std::ifstream in(file);
  std::string line;
  if (!std::getline(in, line) || line != "# " + uid) return samples;
  while (std::getline(in, line)) {
    const auto sample = sampleFrom(line);
    if (sample && (samples.empty() || sample->time > samples.back().time)) samples.push_back(*sample);
  }
  return samples;
}

}  // namespace

std::filesystem::path KeptLosses::fileOf(const JobKey& job) const {
  return directory_ / (dottedName(job) + ".csv");
}

KeptLosses::Kept& KeptLosses::keptOf(const LossRequest& request) {
  Kept& kept = kept_[request.job];
  if (kept.uid == request.uid) return kept;
  kept = {.uid = request.uid, .samples = readSamples(fileOf(request.job), request.uid)};
  for (const auto& sample : kept.samples) {
    if (tell_) tell_(request.job, kept.uid, sample);
  }
  return kept;  // the file is rewritten as a whole: its last line may be incomplete
}

void KeptLosses::add(const JobKey& job, Kept& kept, const LossSample& sample) {
  if (!kept.samples.empty() && sample.time <= kept.samples.back().time) return;
  // A loss that does not change is kept with its first and its last time. The time between them shows for how
  // long the job did nothing new.
  const auto isEqual = [&](const LossSample& each) {
    return each.iteration == sample.iteration && each.loss == sample.loss;
  };
  const std::size_t n = kept.samples.size();
  if (n >= 2 && isEqual(kept.samples[n - 1]) && isEqual(kept.samples[n - 2])) {
    kept.samples.back() = sample;
    return;
  }
  kept.samples.push_back(sample);
  if (tell_) tell_(job, kept.uid, sample);
  if (kept.samples.size() <= kMost) return;
  std::size_t left = 0;
  for (std::size_t i = 0; i < kept.samples.size(); i += 2) kept.samples[left++] = kept.samples[i];
  kept.samples.resize(left);
  kept.written = 0;
}

Result<LossReport> KeptLosses::collect(const std::vector<LossRequest>& jobs, Time now) {
  auto report = source_.collect(jobs, now);
  if (!report) return report;
  for (const auto& request : jobs) {
    Kept& kept = keptOf(request);
    JobLoss& loss = (*report)[request.job];
    for (const auto& sample : loss.samples) add(request.job, kept, sample);
    loss.samples.assign(std::ranges::lower_bound(kept.samples, request.since, {}, &LossSample::time),
                        kept.samples.end());
  }
  return report;
}

Result<void> KeptLosses::write(const JobKey& job, Kept& kept) {
  std::string text;
  for (std::size_t i = kept.written; i < kept.samples.size(); ++i) text += lineOf(kept.samples[i]);
  if (kept.written == 0) {
    if (auto done = replaceFile(fileOf(job), beginningFor(kept.uid) + text); !done) return done;
  } else {
    std::ofstream out(fileOf(job), std::ios::app);
    const auto before = out.tellp();
    if (!(out << text << std::flush)) {
      // An incomplete line would spoil the next one.
      out.close();
      std::error_code ignored;
      std::filesystem::resize_file(fileOf(job), static_cast<std::uintmax_t>(before), ignored);
      return failure(ErrorKind::Transient, "can't write " + fileOf(job).string());
    }
  }
  kept.written = kept.samples.size();
  return {};
}

Result<void> KeptLosses::save(const std::vector<JobKey>& jobs) {
  Result<void> all;
  std::map<JobKey, Kept> left;
  for (const auto& job : jobs) {
    const auto found = kept_.find(job);
    if (found == kept_.end()) continue;
    if (found->second.written < found->second.samples.size()) {
      if (auto done = write(job, found->second); !done && all) all = failure(done.error());
    }
    left.insert(kept_.extract(found));
  }
  for (const auto& [job, kept] : kept_) {
    std::error_code ignored;
    std::filesystem::remove(fileOf(job), ignored);
  }
  kept_ = std::move(left);
  return all;
}

}  // namespace slaq::cli::store
