#include "manifest/job_reader.h"

#include <algorithm>
#include <array>
#include <limits>
#include <random>
#include <tuple>

#include "job/kind.h"
#include "manifest/object_reader.h"
#include "manifest/pod_reader.h"

namespace slaq::manifest {
namespace {

// The characters that the API server takes, which make no words.
constexpr std::string_view kGenerated = "bcdfghjklmnpqrstvwxz2456789";

// Reads the fields of each object of the resource, and treats unknown keys as `unknown` states.
class JobReader {
 public:
  JobReader(UnknownFields unknown, std::string_view resource, TrainingJob& job)
      : strict_(unknown == UnknownFields::Refuse), resource_(resource), job_(job) {}

  void readRoot(ObjectReader& root) {
    readIdentity(root, "apiVersion", "slaq.io/v1alpha1");
    readIdentity(root, "kind", "TrainingJob");
    root.readObject("metadata", [&](ObjectReader& metadata) { readMetadata(metadata); });
    if (root.require("spec", "what to train and with how many workers")) {
      root.readObject("spec", [&](ObjectReader& spec) { readSpec(spec); });
    }
    root.allow({"status"});
    finish(root);
  }

 private:
  // An item of a list may come without its kind; a document must say what it is.
  void readIdentity(ObjectReader& root, std::string_view key, std::string_view expected) {
    if (!root.find(key) && !strict_) return;
    std::string found;
    root.read(key, found);
    const bool wrongType = root.find(key) && found.empty();  // reported already
    if (!wrongType && found != expected) root.refuse(key, "must be " + std::string(expected));
  }

  void readMetadata(ObjectReader& metadata) {
    metadata.read("name", job_.key.name);
    metadata.read("namespace", job_.key.ns);
    metadata.read("uid", job_.uid);
    metadata.read("generation", job_.generation);
    metadata.read("creationTimestamp", job_.created);
    job_.deleting = metadata.find("deletionTimestamp") != nullptr;
    metadata.readObject("labels", [&](ObjectReader& labels) {
      labels.read(kKindLabel, job_.kind);
      labels.read(kQueueLabel, job_.queue);
      labels.read(kPriorityClassLabel, job_.priorityClass);
    });
    readGenerateName(metadata);
    metadata.allow({"annotations", "resourceVersion", "finalizers", "ownerReferences", "managedFields",
                    "selfLink", "deletionGracePeriodSeconds"});
    finish(metadata);
  }

  // The API server makes a name of it where there is none.
  void readGenerateName(ObjectReader& metadata) {
    std::string prefix;
    metadata.read("generateName", prefix);
    if (!job_.key.name.empty() || prefix.empty()) return;
    std::random_device random;
    job_.key.name = prefix;
    for (int i = 0; i < 5; ++i) job_.key.name += kGenerated[random() % kGenerated.size()];
  }

  void readSpec(ObjectReader& spec) {
    job_.spec.mode = readChoice(spec, "mode", job_.spec.mode, modeFrom, "must be Schedule or Observe");
    spec.read("weight", job_.spec.weight);
    spec.read("suspend", job_.spec.suspend);
    if (spec.find("replicas")) spec.read("replicas", job_.spec.replicas.emplace());
    WorkersSpec& into = job_.spec.workers;
    into.max = leastMaximum();  // missing workers are the only mistake to report
    job_.spec.scheduling = readChoice(spec, "scheduling", job_.spec.scheduling, schedulingFrom,
                                      "must be Quality, Fair or Reserved");
    job_.spec.value = readChoice(spec, "value", job_.spec.value, valueFrom, "must be Loss or Completion");
    if (spec.require("workers", "minReplicas, maxReplicas and a template")) {
      spec.readObject("workers", [&](ObjectReader& workers) { readWorkers(workers); });
    }
    if (into.target && spec.find("driver")) {
      spec.refuse("driver",
                  "can't be given with workers.targetRef: slaq only changes the number of workers of that "
                  "object");
    }
    spec.readObject("driver", [&](ObjectReader& driver) { readDriver(driver); });
    spec.readObject("loss", [&](ObjectReader& loss) { readLoss(loss); });
    spec.readObject("stop", [&](ObjectReader& stop) { readStop(stop); });
    spec.read("backoffLimit", job_.spec.backoffLimit);
    job_.spec.ttlAfterFinished = readSeconds(spec, "ttlSecondsAfterFinished");
    finish(spec);
  }

