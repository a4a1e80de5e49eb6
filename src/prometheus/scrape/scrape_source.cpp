#include "prometheus/scrape/scrape_source.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "prometheus/samples.h"

namespace slaq::prom {

namespace {

constexpr Seconds kLongestPause{60};  // between two scrapes of an endpoint that does not answer

// Prometheus follows the same number.
constexpr int kMostRedirects = 10;

// A URI has no other characters. Control characters would get from there into messages.
bool isOfUri(char c) { return c > ' ' && c < '\x7f'; }

// The path that a redirect from `path` leads to, if it stays on the host. The location is "/other", "other"
// beside it, "?another query", or the whole address.
std::optional<std::string> pathOnSameHost(std::string_view location, std::string_view host,
                                          std::string_view path) {
  if (!std::ranges::all_of(location, isOfUri)) return std::nullopt;
  const std::string own = "http://" + std::string(host);
  const bool isWhole = location.starts_with(own + "/") || location == own;
  if (isWhole) location.remove_prefix(own.size());
  if (isWhole && location.empty()) return "/";
  location = location.substr(0, location.find('#'));
  const bool hasScheme = location.substr(0, location.find_first_of("/?")).find(':') != location.npos;
  if (location.empty() || location.starts_with("//") || hasScheme) return std::nullopt;
  if (location.front() == '/') return std::string(location);
  path = path.substr(0, path.find('?'));
  const auto kept = location.front() == '?' ? path.size() : path.rfind('/') + 1;
  return std::string(path.substr(0, kept)) + std::string(location);
}

std::shared_ptr<http::HttpClient> clientOf(const std::string& address) {
  http::HttpEndpoint endpoint;
  endpoint.url = "http://" + address;
  endpoint.maxBodyBytes = 4u << 20;
  return makeHttpClient(endpoint);
}

constexpr const char* kNoChief =
    "no chief runs whose metrics could be read; those of the pods of a targetRef need a Prometheus";

}  // namespace

ScrapeSource::ScrapeSource(ScrapeOptions options, const Clock& clock)
    : options_(std::move(options)), clock_(clock) {
  for (int i = 0; i < options_.threads; ++i) {
    threads_.emplace_back([this](const std::stop_token& stop) { scrapeUntil(stop); });
  }
}

ScrapeSource::~ScrapeSource() {
  for (auto& thread : threads_) thread.request_stop();
}

Result<LossReport> ScrapeSource::collect(const std::vector<LossRequest>& jobs, Time) {
  const std::lock_guard lock(mutex_);
  LossReport report;
  for (const LossRequest& request : jobs) {
    if (request.endpoint) registerJob(request);
    report[request.job] = lossOf(request);
    if (!request.endpoint) jobs_.erase(request.job);
  }
  // Also a job that is being scraped; its scrape then finds it gone.
  std::erase_if(jobs_, [&](const auto& known) { return !report.contains(known.first); });
  announce();
  return report;
}

JobLoss ScrapeSource::lossOf(const LossRequest& request) const {
  JobLoss loss;
  const auto found = jobs_.find(request.job);
  if (found != jobs_.end() && found->second.target->request.uid == request.uid) {
    const auto wanted = [&](const LossSample& sample) { return sample.time >= request.since; };
    std::copy_if(found->second.samples.begin(), found->second.samples.end(), std::back_inserter(loss.samples),
                 wanted);
  }
  if (!loss.samples.empty()) {
    loss.notice = found->second.notice;
    return loss;
  }
  if (!request.endpoint) {
    loss.problem = request.isReported ? kNothingReported : kNoChief;
  } else if (!found->second.problem.empty()) {
    loss.problem = found->second.problem;
  }
  return loss;
}

void ScrapeSource::announce() {
  ++revision_;
  changed_.notify_all();
}

bool ScrapeSource::isSameLoss(const LossRequest& a, const LossRequest& b) {
  return a.uid == b.uid && a.metric == b.metric && a.iterationMetric == b.iterationMetric;
}

void ScrapeSource::registerJob(const LossRequest& request) {
  Job& job = jobs_[request.job];
  const bool isSame = job.target && isSameLoss(job.target->request, request);
  if (isSame && job.target->request.endpoint == request.endpoint) return;
  if (!isSame) job.samples.clear();
  job.target = std::make_shared<Target>(Target{request, clientOf(*request.endpoint)});
  job.problem = *request.endpoint + " is not read yet";
  job.due = {};
  job.underWay = false;
  job.failures = 0;
}

ScrapeSource::Job* ScrapeSource::nextDue() {
  Job* next = nullptr;
  for (auto& [key, job] : jobs_) {
    if (!job.underWay && (next == nullptr || job.due < next->due)) next = &job;
  }
  return next;
}

void ScrapeSource::scrapeUntil(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    Job* next = nextDue();
    const Instant now = std::chrono::steady_clock::now();
    if (next == nullptr || next->due > now) {
      const Instant until = next == nullptr ? now + std::chrono::hours(1) : next->due;
      changed_.wait_until(lock, stop, until, [this, seen = revision_] { return revision_ != seen; });
      continue;
    }
    next->underWay = true;
    next->due = now + std::chrono::duration_cast<Instant::duration>(options_.interval);
    const std::shared_ptr<const Target> target = next->target;
    lock.unlock();
    const Result<ExposedLoss> found = scrape(*target);
    lock.lock();
    finish(target, found, std::chrono::steady_clock::now() - now);
  }
}

