#include <algorithm>

#include "manifest/manifest.h"
#include "manifest/object_reader.h"
#include "manifest/pod_reader.h"

namespace slaq {
namespace {

// Fields of one kind of object, with what to do about keys that none of them has.
class JobReader {
 public:
  JobReader(UnknownFields unknown, TrainingJob& job) : strict_(unknown == UnknownFields::Refuse), job_(job) {}

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
    const bool wrongType = root.find(key) && found.empty();  // said already
    if (!wrongType && found != expected) root.refuse(key, "must be " + std::string(expected));
  }

  void readMetadata(ObjectReader& metadata) {
    metadata.read("name", job_.key.name);
    metadata.read("namespace", job_.key.ns);
    metadata.read("uid", job_.uid);
    metadata.read("generation", job_.generation);
    metadata.read("creationTimestamp", job_.created);
    job_.deleting = metadata.find("deletionTimestamp") != nullptr;
    metadata.allow({"labels", "annotations", "generateName", "resourceVersion", "finalizers",
                    "ownerReferences", "managedFields", "selfLink", "deletionGracePeriodSeconds"});
    finish(metadata);
  }

  void readSpec(ObjectReader& spec) {
    spec.read("weight", job_.spec.weight);
    spec.read("suspend", job_.spec.suspend);
    if (spec.require("workers", "minReplicas, maxReplicas and a template")) {
      spec.readObject("workers", [&](ObjectReader& workers) { readWorkers(workers); });
    }
    spec.readObject("driver", [&](ObjectReader& driver) { readDriver(driver); });
    spec.readObject("loss", [&](ObjectReader& loss) { readLoss(loss); });
    spec.read("backoffLimit", job_.spec.backoffLimit);
    finish(spec);
  }

  void readWorkers(ObjectReader& workers) {
    WorkersSpec& into = job_.spec.workers;
    workers.read("minReplicas", into.min);
    workers.read("replicas", into.pinned);
    into.max = std::max(into.min, into.pinned);  // if it is missing, that is the one thing to say about it
    workers.require("maxReplicas", "the most workers that the job can use");
    workers.read("maxReplicas", into.max);
    readPodTemplate(workers, "template", into.pod);
    finish(workers);
  }

  void readDriver(ObjectReader& driver) {
    readPodTemplate(driver, "template", job_.spec.driver.emplace());
    finish(driver);
  }

  void readLoss(ObjectReader& loss) {
    loss.read("metric", job_.spec.loss.metric);
    loss.read("iterationMetric", job_.spec.loss.iterationMetric);
    std::string family(name(job_.spec.loss.convergence));
    loss.read("convergence", family);
    const auto known = convergenceFrom(family);
    if (!known) loss.refuse("convergence", "must be Auto, Sublinear or Superlinear");
    job_.spec.loss.convergence = known.value_or(Convergence::Auto);
    finish(loss);
  }

  void finish(ObjectReader& object) {
    if (strict_) object.refuseUnknown();
  }

  bool strict_;
  TrainingJob& job_;
};

// True when `inner` is `outer` or a part of it.
bool within(const std::string& outer, const std::string& inner) {
  if (!inner.starts_with(outer)) return false;
  return outer.empty() || inner.size() == outer.size() || inner[outer.size()] == '.' ||
         inner[outer.size()] == '[';
}

// A part that could not be read breaks the rules about its contents too; one sentence is enough.
bool saidAlready(const Violations& said, const Violation& rule) {
  return std::ranges::any_of(said, [&](const Violation& each) {
    return within(each.path, rule.path) || within(rule.path, each.path);
  });
}

}  // namespace

ReadJob readTrainingJob(const rapidjson::Value& object, UnknownFields unknown) {
  ReadJob out;
  ObjectReader root(object, "", out.violations);
  JobReader(unknown, out.job).readRoot(root);
  const Violations said = out.violations;
  for (auto& rule : validate(out.job)) {
    if (!saidAlready(said, rule)) out.violations.push_back(std::move(rule));
  }
  return out;
}

}  // namespace slaq
