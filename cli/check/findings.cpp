#include "cli/check/findings.h"

#include <algorithm>
#include <cmath>

#include "cli/check/rights.h"

namespace slaq::cli::check {
namespace {

constexpr Seconds kMostSkew{2};  // an epoch is three by default
constexpr std::size_t kMostNamed = 3;

Finding good(std::string subject, std::string text) {
  return {std::move(subject), Verdict::Good, std::move(text), ""};
}
Finding unknown(std::string subject, std::string text, std::string mend) {
  return {std::move(subject), Verdict::Unknown, std::move(text), std::move(mend)};
}
Finding bad(std::string subject, std::string text, std::string mend) {
  return {std::move(subject), Verdict::Bad, std::move(text), std::move(mend)};
}

// "a, b, c and 4 more"
std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < std::min(words.size(), kMostNamed); ++i)
    text += (i == 0 ? "" : ", ") + words[i];
  if (words.size() > kMostNamed) text += " and " + std::to_string(words.size() - kMostNamed) + " more";
  return text;
}

std::string seconds(Seconds time) { return toDecimal(time.count(), 2) + " s"; }

Finding server(const Observed& seen) {
  const std::string subject = "API server";
  if (!seen.server)
    return bad(subject, seen.server.error().message, "kubectl cluster-info; or another --context");
  return good(subject, seen.server->version + " at " + seen.server->url);
}

Finding definition(const Observed& seen) {
  const std::string subject = "definition";
  const std::string apply = "kubectl apply --server-side -f crds/, of the version that is installed";
  if (seen.missingFields && seen.missingFields->empty())
    return good(subject, "trainingjobs.slaq.io has all fields that this version knows");
  if (seen.missingFields)
    return bad(subject, "trainingjobs.slaq.io is of another version; it lacks " + listed(*seen.missingFields),
               apply);
  if (seen.missingFields.error().kind == ErrorKind::NotFound)
    return bad(subject, "the cluster does not know TrainingJobs", "helm install slaq charts/slaq");
  return unknown(subject, seen.missingFields.error().message, "");
}

Finding installation(const Observed& seen) {
  const std::string subject = "controller";
  if (!seen.installation) {
    const bool absent = seen.installation.error().kind == ErrorKind::NotFound;
    return bad(
        subject, seen.installation.error().message,
        absent ? "helm install slaq charts/slaq; or name its namespace with --operator-namespace" : "");
  }
  const auto& it = *seen.installation;
  const std::string where = it.ns + "/" + it.name + " " + it.version;
  const std::string replicas = std::to_string(it.ready) + " of " + std::to_string(it.wanted) + " replicas ";
  if (it.wanted > 0 && it.ready == it.wanted) return good(subject, where + ": " + replicas + "are ready");
  if (it.wanted == 0)
    return bad(subject, where + " is scaled to none",
               "kubectl -n " + it.ns + " scale deployment " + it.name + " --replicas=2");
  return bad(subject, where + ": only " + replicas + "are ready",
             "kubectl -n " + it.ns + " logs deployment/" + it.name + "; kubectl -n " + it.ns +
                 " describe pods -l app.kubernetes.io/name=slaq");
}

Finding configuration(const Observed& seen) {
  const std::string subject = "configuration";
  const auto& read = *seen.configuration;
  if (!read)
    return bad(subject, read.error().message, "correct the values and helm upgrade slaq charts/slaq");
  const auto& scheduling = read->scheduling;
  return good(subject, std::string(name(scheduling.mode)) + " by " + std::string(name(scheduling.policy)) +
                           ", " + (scheduling.capacity ? toString(*scheduling.capacity) : "all free") +
                           (scheduling.resource == "cpu" ? " cores" : " " + scheduling.resource));
}

Finding leader(const Observed& seen) {
  const std::string subject = "leader";
  if (!seen.lease) return good(subject, "none is elected; there must be one replica only");
  const auto& lease = *seen.lease;
  const auto& where = *seen.installation;
  const std::string log = "kubectl -n " + where.ns + " logs deployment/" + where.name;
  if (!lease && lease.error().kind == ErrorKind::NotFound)
    return bad(subject, "there is no Lease, so that nobody decides", log);
  if (!lease) return unknown(subject, lease.error().message, "");
  if (lease->holder.empty()) return bad(subject, "nobody holds the Lease, so that nobody decides", log);
  const Time now = seen.server && seen.server->clock ? *seen.server->clock : seen.now;
  const Seconds age = std::max(Seconds(0), now - lease->renewed);
  if (age > lease->duration + kMostSkew)
    return bad(subject, lease->holder + " has not renewed the Lease for " + seconds(age), log);
  return good(subject, lease->holder + " renewed the Lease " + seconds(age) + " ago");
}

Finding rights(const Observed& seen) {
  const std::string subject = "rights";
  const auto& missing = *seen.missingRights;
  const auto& where = *seen.installation;
  const std::string who = where.ns + ":" + where.serviceAccount;
  if (!missing)
    return unknown(subject, missing.error().message,
                   "kubectl auth can-i --list --as=system:serviceaccount:" + who);
  if (missing->empty()) return good(subject, "the controller has all that it needs");
  std::vector<std::string> words;
  for (const auto& right : *missing) words.push_back(toString(right));
  return bad(subject, "system:serviceaccount:" + who + " may not " + listed(words),
             "helm upgrade slaq charts/slaq, whose roles give them");
}

