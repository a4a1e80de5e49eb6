// Whole epochs on what others wrote: a line is a TrainingJob (T{...}), the Job of the last one's workers or
// driver (C{...}), an answer of Prometheus (A{...}), a record of a kind (R{...}), or else an epoch.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "fuzz/checks.h"
#include "kube/json/json_fields.h"
#include "kube/objects/child.h"
#include "kube/objects/training_job.h"
#include "loop/epoch_loop.h"
#include "manifest/object_writer.h"
#include "manifest/record_codec.h"
#include "manifest/status_codec.h"
#include "prometheus/matching.h"

namespace slaq::fuzz {
namespace {

constexpr int kMostEpochs = 8;

class World final : public Cluster, public LossSource, public RecordStore, public Clock {
 public:
  void read(std::string_view line) {
    const auto text = line.substr(1);
    if (line.front() == 'T') addJob(kube::json::parseJson(text));
    if (line.front() == 'C') addChild(kube::json::parseJson(text));
    if (line.front() == 'A') {
      if (auto matrix = prom::readMatrix(std::string(text))) answers_.push_back(std::move(*matrix));
    }
    if (line.front() == 'R') {
      if (auto record = manifest::readKindRecord(text)) records_.push_back(std::move(*record));
    }
  }
  void pass(Seconds time) { now_ += time; }

  Time now() const override { return now_; }
  Seconds monotonic() const override { return now_.time_since_epoch(); }

  Result<ClusterView> observe() override {
    ClusterView view{.time = now_, .jobs = {}};
    for (const auto& [key, job] : jobs_) view.jobs.push_back(job);
    return view;
  }
  Result<void> apply(const Action&) override { return {}; }
  Result<void> writeStatus(const JobKey& job, const std::string&, const JobStatus& status) override {
    rapidjson::Document document;
    const auto text = manifest::toText(manifest::writeStatus(status, document.GetAllocator()));
    const auto again = kube::json::parseJson(text);
    check(!again.HasParseError(), "a status is JSON");
    for (const auto& each : status.conditions) {
      if (!each.message.empty()) checkSentence(each.message);
    }
    if (status.decision && !status.decision->reason.empty()) checkSentence(status.decision->reason);
    jobs_.at(job).status = manifest::readStatus(again);
    return {};
  }
  void record(const JobKey&, const Event& event) override { checkSentence(event.message); }

  Result<LossReport> collect(const std::vector<LossRequest>& jobs, Time) override {
    std::vector<const LossRequest*> requests;
    for (const auto& each : jobs) requests.push_back(&each);
    prom::SeriesMatching matching(requests, {});
    for (const auto& each : answers_) matching.add(each, prom::SeriesMatching::Origin::Raw);
    LossReport report;
    for (const auto& each : jobs) report[each.job] = matching.lossOf(each);
    return report;
  }

  Result<std::vector<KindRecord>> read() override { return records_; }
  Result<void> write(std::span<const KindRecord> kinds) override {
    for (const auto& each : kinds)
      check(manifest::readKindRecord(manifest::toText(each)).has_value(), "what is kept can be read again");
    return {};
  }

 private:
  void addJob(const rapidjson::Document& document) {
    if (document.HasParseError()) return;
    const auto stored = kube::objects::readStoredJob(document);
    last_ = stored.key;
    JobView view{.job = wholeJob(stored), .status = stored.status};
    if (!stored.violations.empty()) view.refusal = stored.violations.front().message;
    jobs_.insert_or_assign(last_, std::move(view));
  }

  void addChild(const rapidjson::Document& document) {
    const auto found = jobs_.find(last_);
    if (document.HasParseError() || found == jobs_.end()) return;
    const auto child = kube::objects::readChild(document);
    if (child.role == kube::objects::Role::Driver) {
      found->second.driver = kube::objects::driverView(child);
    } else {
      found->second.workers = kube::objects::workersView(child);
    }
  }

  Time now_{Seconds(1.7e9)};
  std::map<JobKey, JobView> jobs_;
  JobKey last_;
  std::vector<prom::Matrix> answers_;
  std::vector<KindRecord> records_;
};

void checkPlan(const loop::EpochReport& report) {
  for (const auto& job : report.plan.jobs) {
    check(job.target >= Workers(0) && job.target <= Workers(100'000), "a number of workers is in bounds");
    check(job.predictedReduction == job.predictedReduction, "a predicted reduction is a number");
  }
}

void play(std::string_view text) {
  World world;
  scheduler::Settings settings;
  settings.capacity = Cores(16'000);
  loop::EpochLoop loop(world, world, world, settings, checkPlan);
  loop.keepRecordsIn(world);
  int epochs = 0;
  const auto runEpoch = [&] {
    world.pass(Seconds(3));
    if (++epochs <= kMostEpochs) check(loop.run().has_value(), "an epoch succeeds");
  };
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const bool isInput =
        !line.empty() && std::string_view("TCAR").find(line.front()) != std::string_view::npos;
    if (isInput) world.read(line);
    if (!isInput) runEpoch();
  }
  runEpoch();
  runEpoch();
}

}  // namespace
}  // namespace slaq::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  slaq::fuzz::play(slaq::fuzz::textOf(data, size));
  return 0;
}
