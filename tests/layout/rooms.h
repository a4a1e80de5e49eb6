// The layout of docs/design.md as data: which folder may include from which, and what else is a matter of a
// folder's place. A folder of src is named by its path below src, those of the programs by their path.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace slaq::layout {

// Every folder with the folders whose headers it may include, its own apart.
inline const std::map<std::string, std::set<std::string>> kMayInclude = {
    {"base", {}},
    {"base/process", {"base"}},
    {"serve", {"base"}},
    {"release", {}},
    {"job", {"base"}},
    {"ports", {"base", "job"}},

    {"forecast/series", {"base"}},
    {"forecast/curves", {"forecast/series", "job"}},
    {"forecast/ensemble", {"forecast/curves", "forecast/series"}},
    {"forecast/speed", {}},
    {"forecast/predictors",
     {"forecast/curves", "forecast/ensemble", "forecast/series", "forecast/speed", "job"}},

    {"scheduler/allocation", {"base", "forecast/curves", "forecast/speed"}},
    {"scheduler/policy", {"base", "scheduler/allocation"}},
    {"scheduler/policies", {"scheduler/allocation", "scheduler/policy"}},
    {"scheduler/state",
     {"base", "forecast/curves", "forecast/predictors", "forecast/speed", "job", "scheduler/policies",
      "scheduler/policy", "scheduler/runtime"}},
    {"scheduler/runtime", {"base", "forecast/speed", "job"}},
    {"scheduler/lifecycle", {"base", "job", "scheduler/allocation", "scheduler/state"}},
    {"scheduler/explain", {"base", "scheduler/lifecycle", "scheduler/state"}},
    {"scheduler/decision",
     {"base", "scheduler/allocation", "scheduler/explain", "scheduler/lifecycle", "scheduler/state"}},

    {"loop/status",
     {"base", "forecast/curves", "job", "ports", "scheduler/explain", "scheduler/lifecycle",
      "scheduler/state"}},
    {"loop/write", {"base", "loop/status", "ports", "scheduler/explain", "scheduler/state"}},
    {"loop",
     {"base", "forecast/curves", "forecast/predictors", "job", "loop/status", "loop/write", "ports",
      "scheduler/decision", "scheduler/lifecycle", "scheduler/state"}},
    {"http", {"base"}},
    {"yaml", {"base"}},
    {"manifest", {"base", "job", "manifest/pods", "yaml"}},
    {"manifest/pods", {"base", "job", "yaml"}},
    {"config", {"base", "forecast/predictors", "scheduler/state", "yaml"}},
    {"prometheus", {"base", "http", "job", "ports"}},
    {"prometheus/cpu", {"base", "http", "ports", "prometheus"}},
    {"prometheus/scrape", {"base", "http", "ports", "prometheus"}},
    {"telemetry",
     {"base", "forecast/curves", "loop", "scheduler/explain", "scheduler/lifecycle", "scheduler/state"}},
    {"telemetry/process", {}},
    {"simulate/input", {"base", "forecast/ensemble", "forecast/speed", "job", "yaml"}},
    {"simulate/run",
     {"base", "forecast/predictors", "forecast/series", "job", "loop", "ports", "scheduler/state",
      "simulate/input"}},

    {"kube/json", {"job"}},
    {"kube/client", {"base", "http", "kube/json", "manifest"}},
    {"kube/auth", {"base", "http", "kube/json", "manifest", "yaml"}},
    {"kube/access", {"base", "kube/client", "kube/json", "manifest"}},
    {"kube/leader", {"base", "kube/client", "kube/json", "manifest"}},
    {"kube/watch", {"base", "job", "kube/client", "kube/json"}},
    {"kube/pods", {"base", "job", "kube/json", "manifest", "yaml"}},
    {"kube/objects", {"job", "kube/json", "kube/pods", "manifest"}},
    {"kube/events", {"base", "job", "kube/client", "manifest", "ports"}},
    {"kube/records", {"kube/client", "kube/json", "manifest", "ports"}},
    {"kube/cluster",
     {"base", "job", "kube/auth", "kube/client", "kube/events", "kube/json", "kube/objects", "kube/pods",
      "kube/watch", "ports"}},

    {"local/system", {"base"}},
    {"local/cpu", {"base", "local/system"}},
    {"local/processes", {"base", "job", "local/cpu", "local/system"}},
    {"local/cluster", {"base", "job", "local/cpu", "local/processes", "manifest", "ports"}},

    {"sources",
     {"base", "config", "http", "kube/auth", "ports", "prometheus", "prometheus/cpu", "prometheus/scrape"}},

    {"controller",
     {"base", "base/process", "config", "kube/access", "kube/auth", "kube/cluster", "kube/leader",
      "kube/records", "loop", "ports", "release", "sources", "telemetry", "telemetry/process"}},

    {"cli", {"base/process", "cli/commands"}},
    {"cli/cluster",
     {"base", "cli/terminal", "http", "job", "kube/auth", "kube/client", "kube/json", "kube/objects",
      "prometheus"}},
    {"cli/advise",
     {"base", "cli/cluster", "cli/flags", "cli/output", "cli/terminal", "forecast/predictors",
      "forecast/speed", "job", "manifest", "scheduler/state", "simulate/input"}},
    {"cli/check",
     {"base", "cli/cluster", "cli/flags", "cli/output", "cli/terminal", "config", "http", "kube/auth",
      "kube/client", "kube/json", "kube/objects", "manifest", "release", "sources", "yaml"}},
    {"cli/version", {"base", "cli/check", "cli/flags", "cli/output", "kube/auth", "release"}},
    {"cli/validate", {"job", "cli/flags", "cli/run", "manifest"}},
    {"cli/commands",
     {"base", "cli/advise", "cli/check", "cli/completion", "cli/explain", "cli/flags", "cli/logs",
      "cli/output", "cli/predict", "cli/run", "cli/simulation", "cli/submit", "cli/top", "cli/validate",
      "cli/version", "release"}},
    {"cli/completion", {"base", "cli/cluster", "cli/flags", "cli/run"}},
    {"cli/explain",
     {"base", "cli/cluster", "cli/flags", "cli/jobs", "cli/output", "cli/terminal", "cli/top", "job",
      "kube/objects"}},
    {"cli/flags", {"base", "job", "kube/auth", "simulate/input"}},
    {"cli/jobs", {"base", "cli/terminal", "job", "loop"}},
    {"cli/logs", {"base", "base/process", "cli/cluster", "cli/flags", "job"}},
    {"cli/output", {"base", "manifest", "yaml"}},
    {"cli/predict",
     {"base", "cli/flags", "cli/output", "cli/terminal", "forecast/ensemble", "forecast/predictors", "job",
      "scheduler/state", "simulate/input"}},
    {"cli/run",
     {"base", "base/process", "cli/flags", "cli/jobs", "cli/logs", "cli/output", "cli/terminal",
      "forecast/predictors", "forecast/series", "job", "local/cluster", "local/cpu", "loop", "manifest",
      "ports", "prometheus/scrape", "scheduler/lifecycle", "scheduler/policies", "scheduler/state"}},
    {"cli/serve", {"base", "job", "kube/json", "manifest", "serve", "yaml"}},
    {"cli/simulation",
     {"cli/flags", "cli/jobs", "cli/output", "cli/terminal", "forecast/predictors", "simulate/input",
      "simulate/run"}},
    {"cli/submit",
     {"base", "cli/cluster", "cli/flags", "cli/run", "job", "kube/auth", "kube/json", "local/cluster",
      "manifest", "yaml"}},
    {"cli/terminal", {"base"}},
    {"cli/top",
     {"base", "base/process", "cli/cluster", "cli/flags", "cli/jobs", "cli/output", "cli/terminal",
      "kube/objects", "manifest"}},

    {"report",
     {"report/child", "report/kubeflow", "report/logs", "report/options", "report/output", "report/pattern",
      "report/serve"}},
    {"report/child", {"base"}},
    {"report/kubeflow", {"base", "report/output", "serve"}},
    {"report/options", {"base", "report/output", "report/pattern"}},
    {"report/pattern", {"base", "report/output"}},
    {"report/logs", {"report/output"}},
    {"report/output", {}},
    {"report/serve", {"base", "report/output", "serve"}},

    {"trainer",
     {"trainer/dataset", "trainer/driver", "trainer/options", "trainer/training", "trainer/worker"}},
    {"trainer/algorithms", {"trainer/data", "trainer/io", "trainer/problem"}},
    {"trainer/algorithms/clustering", {"trainer/algorithms", "trainer/data", "trainer/problem"}},
    {"trainer/algorithms/linear", {"trainer/algorithms", "trainer/data", "trainer/problem"}},
    {"trainer/algorithms/neural", {"trainer/algorithms", "trainer/data", "trainer/problem"}},
    {"trainer/algorithms/topics", {"trainer/algorithms", "trainer/data", "trainer/problem"}},
    {"trainer/algorithms/trees", {"trainer/algorithms", "trainer/data", "trainer/io", "trainer/problem"}},
    {"trainer/data", {}},
    {"trainer/data/formats", {"base", "trainer/data", "trainer/io", "trainer/problem"}},
    {"trainer/data/generators", {"base", "trainer/data", "trainer/problem"}},
    {"trainer/dataset",
     {"base", "trainer/data", "trainer/data/formats", "trainer/problem", "trainer/protocol",
      "trainer/registry"}},
    {"trainer/driver",
     {"base", "trainer/data", "trainer/data/formats", "trainer/dataset", "trainer/io", "trainer/net",
      "trainer/problem", "trainer/protocol", "trainer/registry", "trainer/training"}},
    {"trainer/io", {"base", "trainer/data", "trainer/problem"}},
    {"trainer/net", {"base", "trainer/protocol"}},
    {"trainer/options",
     {"base", "trainer/data/formats", "trainer/data/generators", "trainer/dataset", "trainer/driver",
      "trainer/problem", "trainer/registry", "trainer/worker"}},
    {"trainer/problem", {"base"}},
    {"trainer/protocol", {"base", "trainer/data", "trainer/io", "trainer/problem"}},
    {"trainer/registry",
     {"base", "trainer/algorithms", "trainer/algorithms/clustering", "trainer/algorithms/linear",
      "trainer/algorithms/neural", "trainer/algorithms/topics", "trainer/algorithms/trees", "trainer/data",
      "trainer/data/formats", "trainer/data/generators", "trainer/problem"}},
    {"trainer/training", {"base", "serve", "trainer/algorithms", "trainer/io", "trainer/problem"}},
    {"trainer/worker",
     {"base", "trainer/algorithms", "trainer/data", "trainer/net", "trainer/problem", "trainer/protocol",
      "trainer/registry"}},
};