void ScrapeSource::finish(const std::shared_ptr<const Target>& target, const Result<ExposedLoss>& scraped,
                          Seconds took) {
  const auto found = jobs_.find(target->request.job);
  if (found == jobs_.end() || found->second.target != target) return;
  Job& job = found->second;
  job.underWay = false;
  job.problem = scraped ? "" : scraped.error().message;
  if (scraped) {
    keep(job, scraped->sample);
    job.notice = scraped->notice;
  }
  // An endpoint that does not answer holds a thread for the whole deadline, so it is asked ever more seldom.
  if (scraped || took < 0.5 * options_.deadline) {
    job.failures = 0;
  } else {
    const Seconds pause = std::min(kLongestPause, took * std::exp2(job.failures++));
    job.due = std::max(
        job.due, std::chrono::steady_clock::now() + std::chrono::duration_cast<Instant::duration>(pause));
  }
  announce();
}

// The answer after the redirects that stay on the host, all within the deadline of one scrape. `path` becomes
// the path where it was found.
Result<http::HttpResponse> ScrapeSource::get(const Target& target, std::string& path) const {
  const Seconds end = clock_.monotonic() + options_.deadline;
  for (int redirects = 0;; ++redirects) {
    http::HttpRequest request;
    request.path = path;
    request.deadline = end - clock_.monotonic();
    request.headers["Accept"] = "text/plain;version=0.0.4";
    auto response = target.client->send(request);
    if (!response || response->status < 300 || response->status >= 400 || redirects == kMostRedirects)
      return response;
    const auto next = pathOnSameHost(response->location, *target.request.endpoint, path);
    if (!next) return response;
    path = *next;
  }
}

Result<ExposedLoss> ScrapeSource::scrape(const Target& target) const {
  const Time time = clock_.now();
  std::string path = options_.path;
  auto response = get(target, path);
  if (!response) {
    auto [kind, message] = response.error();
    if (retriable(kind))
      message +=
          "; the program must serve its metrics on the port in SLAQ_METRICS_PORT, or spec.loss.from says "
          "where it writes its loss";
    return failure(kind, message);
  }
  const std::string where = "http://" + *target.request.endpoint + path;
  if (response->status >= 300 && response->status < 400) {
    return failure(ErrorKind::Transient,
                   where + " redirects to '" + printable(response->location) +
                       "', which is not followed: export the metrics on the chief's own port, at " +
                       options_.path);
  }
  if (response->status != 200) {
    return failure(ErrorKind::Transient, where + " answers with HTTP status " +
                                             std::to_string(response->status) +
                                             "; the metrics must be served there");
  }
  auto found = readLoss(response->body, target.request, time);
  if (!found && !target.request.isReported)  // people know nothing of slaq-report's port
    return failure(found.error().kind, where + ": " + found.error().message);
  return found;
}

// Keeps the first and the last of equal samples in a row.
void ScrapeSource::keep(Job& job, const LossSample& sample) const {
  auto& samples = job.samples;
  if (samples.size() >= 2 && repeats(samples.back(), sample) &&
      repeats(samples[samples.size() - 2], sample)) {
    samples.back() = sample;
    return;
  }
  samples.push_back(sample);
  if (samples.size() > options_.samplesKept) samples.pop_front();
}

}  // namespace slaq::prom
