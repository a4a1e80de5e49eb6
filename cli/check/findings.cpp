#include "cli/check/findings.h"

#include <algorithm>
#include <cmath>

#include "cli/check/rights.h"
#include "cli/terminal/text.h"

namespace slaq::cli::check {
namespace {

constexpr Seconds kMostSkew{2};  // an epoch is three by default
constexpr const char* kInstall =
    "helm install slaq charts/slaq --namespace slaq-system --create-namespace --set "
    "config.capacity.cores=NUMBER";

Finding good(std::string subject, std::string text) {
  return {std::move(subject), Verdict::Good, std::move(text), ""};
}
Finding unknown(std::string subject, std::string text, std::string mend) {
  return {std::move(subject), Verdict::Unknown, std::move(text), std::move(mend)};
}
Finding bad(std::string subject, std::string text, std::string mend) {
  return {std::move(subject), Verdict::Bad, std::move(text), std::move(mend)};
}

std::string seconds(Seconds time) { return toDecimal(time.count(), 2) + " s"; }

// True if this command and the controller have the same version: only then does each know all that the other
// does.
bool isSameVersion(const Observed& seen) {
  return !seen.installation || seen.installation->version.empty() ||
         seen.installation->version == seen.version;
}

std::string otherVersion(const Observed& seen) {
  return "use the slaq command of the controller's version, " + seen.installation->version + "; this is " +
         seen.version;
}

std::string kubectl(const Installation& where) { return "kubectl -n " + where.ns; }

// The command that shows the logs of all pods; only the leader's log has the decisions.
std::string logs(const Installation& where) {
  return kubectl(where) + " logs -l app.kubernetes.io/instance=" + where.release + " --prefix --tail=-1";
}

std::string upgrade(const Installation& where, const std::string& values) {
  return "helm -n " + where.ns + " upgrade " + where.release + " charts/slaq --reset-then-reuse-values" +
         (values.empty() ? "" : " --set " + values);
}

Finding server(const Observed& seen) {
  const std::string subject = "API server";
  if (!seen.server)
    return bad(subject, seen.server.error().message, "kubectl cluster-info; or another --context");
  return good(subject, seen.server->version + " at " + seen.server->url);
}

Finding definition(const Observed& seen) {
  const std::string subject = "definition";
  if (!seen.missingFields && seen.missingFields.error().kind == ErrorKind::NotFound)
    return bad(subject, "the cluster does not know TrainingJobs", kInstall);
  if (!seen.missingFields) return unknown(subject, seen.missingFields.error().message, "");
  if (seen.missingFields->empty())
    return good(subject, "trainingjobs.slaq.io has all fields that this version knows");
  const std::string lacks = "trainingjobs.slaq.io lacks " + terminal::listOf(*seen.missingFields, kMostNamed);
  if (!isSameVersion(seen)) return unknown(subject, lacks, otherVersion(seen));
  return bad(subject, lacks, "kubectl apply --server-side -f crds/, of version " + seen.version);
}

Finding rollout(const std::string& subject, const Installation& it, const std::string& where) {
  const std::string pods = kubectl(it) + " describe pods -l app.kubernetes.io/instance=" + it.release;
  if (it.wanted == 0) {
    return bad(subject, where + " is scaled to none",
               kubectl(it) + " scale deployment " + it.name + " --replicas=2");
  }
  const std::string wanted = std::to_string(it.wanted);
  if (it.ready < it.wanted) {
    return bad(subject,
               where + ": only " + std::to_string(it.ready) + " of " + wanted + " replicas are ready",
               pods + "; " + logs(it));
  }
  if (it.updated < it.wanted && it.stuck)
    return bad(subject, where + ": the new version does not come up; the one before goes on", pods);
  if (it.updated < it.wanted)
    return unknown(subject, where + " is being rolled out",
                   kubectl(it) + " rollout status deployment/" + it.name);
  return good(subject, where + ": " + wanted + " of " + wanted + " replicas are ready");
}

Finding installation(const Observed& seen) {
  const std::string subject = "controller";
  if (seen.installation) {
    const auto& it = *seen.installation;
    return rollout(subject, it, it.ns + "/" + it.name + " " + it.version);
  }
  const Error& error = seen.installation.error();
  if (error.kind == ErrorKind::NotFound)
    return bad(subject, error.message, std::string(kInstall) + "; or name its namespace with --namespace");
  if (error.kind == ErrorKind::Invalid) return bad(subject, error.message, "");
  return unknown(subject, error.message,
                 "name its namespace with --namespace, where you may list deployments");
}

Finding configuration(const Observed& seen) {
  const std::string subject = "configuration";
  if (!*seen.configurationText) return unknown(subject, seen.configurationText->error().message, "");
  const auto& read = *seen.configuration;
  if (!read && !isSameVersion(seen)) return unknown(subject, read.error().message, otherVersion(seen));
  if (!read)
    return bad(subject, read.error().message, "correct the values; " + upgrade(*seen.installation, ""));
  const auto& scheduling = read->scheduling;
  return good(subject, std::string(name(scheduling.mode)) + " by " + std::string(name(scheduling.policy)) +
                           ", " + (scheduling.capacity ? toString(*scheduling.capacity) : "all free") +
                           (scheduling.resource == "cpu" ? " cores" : " " + scheduling.resource));
}

Finding leader(const Observed& seen) {
  const std::string subject = "leader";
  if (!seen.lease && seen.installation->wanted > 1)
    return bad(
        subject,
        "none is elected, and each of " + std::to_string(seen.installation->wanted) + " replicas decides",
        upgrade(*seen.installation, "config.leaderElection.enabled=true"));
  if (!seen.lease) return good(subject, "none is elected; there must be one replica only");
  const auto& lease = *seen.lease;
  const std::string mend = logs(*seen.installation);
  if (!lease && lease.error().kind == ErrorKind::NotFound)
    return bad(subject, "there is no Lease, so that nobody decides", mend);
  if (!lease) return unknown(subject, lease.error().message, "");
  if (lease->holder.empty()) return bad(subject, "nobody holds the Lease, so that nobody decides", mend);
  // Uses the cluster's clock where it is known, since it agrees better with the holder's clock than this
  // machine's.
  const auto& clock = seen.server->clock;
  const Time now = clock ? clock->clock + (seen.now - clock->before) : seen.now;
  const Seconds age = std::max(Seconds(0), now - lease->renewed);
  if (age > lease->duration + kMostSkew)
    return bad(subject, lease->holder + " has not renewed the Lease for " + seconds(age), mend);
  return good(subject, lease->holder + " renewed the Lease " + seconds(age) + " ago");
}

Finding rights(const Observed& seen) {
  const std::string subject = "rights";
  const auto& [missing, unasked] = *seen.rights;
  const auto& where = *seen.installation;
  const std::string who = where.ns + ":" + where.serviceAccount;
  std::vector<std::string> words;
  for (const auto& right : missing) words.push_back(toString(right));
  if (!missing.empty()) {
    return bad(subject, "system:serviceaccount:" + who + " may not " + terminal::listOf(words, kMostNamed),
               upgrade(where, "") + ", whose roles give them");
  }
  if (unasked)
    return unknown(subject, unasked->message, "kubectl auth can-i --list --as=system:serviceaccount:" + who);
  return good(subject, "the controller has all that it needs");
}

Finding resizing(const Observed& seen) {
  const std::string subject = "resizing";
  if (seen.server->resizesPods)
    return good(subject, "the cores of running pods can be changed (pods/resize)");
  return unknown(subject, "the cluster has no pods/resize: jobs with workers.scaling: CPU keep their cores",
                 "Kubernetes 1.33 or later has it");
}

Finding prometheus(const Observed& seen) {
  const std::string subject = "Prometheus";
  const auto& state = *seen.prometheus;
  const auto& where = *seen.installation;
  if (state) return good(subject, state->address + " answers");
  if (state.error().kind == ErrorKind::NotFound) {
    return unknown(subject, state.error().message,
                   "helm -n " + where.ns + " test " + where.release + " asks it from within the cluster");
  }
  return bad(subject, state.error().message,
             "bring it up, or name another: " + upgrade(where, "config.loss.prometheus.serverAddress=URL"));
}

Finding scrapes(const Observed& seen) {
  const std::string subject = "scrapes";
  const auto& controllers = (*seen.prometheus)->controllers;
  if (!controllers) return unknown(subject, controllers.error().message, "");
  if (*controllers > 0) return good(subject, "Prometheus scrapes the controller");
  return unknown(subject, "Prometheus does not scrape the controller: dashboards and alerts are empty",
                 upgrade(*seen.installation, "serviceMonitor.enabled=true") +
                     "; or the scrape configuration of docs/configuration.md");
}

const Condition* metricsOf(const kube::objects::StoredJob& job) {
  return slaq::find(job.status.conditions, ConditionType::MetricsAvailable);
}

// The running jobs whose loss is read, or should be read and is not.
std::vector<const kube::objects::StoredJob*> running(const std::vector<kube::objects::StoredJob>& jobs,
                                                     Truth isRead) {
  std::vector<const kube::objects::StoredJob*> found;
  for (const auto& job : jobs) {
    const auto* condition = metricsOf(job);
    if (job.status.state == JobState::Running && condition && condition->status == isRead)
      found.push_back(&job);
  }
  return found;
}

Finding trainings(const Observed& seen) {
  const std::string subject = "trainings";
  const auto& jobs = *seen.jobs;
  if (!jobs) return unknown(subject, jobs.error().message, "");
  const auto silent = running(*jobs, Truth::False);
  const auto read = running(*jobs, Truth::True).size();
  if (silent.empty() && read == 0) return good(subject, "none runs whose loss is needed yet");
  if (silent.empty()) return good(subject, "the loss is read of all that need one, " + std::to_string(read));
  std::vector<std::string> names;
  for (const auto* job : silent) names.push_back(toString(job->key));
  const std::string text = "no loss is read of " + terminal::listOf(names, kMostNamed) + ": " +
                           metricsOf(*silent.front())->message;
  const bool unscraped =
      seen.prometheus && *seen.prometheus && (*seen.prometheus)->trainings.value_or(1) == 0;
  if (unscraped) {
    return bad(subject, text,
               "Prometheus has no target with the labels of config.loss.prometheus.labels: " +
                   upgrade(*seen.installation, "podMonitor.enabled=true") +
                   "; or the scrape configuration of docs/configuration.md");
  }
  // A problem of only one training has to be solved by its owner.
  const std::string explain = "kubectl slaq explain " + names.front();
  return read == 0 ? bad(subject, text, explain) : unknown(subject, text, explain);
}

// The least time by which the other clock is ahead of this machine's; negative: behind.
Seconds aheadBy(const ClockReading& reading) {
  const Seconds ahead = reading.clock - reading.after;
  const Seconds behind = reading.before - (reading.clock + reading.precision);
  return ahead.count() > 0 ? ahead : behind.count() > 0 ? -behind : Seconds(0);
}

std::string skew(Seconds ahead) {
  return seconds(Seconds(std::abs(ahead.count()))) + (ahead.count() > 0 ? " ahead of " : " behind ");
}

Finding clocks(const Observed& seen) {
  const std::string subject = "clocks";
  const std::string mend = "synchronize the machines' clocks, by chrony or the like";
  const Seconds server = seen.server->clock ? aheadBy(*seen.server->clock) : Seconds(0);
  const bool isAsked = seen.prometheus && *seen.prometheus;
  const Seconds losses = isAsked ? aheadBy((*seen.prometheus)->clock) : server;
  if (std::abs((losses - server).count()) > kMostSkew.count())
    return bad(subject, "Prometheus' is " + skew(losses - server) + "the API server's", mend);
  if (std::abs(server.count()) <= kMostSkew.count())
    return good(subject, "the servers' and this machine's are the same");
  const std::string text = "this machine's is " + skew(-server) + "the cluster's";
  return seen.inCluster ? bad(subject, text, mend) : unknown(subject, text, mend);
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

bool haveFailed(const std::vector<Finding>& findings) {
  return std::ranges::find(findings, Verdict::Bad, &Finding::verdict) != findings.end();
}

std::vector<Finding> findings(const Observed& seen) {
  std::vector<Finding> all = {server(seen)};
  if (!seen.server) return all;
  all.push_back(definition(seen));
  all.push_back(installation(seen));
  if (seen.configurationText) all.push_back(configuration(seen));
  if (seen.configuration && *seen.configuration) all.push_back(leader(seen));
  if (seen.rights) all.push_back(rights(seen));
  all.push_back(resizing(seen));
  if (seen.prometheus) all.push_back(prometheus(seen));
  if (seen.prometheus && *seen.prometheus) all.push_back(scrapes(seen));
  if (seen.jobs) all.push_back(trainings(seen));
  all.push_back(clocks(seen));
  return all;
}

}  // namespace slaq::cli::check
