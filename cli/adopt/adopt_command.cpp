#include "cli/adopt/adopt_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>

#include "base/figures.h"
#include "base/text.h"
#include "cli/adopt/adoption.h"
#include "cli/cluster/training_cluster.h"
#include "cli/flags/cluster_flags.h"
#include "cli/terminal/text.h"
#include "job/validate.h"
#include "kube/client/api.h"
#include "kube/json/json_fields.h"
#include "kube/json/metadata.h"
#include "kube/targets/target.h"
#include "manifest/object_writer.h"
#include "yaml/write_yaml.h"

namespace slaq::cli::adopt {
namespace {

struct AdoptOptions {
  flags::ClusterFlags cluster;
  std::vector<std::string> objects;
  bool all = false;
  bool apply = false;
  bool schedule = false;
  int most = 0;
};

// The objects that one word of the command line names.
struct Wanted {
  const TargetKind* kind;
  std::string name = {};  // empty: all of the kind
};

// Kinds that are mostly no trainings are taken only where they are named.
std::vector<Wanted> trainingKinds() {
  std::vector<Wanted> all;
  for (const auto& kind : targetKinds()) {
    if (kind.group != "apps" && kind.kind != "LeaderWorkerSet") all.push_back({&kind});
  }
  return all;
}

// "deployment/train", "pytorchjobs", "jobset".
Result<std::vector<Wanted>> wantedBy(const std::vector<std::string>& words) {
  if (words.empty()) return trainingKinds();
  std::vector<Wanted> wanted;
  for (const auto& word : words) {
    const auto slash = std::min(word.find('/'), word.size());
    const std::string kind = lowerCase(word.substr(0, slash));
    const auto kinds = targetKinds();
    const auto found = std::ranges::find_if(kinds, [&](const TargetKind& each) {
      return lowerCase(each.kind) == kind || lowerCase(each.kind) + "s" == kind;
    });
    if (found == kinds.end()) {
      std::vector<std::string> known;
      for (const auto& each : kinds) known.push_back(each.kind);
      return failure(ErrorKind::Invalid, "\"" + word + "\" is no kind that slaq knows by itself; these are " +
                                             terminal::listOf(known, known.size()));
    }
    wanted.push_back({&*found, word.substr(std::min(slash + 1, word.size()))});
  }
  return wanted;
}

std::string objectName(const Candidate& each) { return each.kind + " " + toString(each.object); }

std::string sizesOf(const Adoption& adoption) {
  if (adoption.isFixed) return counted(adoption.min) + ", a number that cannot be changed";
  return std::to_string(adoption.min.value()) + " to " + counted(adoption.max);
}

class Adopter {
 public:
  Adopter(const AdoptOptions& options, cluster::TrainingCluster& cluster, kube::client::Api& api,
          const std::vector<kube::objects::StoredJob>& jobs)
      : options_(options), cluster_(cluster), api_(api), jobs_(jobs) {}

  // False: some objects could not be read or created.
  bool adopt(const std::string& ns, const std::vector<Wanted>& wanted) {
    findAutoscalers(ns);
    for (const auto& each : wanted) find(ns, each);
    for (auto& each : candidates_) tell(each);
    if (count_ == 0) {
      std::cerr << "there is no object that slaq could take\n";
    } else {
      std::cerr << "the controller takes these kinds where its configuration has targets: ["
                << terminal::listOf(kinds_, kinds_.size()) << "]; see docs/targets.md\n";
    }
    return isWell_;
  }

 private:
  // An object that an autoscaler sizes.
  struct Autoscaled {
    JobKey autoscaler;
    std::string kind;
    std::string name;
  };

  // KEDA's ScaledObjects have a HorizontalPodAutoscaler too.
  void findAutoscalers(const std::string& ns) {
    const auto listed = api_.listAll({kube::client::kAutoscalers, ns}, {}, [&](const rapidjson::Value& each) {
      autoscaled_.push_back({kube::json::keyOf(each),
                             kube::json::stringAt(each, {"spec", "scaleTargetRef", "kind"}),
                             kube::json::stringAt(each, {"spec", "scaleTargetRef", "name"})});
    });
    if (!listed)
      std::cerr << "hint: autoscalers can't be read, and an object must not have one: "
                << listed.error().message << '\n';
  }

