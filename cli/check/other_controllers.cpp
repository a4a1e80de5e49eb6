#include "cli/check/other_controllers.h"

#include <algorithm>

#include "cli/check/rights.h"
#include "cli/terminal/text.h"
#include "kube/json/json_fields.h"
#include "kube/objects/names.h"
#include "yaml/read_yaml.h"

namespace slaq::cli::check {
namespace {

using kube::client::Target;
using kube::json::at;
using kube::json::boolAt;
using kube::json::elementsAt;
using kube::json::intAt;
using kube::json::stringAt;
using rapidjson::Value;

// The gate without which Kueue lets no Workload replace another one.
constexpr const char* kElasticGate = "ElasticJobsViaWorkloadSlices";
// The gate without which Kueue ignores what slaq adds to priorities.
constexpr const char* kBoostGate = "PriorityBoost";

bool contains(const Value& object, std::initializer_list<std::string_view> path, std::string_view text) {
  return std::ranges::any_of(elementsAt(object, path), [&](const Value& each) {
    return each.IsString() && std::string_view(each.GetString(), each.GetStringLength()) == text;
  });
}

// The value of a gate in "A=true,B=false"; empty if it is not there.
std::optional<bool> gateIn(const std::string& gates, const std::string& name) {
  const auto at = ("," + gates).find("," + name + "=");
  if (at == std::string::npos) return std::nullopt;
  return gates.compare(at + name.size() + 1, 4, "true") == 0;
}

// Kueue takes its feature gates from its configuration, or else from an argument of its program.
void readGatesArgument(const Value& deployment, Kueue& kueue) {
  constexpr std::string_view kFlag = "--feature-gates=";
  for (const auto& container : elementsAt(deployment, {"spec", "template", "spec", "containers"})) {
    for (const auto& each : elementsAt(container, {"args"})) {
      const std::string_view text = each.IsString() ? each.GetString() : "";
      if (!text.starts_with(kFlag)) continue;
      const std::string gates(text.substr(kFlag.size()));
      kueue.hasGatesArgument = true;
      kueue.hasElasticJobs = gateIn(gates, kElasticGate).value_or(true);
      kueue.hasPriorityBoost = gateIn(gates, kBoostGate).value_or(false);
    }
  }
}

// Kueue's Deployment, which has this label by its manifests and by its chart.
Result<Kueue> findKueue(kube::client::Api& api) {
  const auto page = api.list({kube::client::kDeployments, ""}, {"app.kubernetes.io/name=kueue"}, "");
  if (!page) return failure(page.error());
  for (const auto& deployment : elementsAt(page->document, {"items"})) {
    for (const auto& volume : elementsAt(deployment, {"spec", "template", "spec", "volumes"})) {
      if (stringAt(volume, {"name"}) != "manager-config") continue;
      Kueue kueue{.ns = stringAt(deployment, {"metadata", "namespace"}),
                  .deployment = stringAt(deployment, {"metadata", "name"}),
                  .configMap = stringAt(volume, {"configMap", "name"}),
                  .serviceAccount = stringAt(deployment, {"spec", "template", "spec", "serviceAccountName"})};
      readGatesArgument(deployment, kueue);
      return kueue;
    }
  }
  return failure(
      ErrorKind::NotFound,
      "there is no Deployment with the label app.kubernetes.io/name=kueue whose configuration could "
      "be read");
}

Result<void> readConfiguration(kube::client::Api& api, Kueue& kueue) {
  const auto map = api.get({kube::client::kConfigMaps, kueue.ns, kueue.configMap});
  if (!map) return failure(map.error());
  const auto documents = yaml::readYaml(kueue.configMap, stringAt(*map, {"data", kKueueConfiguration}));
  if (!documents) return failure(documents.error());
  if (documents->empty()) return {};
  const Value& value = documents->front().value;
  kueue.managesAll = boolAt(value, {"manageJobsWithoutQueueName"});
  const auto* frameworks = at(value, {"integrations", "frameworks"});
  kueue.managesJobs = !frameworks || contains(value, {"integrations", "frameworks"}, "batch/job");
  if (!kueue.hasGatesArgument) {
    const auto* gate = at(value, {"featureGates", kElasticGate});
    kueue.hasElasticJobs = !gate || !gate->IsFalse();
    kueue.hasPriorityBoost = boolAt(value, {"featureGates", kBoostGate});
  }
  kueue.knowsTrainingJobs = contains(value, {"integrations", "externalFrameworks"}, kExternalFramework);
  return {};
}

// The namespaces with a LocalQueue named default, whose Jobs Kueue puts into it.
Result<std::vector<std::string>> defaultQueues(kube::client::Api& api, const std::string& version) {
  const kube::client::Resource queues{kKueueGroup, version, "localqueues"};
  std::vector<std::string> namespaces;
  const auto listed =
      api.listAll({queues, ""}, {.labels = "", .fields = "metadata.name=default"}, [&](const Value& each) {
        namespaces.push_back(stringAt(each, {"metadata", "namespace"}));
      });
  if (!listed) return failure(listed.error());
  return namespaces;
}

// Empty if it sizes nothing that slaq sizes.
std::optional<Autoscaler> autoscalerFrom(const Value& object,
                                         const std::vector<kube::objects::StoredJob>& jobs) {
  const std::string ns = stringAt(object, {"metadata", "namespace"});
  const std::string kind = stringAt(object, {"spec", "scaleTargetRef", "kind"});
  const std::string name = stringAt(object, {"spec", "scaleTargetRef", "name"});
  const JobKey key{ns, stringAt(object, {"metadata", "name"})};
  if (kind == "TrainingJob") return Autoscaler{key, {ns, name}};
  const auto named = std::ranges::find_if(jobs, [&](const auto& each) {
    const auto& target = each.job.spec.workers.target;
    return target && each.key.ns == ns && target->kind == kind && target->name == name;
  });
  return named == jobs.end() ? std::nullopt : std::optional(Autoscaler{key, named->key, kind + " " + name});
}

std::string restart(const Kueue& kueue) {
  return " of the ConfigMap " + kueue.ns + "/" + kueue.configMap + "; kubectl -n " + kueue.ns +
         " rollout restart deployment " + kueue.deployment;
}

std::string addFramework(const Kueue& kueue) {
  return std::string("add \"") + kExternalFramework + "\" to integrations.externalFrameworks in " +
         kKueueConfiguration + restart(kueue) + "; see docs/kueue.md";
}

// Where the feature gates of Kueue are.
std::string placeOfGates(const Kueue& kueue) {
  if (kueue.hasGatesArgument)
    return "the argument --feature-gates of the Deployment " + kueue.ns + "/" + kueue.deployment;
  return std::string("featureGates in ") + kKueueConfiguration + restart(kueue);
}

std::string grantReading(const Kueue& kueue) {
  return "kubectl create clusterrole kueue-trainingjobs --verb=get,list,watch "
         "--resource=trainingjobs.slaq.io; "
         "kubectl create clusterrolebinding kueue-trainingjobs --clusterrole=kueue-trainingjobs "
         "--serviceaccount=" +
         kueue.ns + ":" + kueue.serviceAccount + "; kubectl -n " + kueue.ns + " rollout restart deployment " +
         kueue.deployment;
}

Finding knownFrameworkFinding(const Kueue& kueue) {
  const std::string account = "system:serviceaccount:" + kueue.ns + ":" + kueue.serviceAccount;
  if (!kueue.mayReadTrainingJobs)
    return {"Kueue", Verdict::Unknown, kueue.mayReadTrainingJobs.error().message,
            "kubectl auth can-i list trainingjobs.slaq.io --as=" + account};
  if (!*kueue.mayReadTrainingJobs)
    return {
        "Kueue", Verdict::Bad,
        account + " may not list trainingjobs.slaq.io: Kueue refuses the Jobs of TrainingJobs until it may",
        grantReading(kueue)};
  return {"Kueue", Verdict::Good, "leaves the Jobs of TrainingJobs alone", ""};
}

Finding kueueFinding(const Result<Kueue>& kueue) {
  if (!kueue) return {"Kueue", Verdict::Unknown, kueue.error().message, "see docs/kueue.md"};
  if (!kueue->managesJobs) return {"Kueue", Verdict::Good, "does not manage Jobs", ""};
  if (kueue->knowsTrainingJobs) return knownFrameworkFinding(*kueue);
  if (kueue->managesAll)
    return {"Kueue", Verdict::Bad,
            "suspends each Job that names no queue, those of TrainingJobs too (manageJobsWithoutQueueName)",
            addFramework(*kueue)};
  if (!kueue->defaultQueues.empty())
    return {"Kueue", Verdict::Bad,
            "suspends the Jobs of TrainingJobs in " + terminal::listOf(kueue->defaultQueues, kMostNamed) +
                ", where a LocalQueue is named default",
            addFramework(*kueue)};
  return {"Kueue", Verdict::Good, "manages only Jobs that name a queue, which those of TrainingJobs do not",
          ""};
}

// Tells whether jobs that name a queue are in one. Empty where no job names one and the configuration has no
// queues.
std::optional<Finding> queuesFinding(const Observed& seen) {
  const std::string subject = "queues";
  const bool isEnabled = seen.configuration && *seen.configuration && (*seen.configuration)->queues;
  if (isEnabled && !seen.kueue)
    return Finding{subject, Verdict::Bad, "config.kueue.enabled is set, and the cluster has no Kueue",
                   "install Kueue 0.18 or later; see docs/kueue.md"};
  if (isEnabled && !*seen.kueue) return std::nullopt;  // which another finding says
  if (isEnabled && !(*seen.kueue)->hasElasticJobs)
    return Finding{subject, Verdict::Bad, "Kueue admits no growth of a job while it runs",
                   std::string("remove ") + kElasticGate + " from " + placeOfGates(**seen.kueue)};
  if (isEnabled && (*seen.configuration)->priorityBoost && !(*seen.kueue)->hasPriorityBoost)
    return Finding{subject, Verdict::Unknown,
                   std::string("config.kueue.priorityBoost is set, and the feature gate ") + kBoostGate +
                       " of Kueue is not: Kueue then chooses whom to evict without it",
                   std::string("set ") + kBoostGate + " to true in " + placeOfGates(**seen.kueue)};
  if (isEnabled)
    return Finding{subject, Verdict::Good, "TrainingJobs that name a queue wait for its quota", ""};
  if (!seen.jobs || !*seen.jobs) return std::nullopt;
  const auto named =
      std::ranges::find_if(**seen.jobs, [](const auto& each) { return !each.job.queue.empty(); });
  if (named == (*seen.jobs)->end()) return std::nullopt;
  return Finding{subject, Verdict::Bad,
                 "TrainingJob " + toString(named->key) + " names the queue " + printable(named->job.queue) +
                     ", and the controller knows of no queues",
                 "set config.kueue.enabled=true in the values of the chart, or remove the label " +
                     std::string(kQueueLabel)};
}

Finding autoscalerFinding(const Result<std::vector<Autoscaler>>& autoscalers) {
  const std::string subject = "autoscalers";
  if (!autoscalers) return {subject, Verdict::Unknown, autoscalers.error().message, ""};
  if (autoscalers->empty()) return {subject, Verdict::Good, "none sizes a TrainingJob", ""};
  const auto& first = autoscalers->front();
  const std::string scaler = "HorizontalPodAutoscaler " + toString(first.key);
  const std::string job = "TrainingJob " + toString(first.job);
  const std::string more =
      autoscalers->size() == 1 ? "" : "; " + std::to_string(autoscalers->size() - 1) + " more do likewise";
  const std::string remove = "kubectl -n " + first.key.ns + " delete hpa " + first.key.name +
                             " (or the ScaledObject of KEDA that made it)";
  if (!first.object.empty())
    return {subject, Verdict::Bad, scaler + " sizes " + first.object + " too, which " + job + " names" + more,
            remove};
  return {subject, Verdict::Bad,
          scaler + " pins " + job + " to a number of workers, so that slaq cannot size it" + more,
          remove + "; kubectl -n " + first.job.ns + " patch trainingjob " + first.job.name +
              " --type=merge -p '{\"spec\":{\"replicas\":null}}'"};
}

Finding elasticJobsFinding(const Result<void>& resize) {
  const std::string subject = "elastic Jobs";
  if (resize) return {subject, Verdict::Good, "the size of a running Indexed Job can be changed", ""};
  if (resize.error().kind == ErrorKind::Invalid)
    return {
        subject, Verdict::Bad,
        "the API server refuses to change the size of a running Indexed Job: " + resize.error().message,
        "Kubernetes 1.36 does so with the feature gate EnableWorkloadWithJob: turn it off in the API server"};
  return {subject, Verdict::Unknown, resize.error().message, ""};
}

}  // namespace

Result<Kueue> readKueue(kube::client::Api& api, const std::string& version) {
  auto kueue = findKueue(api);
  if (!kueue) return kueue;
  if (const auto read = readConfiguration(api, *kueue); !read) return failure(read.error());
  const auto queues = defaultQueues(api, version);
  if (!queues) return failure(queues.error());
  kueue->defaultQueues = *queues;
  kueue->mayReadTrainingJobs =
      isAllowed(api, {"", "slaq.io", "trainingjobs", {}, "list"}, kueue->ns, kueue->serviceAccount);
  return kueue;
}

Result<std::vector<Autoscaler>> readAutoscalers(kube::client::Api& api, const std::string& ns,
                                                const std::vector<kube::objects::StoredJob>& jobs) {
  std::vector<Autoscaler> found;
  const auto listed = api.listAll({kube::client::kAutoscalers, ns}, {}, [&](const Value& each) {
    if (auto autoscaler = autoscalerFrom(each, jobs)) found.push_back(std::move(*autoscaler));
  });
  if (!listed) return failure(listed.error());
  return found;
}

std::optional<Result<void>> tryResize(http::HttpClient& http, kube::client::Api& api,
                                      const std::vector<kube::objects::StoredJob>& jobs) {
  const auto running = std::ranges::find_if(jobs, [](const auto& each) {
    return each.status.state == JobState::Running && each.status.desired > Workers(1) &&
           !each.job.spec.workers.target;
  });
  if (running == jobs.end()) return std::nullopt;
  const Target workers{kube::client::kJobs, running->key.ns,
                       kube::objects::childName(running->key.name, kube::objects::Role::Workers)};
  const auto job = api.get(workers);
  if (!job && job.error().kind == ErrorKind::Forbidden) return std::nullopt;
  if (!job) return failure(job.error());
  const std::string more = std::to_string(intAt(*job, {"spec", "parallelism"}) + 1);
  http::HttpRequest request;
  request.method = "PATCH";
  request.path = pathOf(workers) + "?dryRun=All";
  request.contentType = "application/merge-patch+json";
  request.body = R"({"spec":{"parallelism":)" + more + R"(,"completions":)" + more + "}}";
  const auto answer = http.send(request);
  if (!answer) return failure(answer.error());
  if (answer->status == 403) return std::nullopt;
  if (answer->status == 200) return Result<void>();
  // A webhook that cannot be tried answers with another status.
  const auto kind = answer->status == 422 ? ErrorKind::Invalid : ErrorKind::Transient;
  return failure(kind, kube::client::errorOf(answer->status, answer->body, workers).message);
}

std::vector<Finding> otherControllerFindings(const Observed& seen) {
  std::vector<Finding> all;
  if (seen.kueue) all.push_back(kueueFinding(*seen.kueue));
  if (const auto queues = queuesFinding(seen)) all.push_back(*queues);
  if (seen.autoscalers) all.push_back(autoscalerFinding(*seen.autoscalers));
  if (seen.resize) all.push_back(elasticJobsFinding(*seen.resize));
  return all;
}

}  // namespace slaq::cli::check