  void readWorkers(ObjectReader& workers) {
    WorkersSpec& into = job_.spec.workers;
    workers.read("minReplicas", into.min);
    readFormerReplicas(workers);
    into.max = leastMaximum();  // a missing `max` is the only mistake to report
    workers.require("maxReplicas", "the most workers that the job can use");
    workers.read("maxReplicas", into.max);
    into.scaling = readChoice(workers, "scaling", into.scaling, scalingFrom, "must be Replicas or CPU");
    if (into.scaling == Scaling::CPU)
      workers.require("cpu", "the bounds of a worker's cores, such as {min: 200m, max: \"2\"}");
    workers.read("sizes", into.sizes);
    const auto* sizes = workers.find("sizes");
    if (sizes && sizes->IsArray() && sizes->Empty())
      workers.refuse("sizes", "must have a number in it, or be left out");
    workers.readObject("restart", [&](ObjectReader& restart) {
      into.restart.pause = readSeconds(restart, "pauseSeconds");
      if (restart.find("checkpointed")) restart.read("checkpointed", into.restart.checkpointed.emplace());
      finish(restart);
    });
    workers.readObject("start", [&](ObjectReader& start) {
      start.require("cpu", "the cores that a worker may use until the first loss, such as 4");
      readCores(start, "cpu", into.start.cpu);
      finish(start);
    });
    workers.readObject("cpu", [&](ObjectReader& cpu) { readCpuBounds(cpu, into.cpu); });
    workers.readObject("targetRef", [&](ObjectReader& target) {
      readTarget(target, into.target.emplace());
      finish(target);
    });
    if (!into.target) {
      readPodTemplate(workers, "template", resource_, into.pod);
    } else if (workers.find("template")) {
      workers.refuse("template",
                     "can't be given together with targetRef, whose object has one; leave it out");
    }
    finish(workers);
  }

  static void readTarget(ObjectReader& target, TargetRef& into) {
    target.require("apiVersion", "that of the object, such as apps/v1");
    target.require("kind", "that of the object, such as Deployment");
    target.require("name", "that of the object, in the same namespace");
    target.read("apiVersion", into.apiVersion);
    target.read("kind", into.kind);
    target.read("name", into.name);
    target.read("group", into.group);
  }

  // Until version 0.1 the pin stood here, and 0 was automatic.
  void readFormerReplicas(ObjectReader& workers) {
    Workers former;
    workers.read("replicas", former);
    if (!job_.spec.replicas && former != Workers(0)) job_.spec.replicas = former;
  }

  Workers leastMaximum() const {
    return std::max(job_.spec.workers.min, job_.spec.replicas.value_or(Workers(0)));
  }

  void readCpuBounds(ObjectReader& cpu, CpuBounds& into) {
    std::optional<Cores> min;
    std::optional<Cores> max;
    cpu.require("min", "the fewest cores of a worker, such as 200m");
    cpu.require("max", "the most cores of a worker, such as 2");
    readCores(cpu, "min", min);
    readCores(cpu, "max", max);
    // A missing bound is the only mistake to report about it.
    into = {min.value_or(Cores(1)), max.value_or(Cores(std::numeric_limits<std::int64_t>::max()))};
    into.ceiling = readChoice(cpu, "ceiling", into.ceiling, cpuCeilingFrom, "must be Soft or Hard");
    finish(cpu);
  }

  void readStop(ObjectReader& stop) {
    StopSpec& into = job_.spec.stop;
    into.lossReductionPercent = readDecimal(stop, "lossReductionPercent");
    into.patience = readInteger(stop, "patience");
    into.maxIterations = readInteger(stop, "maxIterations");
    into.activeDeadline = readSeconds(stop, "activeDeadlineSeconds");
    finish(stop);
  }

  static std::optional<std::int64_t> readInteger(ObjectReader& object, std::string_view key) {
    if (!object.find(key)) return std::nullopt;
    std::int64_t number = 0;
    object.read(key, number);
    return number;
  }

  static std::optional<Seconds> readSeconds(ObjectReader& object, std::string_view key) {
    const auto whole = readInteger(object, key);
    return whole ? std::optional(Seconds(static_cast<double>(*whole))) : std::nullopt;
  }