Finding resizing(const Observed& seen) {
  const std::string subject = "resizing";
  if (!seen.server) return unknown(subject, "the API server did not answer", "");
  if (seen.server->resizesPods)
    return good(subject, "the cores of running pods can be changed (pods/resize)");
  return unknown(subject, "the cluster has no pods/resize: jobs with workers.scaling: CPU keep their cores",
                 "Kubernetes 1.33 or later has it");
}

Finding prometheus(const Observed& seen) {
  const std::string subject = "Prometheus";
  const auto& sight = *seen.prometheus;
  if (sight) return good(subject, sight->address + " answers");
  if (sight.error().kind == ErrorKind::NotFound)
    return unknown(subject, sight.error().message, "helm test slaq asks it from within the cluster");
  return bad(subject, sight.error().message,
             "correct config.loss.prometheus.serverAddress, or bring that Prometheus up: the controller goes "
             "on without, by what it knew");
}

Finding clocks(const Observed& seen) {
  const std::string subject = "clocks";
  const Seconds server =
      seen.server && seen.server->clock ? *seen.server->clock - seen.server->asked : Seconds(0);
  const bool asked = seen.prometheus && *seen.prometheus;
  const Seconds losses = asked ? (*seen.prometheus)->clock - seen.now : Seconds(0);
  const Seconds apart = std::abs(server.count()) > std::abs(losses.count()) ? server : losses;
  // The server's clock is told in whole seconds.
  if (std::abs(apart.count()) <= kMostSkew.count() + 1)
    return good(subject, "the servers' and this machine's are the same");
  return bad(
      subject,
      std::string(std::abs(server.count()) > std::abs(losses.count()) ? "the API server's" : "Prometheus'") +
          " is " + seconds(Seconds(std::abs(apart.count()))) + (apart.count() > 0 ? " ahead" : " behind"),
      "synchronize the machines' clocks, by chrony or the like");
}

Finding scrapes(const Observed& seen) {
  const std::string subject = "scrapes";
  const auto& sight = **seen.prometheus;
  if (sight.controllers > 0) return good(subject, "Prometheus scrapes the controller");
  return unknown(
      subject, "Prometheus does not scrape the controller: dashboards and alerts are empty",
      "helm upgrade with serviceMonitor.enabled=true, or the scrape configuration of docs/configuration.md");
}

bool isRunning(const kube::objects::StoredJob& job) { return job.status.state == JobState::Running; }

bool lacksLoss(const kube::objects::StoredJob& job) {
  const auto* found = slaq::find(job.status.conditions, ConditionType::MetricsAvailable);
  return isRunning(job) && found && found->status == Truth::False;
}

Finding trainings(const Observed& seen) {
  const std::string subject = "trainings";
  const auto& jobs = *seen.jobs;
  if (!jobs) return unknown(subject, jobs.error().message, "");
  std::vector<std::string> silent;
  std::string first;
  for (const auto& job : *jobs) {
    if (!lacksLoss(job)) continue;
    if (silent.empty()) first = slaq::find(job.status.conditions, ConditionType::MetricsAvailable)->message;
    silent.push_back(toString(job.key));
  }
  const auto running = std::ranges::count_if(*jobs, isRunning);
  if (!silent.empty()) {
    const bool unscraped = seen.prometheus && *seen.prometheus && (*seen.prometheus)->trainings == 0;
    return bad(
        subject, "no loss is read of " + listed(silent) + ": " + first,
        unscraped
            ? "Prometheus has no target with the labels of config.loss.prometheus.labels: helm upgrade with "
              "podMonitor.enabled=true, or the scrape configuration of docs/configuration.md"
            : "kubectl slaq explain " + silent.front());
  }
  if (running == 0) return good(subject, "none runs");
  return good(subject, "the loss of all " + std::to_string(running) + " that run is read");
}

}  // namespace

std::string_view name(Verdict verdict) {
  switch (verdict) {
    case Verdict::Good:
      return "Good";
    case Verdict::Unknown:
      return "Unknown";
    case Verdict::Bad:
      return "Bad";
  }
  return "";
}

std::vector<Finding> findings(const Observed& seen) {
  std::vector<Finding> all = {server(seen)};
  if (!seen.server) return all;
  all.push_back(definition(seen));
  all.push_back(installation(seen));
  if (seen.configuration) all.push_back(configuration(seen));
  if (seen.configuration && *seen.configuration) all.push_back(leader(seen));
  if (seen.missingRights) all.push_back(rights(seen));
  all.push_back(resizing(seen));
  if (seen.prometheus) all.push_back(prometheus(seen));
  if (seen.prometheus && *seen.prometheus) all.push_back(scrapes(seen));
  if (seen.jobs) all.push_back(trainings(seen));
  all.push_back(clocks(seen));
  return all;
}

}  // namespace slaq::cli::check
