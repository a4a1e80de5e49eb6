#include "prometheus/scrape/scrape_source.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/nearest.h"
#include "prometheus/samples.h"
#include "prometheus/scrape/exposition.h"
#include "prometheus/series_choice.h"

namespace slaq::prom {

namespace {

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

// A metric that a job names in spec.loss, in the field `field`. Metrics of its kind have one of `words` in
// their names.
struct Wanted {
  std::string name;
  std::vector<std::string_view> words;
  const char* field;
  const char* what;
};

constexpr const char* kNothingReported =
    "no loss was found so far in what its program writes; --metric and --from, or spec.loss.from, tell of it";
constexpr const char* kNoChief =
    "no chief runs whose metrics could be read; those of the pods of a targetRef need a Prometheus";

// The message that the metric is missing, with the name that is probably meant.
std::string missing(const Wanted& wanted, std::vector<std::string> names) {
  const auto hasWord = [&](const std::string& name) {
    return std::ranges::any_of(wanted.words, [&](auto word) { return name.find(word) != name.npos; });
  };
  std::erase_if(names, [&](const auto& each) { return !hasWord(each); });
  const auto similar = nearest(wanted.name, names);
  const std::string meant = similar ? *similar : names.empty() ? "" : names.front();
  return "there is no metric " + wanted.name +
         (meant.empty() ? "; export " + std::string(wanted.what) + " under that name"
                        : "; if " + meant + " is meant, write spec.loss." + wanted.field + ": " + meant);
}

// The series of one metric in an exposition: their labels, and the views of these by which series are chosen.
class ExposedSeries {
 public:
  void add(const ExposedSample& sample) {
    auto& own = labels_.emplace_back(sample.labels);
    std::erase_if(own, [](const auto& label) { return label.second.empty(); });  // they count as absent
    std::ranges::sort(own);
    views_.emplace_back(own.begin(), own.end());
    values_.push_back(sample.value);
  }

  bool empty() const { return values_.empty(); }
  std::size_t size() const { return values_.size(); }
  double value(std::size_t index) const { return values_[index]; }
  const Labels& labels(std::size_t index) const { return views_[index]; }
  std::vector<const Labels*> candidates() const {
    std::vector<const Labels*> all;
    for (const auto& each : views_) all.push_back(&each);
    return all;
  }

 private:
  std::deque<std::vector<std::pair<std::string, std::string>>> labels_;
  std::deque<Labels> views_;
  std::vector<double> values_;
};

}  // namespace

Result<ExposedLoss> readLoss(std::string_view exposition, const LossRequest& request, Time time) {
  ExposedSeries losses;
  ExposedSeries iterations;
  ExposedSeries initials;
  std::vector<std::string> names;
  auto read = readExposition(exposition, [&](const ExposedSample& sample) {
    if (names.empty() || names.back() != sample.name) names.emplace_back(sample.name);
    if (sample.name == request.metric) losses.add(sample);
    if (sample.name == request.iterationMetric) iterations.add(sample);
    if (sample.name == kInitialLossMetric) initials.add(sample);
  });
  if (!read) return failure(read.error());
  if (losses.empty() && request.isReported) return failure(ErrorKind::NotFound, kNothingReported);
  if (losses.empty())
    return failure(ErrorKind::NotFound, missing({request.metric, {"loss"}, "metric", "the loss"}, names));
  if (iterations.empty()) {
    return failure(ErrorKind::NotFound, missing({request.iterationMetric,
                                                 {"iteration", "step", "batch", "epoch"},
                                                 "iterationMetric",
                                                 "the number of iterations that are done"},
                                                names));
  }
  if (const std::size_t series = losses.size() + iterations.size(); series > kMostSeriesOfAJob)
    return failure(ErrorKind::Invalid, tooManySeries(static_cast<double>(series)));
  const auto allLosses = losses.candidates();
  const auto allIterations = iterations.candidates();
  const auto pairs = pairsOf(allLosses, allIterations);
  const SeriesPair& chosen = pairs.front();
  ExposedLoss found{{time, Iterations(iterations.value(chosen.iterations)), Loss(losses.value(chosen.loss))},
                    noticeOf({request.metric, request.iterationMetric}, allLosses, allIterations, pairs)};
  if (const auto initial = nearestTo(losses.labels(chosen.loss), initials.candidates()))
    found.sample.initial = Loss(initials.value(initial->index));
  return found;
}

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
    finish(target, found);
  }
}

void ScrapeSource::finish(const std::shared_ptr<const Target>& target, const Result<ExposedLoss>& scraped) {
  const auto found = jobs_.find(target->request.job);
  if (found == jobs_.end() || found->second.target != target) return;
  found->second.underWay = false;
  found->second.problem = scraped ? "" : scraped.error().message;
  if (scraped) {
    keep(found->second, scraped->sample);
    found->second.notice = scraped->notice;
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
    if (retriable(kind)) message += "; the program must serve its metrics on the port in SLAQ_METRICS_PORT";
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
