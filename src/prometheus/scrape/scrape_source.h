// Scrapes losses directly from the trainers, for clusters without Prometheus. Its threads read each chief's
// metrics at an interval and keep new samples; collect only copies them.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "http/client.h"
#include "ports/loss_source.h"
#include "prometheus/scrape/exposed_loss.h"

namespace slaq::prom {

struct ScrapeOptions {
  Seconds interval{0.25};
  Seconds deadline{2};  // for one scrape
  std::string path = "/metrics";
  int threads = 4;                 // the number of concurrent scrapes
  std::size_t samplesKept = 4096;  // of each job; the oldest go first
};

class ScrapeSource final : public LossSource {
 public:
  // The clock gives the samples their times and must outlive this.
  ScrapeSource(ScrapeOptions options, const Clock& clock);
  ~ScrapeSource() override;

  // Scrapes the endpoints of these jobs from now on, and no others.
  Result<LossReport> collect(const std::vector<LossRequest>& jobs, Time now) override;

 private:
  using Instant = std::chrono::steady_clock::time_point;

  // A scrape target. It is immutable, so that a scrape needs no lock.
  struct Target {
    LossRequest request;
    std::shared_ptr<http::HttpClient> client;
  };
  struct Job {
    std::shared_ptr<const Target> target;
    std::deque<LossSample> samples;
    std::string problem;                // of the last scrape; empty after a good one
    std::optional<std::string> notice;  // of the last good one
    Instant due;
    bool underWay = false;
    int failures = 0;  // in a row
  };

  void scrapeUntil(const std::stop_token& stop);
  // Called with the mutex held:
  Job* nextDue();
  void finish(const std::shared_ptr<const Target>& target, const Result<ExposedLoss>& scraped, Seconds took);
  JobLoss lossOf(const LossRequest& request) const;
  void announce();
  void keep(Job& job, const LossSample& sample) const;
  void registerJob(const LossRequest& request);
  // Called without it:
  Result<http::HttpResponse> get(const Target& target, std::string& path) const;
  Result<ExposedLoss> scrape(const Target& target) const;
  static bool isSameLoss(const LossRequest& a, const LossRequest& b);

  const ScrapeOptions options_;
  const Clock& clock_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::map<JobKey, Job> jobs_;
  std::uint64_t revision_ = 0;  // changes whenever the next due scrape may have changed
  std::vector<std::jthread> threads_;
};

}  // namespace slaq::prom