  // Two that size one object would change it in turn.
  void leaveToAutoscaler(Candidate& candidate) const {
    const auto found = std::ranges::find_if(autoscaled_, [&](const Autoscaled& each) {
      return each.autoscaler.ns == candidate.object.ns && each.kind == candidate.kind &&
             each.name == candidate.object.name;
    });
    if (!candidate.adoption || found == autoscaled_.end()) return;
    candidate.adoption.reset();
    candidate.why =
        "is sized by the HorizontalPodAutoscaler " + found->autoscaler.name + "; delete that one first";
  }

  // Adds the candidates among the objects that one word names.
  void find(const std::string& ns, const Wanted& wanted) {
    const auto resource = kube::targets::sizedResource(*wanted.kind);
    const bool hasItsName = !wanted.name.empty() && wanted.kind->maker.empty();
    const kube::client::Selector selector{.labels = "",
                                          .fields = hasItsName ? "metadata.name=" + wanted.name : ""};
    const auto ended = endedMakers(ns, wanted);
    bool isFound = false;
    const auto listed = api_.listAll({resource, ns}, selector, [&](const rapidjson::Value& object) {
      if (!wanted.name.empty() && kube::targets::nameFor(object, *wanted.kind) != wanted.name) return;
      isFound = true;
      add(object, *wanted.kind, ended);
    });
    if (!listed) return tellTrouble(wanted, listed.error());
    if (isFound || wanted.name.empty()) return;
    isWell_ = false;
    std::cerr << "there is no " << wanted.kind->kind << " " << wanted.name
              << (hasItsName ? "" : " whose " + wanted.kind->plural + " are there") << '\n';
  }

  // The uids of those makers of the kind's objects that have ended, such as RayJobs.
  std::vector<std::string> endedMakers(const std::string& ns, const Wanted& wanted) {
    std::vector<std::string> ended;
    if (wanted.kind->makers.empty()) return ended;
    const auto makers = kube::targets::makerResource(*wanted.kind);
    const auto listed = api_.listAll({makers, ns}, {}, [&](const rapidjson::Value& each) {
      const auto maker = kube::targets::readTargetMaker(each, *wanted.kind);
      if (maker.complete || maker.failed) ended.push_back(maker.uid);
    });
    if (!listed && isInstalled(*wanted.kind, listed.error()))
      std::cerr << "hint: " << wanted.kind->makers
                << " can't be read, so those that have ended are not left out: " << listed.error().message
                << '\n';
    return ended;
  }

  // True if the cluster knows the kind whose objects could not be listed. The API server refuses users
  // without the right to list them before it looks for the kind, but every user may ask for the kinds that
  // are served.
  bool isInstalled(const TargetKind& kind, const Error& error) {
    if (error.kind == ErrorKind::NotFound) return false;
    return error.kind != ErrorKind::Forbidden || cluster_.serves(apiVersionOf(kind));
  }

  void tellTrouble(const Wanted& wanted, const Error& error) {
    if (options_.objects.empty() && !isInstalled(*wanted.kind, error)) return;
    isWell_ = false;
    std::cerr << wanted.kind->plural << " can't be read: " << error.message << '\n';
  }

  void add(const rapidjson::Value& object, const TargetKind& kind, const std::vector<std::string>& ended) {
    const std::string ns = kube::json::stringAt(object, {"metadata", "namespace"});
    std::vector<TargetRef> taken;
    for (const auto& each : jobs_) {
      const bool sizes = each.job.spec.workers.target && !finished(each.status.state);
      if (each.key.ns == ns && sizes) taken.push_back(*each.job.spec.workers.target);
    }
    const auto most = options_.most > 0 ? std::optional(Workers(options_.most)) : std::nullopt;
    auto candidate = candidateFrom(object, kind, most, taken, ended);
    if (!candidate) return;
    leaveToAutoscaler(*candidate);
    candidates_.push_back(std::move(*candidate));
  }

  // The TrainingJob's own name, or one with the kind in it where that is taken.
  void name(Candidate& candidate) {
    if (!candidate.adoption) return;
    JobKey& job = candidate.adoption->job;
    const auto isTaken = [&] {
      const bool exists = std::ranges::any_of(jobs_, [&](const auto& each) { return each.key == job; });
      return exists || std::ranges::find(names_, job) != names_.end();
    };
    if (isTaken()) job.name += "-" + lowerCase(candidate.kind);
    if (isTaken()) {
      candidate.why = "would need a TrainingJob of a name that is taken";
    } else if (!isJobName(job.name)) {
      candidate.why =
          "has a name that no TrainingJob can have: at most 45 of a-z, 0-9 and -, a letter first; write it "
          "by hand";
    }
    if (!candidate.why.empty()) candidate.adoption.reset();
    names_.push_back(job);
  }

