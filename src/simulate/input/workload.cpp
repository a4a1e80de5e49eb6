#include "simulate/input/workload.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/text_file.h"
#include "job/validate.h"
#include "simulate/input/constants_file.h"
#include "yaml/fields.h"
#include "yaml/read_yaml.h"

namespace slaq::simulate {
namespace {

constexpr Seconds kHour{3600};
constexpr Seconds kDay = 24 * kHour;
constexpr Seconds kTenth{0.1};
constexpr Seconds kShortestScrape{0.01};
constexpr Seconds kLatestArrival{1e8};
constexpr double kCheapest = 1e-6;
constexpr double kCostliest = 1e9;
constexpr int kHeaviest = 1000;
constexpr Cores kWorker{1000};

// Reads each file once, even if several jobs name it.
template <class Content>
class SharedFiles {
 public:
  using Source = std::function<Result<Content>(const std::string&)>;
  explicit SharedFiles(const Source& source) : source_(source) {}

  Result<std::shared_ptr<const Content>> find(const std::string& name) {
    auto& known = known_[name];
    if (known) return known;
    auto content = source_(name);
    if (!content) return failure(content.error());
    known = std::make_shared<const Content>(std::move(*content));
    return known;
  }

 private:
  const Source& source_;
  std::map<std::string, std::shared_ptr<const Content>> known_;
};

struct Sources {
  SharedFiles<Trace> traces;
  SharedFiles<Trace> rising;  // the same files with negated losses
  SharedFiles<Scaling> scalings;
  SharedFiles<forecast::FittedConstants> constants;
};

// Null if the file has mistakes.
template <class Content>
std::shared_ptr<const Content> readFileOf(yaml::Fields& fields, const char* key,
                                          SharedFiles<Content>& files) {
  auto found = files.find(fields.text(key, ""));
  if (found) return *found;
  fields.mistake(key, found.error().message);
  return nullptr;
}

std::shared_ptr<const Trace> readTraceOf(yaml::Fields& fields, SharedFiles<Trace>& traces) {
  if (!fields.text("trace", "").empty()) return readFileOf(fields, "trace", traces);
  fields.mistake("trace", "is missing; name a CSV file with the job's loss, such as traces/a.csv");
  return nullptr;
}

void readSpeed(yaml::Fields& fields, Sources& sources, SimulatedJob& job) {
  if (fields.has("scaling")) {
    job.scaling = readFileOf(fields, "scaling", sources.scalings);
    for (const char* other : {"cpuSecondsPerIteration", "serialSecondsPerIteration"}) {
      if (fields.has(other)) fields.mistake(other, "is said by the file of scaling already; remove one");
    }
    return fields.know({"cpuSecondsPerIteration", "serialSecondsPerIteration"});
  }
  if (!fields.has("cpuSecondsPerIteration")) {
    fields.mistake("cpuSecondsPerIteration",
                   "is missing; give the CPU seconds that an iteration takes, or scaling: FILE.csv");
  }
  job.coreSecondsPerIteration = fields.number("cpuSecondsPerIteration", kCheapest, kCostliest).value_or(1);
  job.serial = fields.seconds("serialSecondsPerIteration", job.serial, Seconds(0), kHour);
}

void readReplicas(yaml::Fields& fields, Cores cores, SimulatedJob& job) {
  auto all = static_cast<int>(cores.value() / kWorker.value());
  if (job.scaling) all = std::min(all, static_cast<int>(job.scaling->most().value()));
  job.least = Workers(fields.whole("minReplicas", 1, std::max(1, all)).value_or(1));
  job.most = Workers(fields.whole("maxReplicas", 1, static_cast<int>(kMostCores.value() / kWorker.value()))
                         .value_or(std::max(1, all)));
  if (job.scaling && job.most > job.scaling->most()) {
    fields.mistake("maxReplicas", "must be no more than " + std::to_string(job.scaling->most().value()) +
                                      ", the last row of its scaling");
  }
  if (job.most < job.least)
    return fields.mistake("maxReplicas",
                          "must be at least minReplicas (" + std::to_string(job.least.value()) + ")");
  for (const int size : fields.wholes("sizes", job.least.value(), job.most.value()))
    job.sizes.emplace_back(size);
}

void checkName(yaml::Fields& fields, const SimulatedJob& job) {
  if (!fields.has("name")) return fields.mistake("name", "is missing; each job has one of its own");
  for (const auto& violation : validate(trainingJobOf(job), "cpu")) {
    if (violation.path == "metadata.name") fields.mistake("name", violation.message);
  }
}

// Reads the pauses of a workload, or those of a job with pauses of its own.
ResizePauses readPauses(yaml::Fields& fields, const ResizePauses& fallback) {
  ResizePauses pauses;
  pauses.grow = fields.seconds("resizeSeconds", fallback.grow, Seconds(0), kHour);
  const Seconds shrink = fields.has("resizeSeconds") ? pauses.grow : fallback.shrink;
  pauses.shrink = fields.seconds("shrinkSeconds", shrink, Seconds(0), kHour);
  pauses.release = fields.seconds("releaseSeconds", fallback.release, Seconds(0), kHour);
  pauses.blocks = fields.flag("resizeBlocks", fallback.blocks);
  pauses.ready = fallback.ready;
  if (fields.has("readySeconds"))
    pauses.ready = fields.seconds("readySeconds", Seconds(0), Seconds(0), kHour);
  pauses.checkpoint = fallback.checkpoint;
  if (fields.has("checkpointSeconds"))
    pauses.checkpoint = fields.seconds("checkpointSeconds", kTenth, kTenth, kDay);
  return pauses;
}

SimulatedJob readJob(yaml::Fields& fields, const Workload& workload, const ResizePauses& pauses,
                     Sources& sources) {
  SimulatedJob job;
  job.name = fields.text("name", "");
  job.kind = fields.text("kind", "");
  job.arrival = fields.seconds("arrivalSeconds", job.arrival, Seconds(0), kLatestArrival);
  job.mode = fields.choice("mode", job.mode, {LossMode::Minimize, LossMode::Maximize});
  job.trace = readTraceOf(fields, job.mode == LossMode::Maximize ? sources.rising : sources.traces);
  readSpeed(fields, sources, job);
  job.start = fields.seconds("startSeconds", job.start, Seconds(0), kHour);
  job.startCoreSeconds = fields.number("startCpuSeconds", 0, kCostliest).value_or(0);
  job.pauses = readPauses(fields, pauses);
  job.convergence = fields.choice(
      "convergence", job.convergence,
      {Convergence::Auto, Convergence::Sublinear, Convergence::Superlinear, Convergence::NonConvex});
  job.target = fields.decimal("target");
  if (fields.has("constants")) job.constants = readFileOf(fields, "constants", sources.constants);
  job.weight = fields.whole("weight", 1, kHeaviest).value_or(1);
  job.value = fields.choice("value", job.value, {Value::Loss, Value::Completion});
  readReplicas(fields, workload.cores, job);
  fields.refuseOthers();
  checkName(fields, job);
  return job;
}

std::vector<SimulatedJob> readJobs(yaml::Fields& root, const Workload& workload, Sources& sources) {
  const ResizePauses pauses = readPauses(root, ResizePauses());
  std::vector<SimulatedJob> jobs;
  std::map<std::string, bool> named;
  for (auto& fields : root.sections("jobs")) {
    jobs.push_back(readJob(fields, workload, pauses, sources));
    if (!named.emplace(jobs.back().name, true).second)
      fields.mistake("name", "is another job's name already");
  }
  if (jobs.empty()) {
    root.mistake("jobs", "must list at least one job, such as {name: a, trace: a.csv, ...}");
  }
  std::ranges::sort(jobs, {}, &SimulatedJob::name);
  return jobs;
}

Cores readCores(yaml::Fields& root) {
  if (!root.has("cores"))
    root.mistake("cores", "is missing; give the cores that the jobs share, such as 640");
  const Cores cores = root.cores("cores").value_or(kWorker);
  if (cores < kWorker || cores > kMostCores) root.mistake("cores", "must be from 1 to 1000000");
  return cores;
}

Workload readFields(const yaml::LocatedDocument& document, Sources& sources, yaml::Mistakes& mistakes) {
  Workload workload;
  yaml::Fields root(document.value, "", mistakes);
  workload.cores = readCores(root);
  workload.epoch = root.seconds("epochSeconds", workload.epoch, kTenth, kHour);
  if (root.has("scrapeSeconds"))
    workload.scrape = root.seconds("scrapeSeconds", workload.scrape, kShortestScrape, kHour);
  if (root.has("lingerSeconds"))
    workload.linger = root.seconds("lingerSeconds", Seconds(0), Seconds(0), kHour);
  workload.endReleases = root.flag("endReleases", workload.endReleases);
  workload.jobs = readJobs(root, workload, sources);
  root.refuseOthers();
  return workload;
}

}  // namespace

TrainingJob trainingJobOf(const SimulatedJob& job) {
  TrainingJob resource{.key = {"default", job.name}, .uid = job.name, .generation = 1, .kind = job.kind};
  resource.spec.weight = job.weight;
  resource.spec.value = job.value;
  resource.spec.workers = {.min = job.least, .max = job.most, .sizes = job.sizes};

  resource.spec.workers.pod.containers = {
      {.name = "trainer", .ports = {{"metrics", 9464}}, .request = kWorker}};
  resource.spec.loss.mode = job.mode;
  resource.spec.loss.convergence = job.convergence;
  resource.spec.loss.target = job.target;
  narrowToSizes(resource.spec.workers);
  return resource;
}

forecast::SpeedCurve speedOf(const SimulatedJob& job) {
  if (job.scaling) return forecast::SpeedCurve::through(job.scaling->speeds);
  return forecast::SpeedCurve::parallel(job.coreSecondsPerIteration, job.serial.count());
}

Result<Workload> readWorkload(const std::string& file, std::string_view text,
                              const WorkloadSources& sources) {
  auto documents = yaml::readYaml(file, text);
  if (!documents) return failure(std::move(documents).error());
  if (documents->size() > 1) {
    const auto line = std::to_string(lineOf((*documents)[1], ""));
    return failure(ErrorKind::Invalid, file + ":" + line + ": a workload is one document; remove this one");
  }
  yaml::LocatedDocument document;
  document.file = file;
  if (!documents->empty()) document = std::move(documents->front());
  yaml::Mistakes mistakes(document);
  const SharedFiles<Trace>::Source rising = [&](const std::string& name) -> Result<Trace> {
    auto trace = sources.traces(name);
    if (!trace) return failure(trace.error());
    return oriented(LossMode::Maximize, std::move(*trace));
  };
  Sources files{SharedFiles<Trace>(sources.traces), SharedFiles<Trace>(rising),
                SharedFiles<Scaling>(sources.scalings),
                SharedFiles<forecast::FittedConstants>(sources.constants)};
  Workload workload = readFields(document, files, mistakes);
  if (!mistakes.none()) return failure(ErrorKind::Invalid, mistakes.text());
  return workload;
}

Result<Workload> loadWorkload(const std::string& file) {
  const auto text = readRegularTextFile(file);
  if (!text) return failure(text.error());
  const auto folder = std::filesystem::path(file).parent_path();
  return readWorkload(
      file, *text,
      {.traces = [&](const std::string& name) { return loadTrace((folder / name).string()); },
       .scalings = [&](const std::string& name) { return loadScaling((folder / name).string()); },
       .constants = [&](const std::string& name) { return loadConstants((folder / name).string()); }});
}

}  // namespace slaq::simulate