// Libraries that must be replaceable, with the few folders that include them. No header does. Boost.Beast is
// a server's in one of its folders, and a client's in the other.
inline const std::map<std::string, std::set<std::string>> kLibraryHomes = {
    {"cpprest/", {"http"}},
    {"pplx/", {"http"}},
    {"yaml-cpp/", {"yaml"}},
    {"boost/beast/", {"http", "telemetry"}},
    {"pcre2.h", {"report/pattern"}}};

// The namespaces below slaq of the folders that do not have the namespace of their path: the vocabulary that
// all share is in slaq itself, the parts of a subject share the namespace of the subject, and `prom` leaves
// the name `prometheus` to the library prometheus-cpp. A name stands for the folder and all below it.
inline const std::map<std::string, std::string> kNamespace = {
    {"base", ""},           {"job", ""},
    {"ports", ""},          {"forecast", "forecast"},
    {"loop", "loop"},       {"scheduler", "scheduler"},
    {"prometheus", "prom"}, {"simulate", "simulate"}};

// Only these know which policies there are.
inline const std::set<std::string> kMayNamePolicies = {"scheduler/policies", "config"};

inline constexpr std::size_t kMostPairsInAFolder = 10;
inline constexpr std::size_t kMostLinesOfAFile = 300;
inline constexpr std::size_t kMostLinesOfAFunction = 40;

}  // namespace slaq::layout