  void tell(Candidate& candidate) {
    name(candidate);
    if (!candidate.adoption) {
      std::cerr << objectName(candidate) << " " << candidate.why << "; it is left out\n";
      return;
    }
    const Adoption& adoption = *candidate.adoption;
    const Mode mode = options_.schedule ? Mode::Schedule : Mode::Observe;
    const auto document = trainingJobOf(adoption, mode);
    ++count_;
    if (std::ranges::find(kinds_, candidate.kind) == kinds_.end()) kinds_.push_back(candidate.kind);
    std::cerr << objectName(candidate) << ": TrainingJob " << adoption.job.name << " with "
              << sizesOf(adoption) << ", in mode " << slaq::name(mode) << '\n';
    if (adoption.label != adoption.job.name && !adoption.isFixed)
      std::cerr << "  its pods have no label slaq.io/job: " << adoption.job.name
                << ", by which slaq finds their loss; see docs/targets.md\n";
    if (!adoption.requestsCpu)
      std::cerr
          << "  its pods request no CPU; slaq needs a request of the resource in which capacity is counted\n";
    if (!options_.apply) {
      std::cout << (count_ > 1 ? "---\n" : "") << yaml::writeYaml(document);
    } else {
      create(adoption, document);
    }
  }

  void create(const Adoption& adoption, const rapidjson::Document& document) {
    const auto made = api_.create({kube::client::kTrainingJobs, adoption.job.ns}, manifest::toText(document),
                                  kube::client::FieldValidation::Strict);
    if (made && *made) return;
    isWell_ = false;
    std::cerr << "TrainingJob " << toString(adoption.job)
              << " is not created: " << (made ? "there is one of this name already" : made.error().message)
              << '\n';
  }

  const AdoptOptions& options_;
  cluster::TrainingCluster& cluster_;
  kube::client::Api& api_;
  const std::vector<kube::objects::StoredJob>& jobs_;
  std::vector<Autoscaled> autoscaled_;
  std::vector<Candidate> candidates_;
  std::vector<std::string> kinds_;
  std::vector<JobKey> names_;  // of the TrainingJobs so far
  int count_ = 0;
  bool isWell_ = true;
};

int runAdopt(const std::string& program, const AdoptOptions& options) {
  const auto wanted = wantedBy(options.objects);
  if (!wanted) return flags::fail(program, wanted.error(), flags::kMisused);
  const SystemClock clock;
  const auto access = flags::accessBy(options.cluster, clock);
  if (!access) return flags::fail(program, access.error(), flags::kMisused);
  cluster::TrainingCluster cluster(*access);
  const std::string ns = options.all ? "" : cluster.ns();
  auto jobs = cluster.jobs(ns);
  if (!jobs) return flags::fail(program, jobs.error(), flags::kFailed);
  kube::client::ApiOptions apiOptions;
  apiOptions.refreshCredentials = access->refresh;
  apiOptions.tries = 2;
  kube::client::Api api(cluster.http(), apiOptions);
  return Adopter(options, cluster, api, *jobs).adopt(ns, *wanted) ? 0 : flags::kFailed;
}

}  // namespace

void addAdoptCommand(CLI::App& app, std::function<int()>& run) {
  auto options = std::make_shared<AdoptOptions>();
  CLI::App* command = app.add_subcommand("adopt", "Print TrainingJobs for workloads that exist already");
  command->add_option("objects", options->objects,
                      "KIND or KIND/NAME, such as deployment/train (all elastic kinds of trainings)");
  flags::addClusterFlags(*command, options->cluster, "namespace of the objects (the context's)");
  command->add_flag("-A,--all-namespaces", options->all, "objects of all namespaces")
      ->excludes(command->get_option("--namespace"));
  command->add_flag("--apply", options->apply, "create the TrainingJobs instead of printing them");
  command->add_flag("--schedule", options->schedule, "in mode Schedule: slaq sizes the objects at once");
  command
      ->add_option("--max-workers", options->most,
                   "the most workers of an object without bounds of its own (twice what it has)")
      ->check(CLI::Range(1, 100000));
  command->callback([&app, options, &run] {
    run = [program = app.get_name(), options] { return runAdopt(program, *options); };
  });
}

}  // namespace slaq::cli::adopt