  // A decimal: text in the API, and a plain number too where people write YAML.
  static std::optional<double> readDecimal(ObjectReader& object, std::string_view key) {
    const auto* found = object.find(key);
    if (!found) return std::nullopt;
    if (found->IsNumber()) return found->GetDouble();
    if (found->IsString()) {
      const auto number = decimalFrom({found->GetString(), found->GetStringLength()});
      if (number) return number;
    }
    object.refuse(key, "must be a decimal, such as \"0.12\"");
    return std::nullopt;
  }

  template <class Enum, class From>
  static Enum readChoice(ObjectReader& object, std::string_view key, Enum fallback, From from,
                         const char* choices) {
    std::string word(name(fallback));
    object.read(key, word);
    const auto known = from(word);
    if (!known) object.refuse(key, choices);
    return known.value_or(fallback);
  }

  void readDriver(ObjectReader& driver) {
    readPodTemplate(driver, "template", resource_, job_.spec.driver.emplace());
    finish(driver);
  }

  void readLoss(ObjectReader& loss) {
    LossSpec& into = job_.spec.loss;
    loss.read("metric", into.metric);
    loss.read("iterationMetric", into.iterationMetric);
    loss.read("query", into.query);
    loss.read("iterationQuery", into.iterationQuery);
    into.mode = readChoice(loss, "mode", into.mode, lossModeFrom, "must be Minimize or Maximize");
    into.convergence = readChoice(loss, "convergence", into.convergence, convergenceFrom,
                                  "must be Auto, Sublinear, Superlinear or NonConvex");
    into.target = readDecimal(loss, "target");
    loss.readObject("from", [&](ObjectReader& from) { readLossFrom(from, into.from.emplace()); });
    refuseBothWays(loss);
    finish(loss);
  }

  void readLossFrom(ObjectReader& from, LossFrom& into) {
    constexpr std::array<std::tuple<const char*, LossFrom::Kind, const char*>, 5> kKinds = {
        {{"output", LossFrom::Kind::Output, ""},
         {"file", LossFrom::Kind::File,
          "the file that the program writes its loss to, such as logs/metrics.csv"},
         {"tensorboard", LossFrom::Kind::TensorBoard, "the directory of its event files, such as runs"},
         {"mlflow", LossFrom::Kind::Mlflow, "the directory of MLflow's file store, such as mlruns"},
         {"kubeflow", LossFrom::Kind::Kubeflow, ""}}};
    const auto given = std::ranges::count_if(
        kKinds, [&](const auto& each) { return from.find(std::get<0>(each)) != nullptr; });
    if (given != 1)
      from.refuse(
          "output",
          "or one of file, tensorboard, mlflow and kubeflow must be given, such as from: {output: {}}");
    for (const auto& [name, kind, path] : kKinds) {
      if (from.find(name)) into.kind = kind;
      from.readObject(name, [&, path = std::string_view(path)](ObjectReader& source) {
        if (!path.empty()) {
          source.require("path", path);
          source.read("path", into.path);
        }
        if (into.kind == LossFrom::Kind::Output) source.read("pattern", into.pattern);
        source.read("metric", into.metric);
        finish(source);
      });
    }
    finish(from);
  }

  // Only here is it known whether a metric was written or is the default.
  static void refuseBothWays(ObjectReader& loss) {
    for (const char* metric : {"metric", "iterationMetric"}) {
      if (!loss.find(metric) || (!loss.find("query") && !loss.find("iterationQuery"))) continue;
      return loss.refuse(metric,
                         "can't be given together with query and iterationQuery; leave it out, or these");
    }
    for (const char* other : {"metric", "iterationMetric", "query", "iterationQuery"}) {
      if (loss.find("from") && loss.find(other))
        return loss.refuse(other, "can't be given together with from; leave it out, or from");
    }
  }

  void finish(ObjectReader& object) {
    if (strict_) object.refuseUnknown();
  }

  bool strict_;
  std::string_view resource_;
  TrainingJob& job_;
};

}  // namespace

ReadJob readTrainingJob(const rapidjson::Value& object, UnknownFields unknown, std::string_view resource) {
  ReadJob out;
  ObjectReader root(object, "", out.violations);
  JobReader(unknown, resource, out.job).readRoot(root);
  addUnsaid(validate(out.job, resource), out.violations);
  narrowToSizes(out.job.spec.workers);
  return out;
}

}  // namespace slaq::manifest
