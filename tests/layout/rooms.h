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
    {"job", {"base"}},
    {"ports", {"base", "job"}},
    {"curve", {"base", "job"}},
    {"schedule", {"base", "job", "curve"}},
    {"loop", {"base", "job", "ports", "curve", "schedule"}},
    {"http", {"base"}},
    {"yaml", {"base"}},
    {"manifest", {"base", "job", "yaml"}},
    {"config", {"base", "schedule", "yaml"}},
    {"prometheus", {"base", "job", "ports", "http"}},
    {"telemetry", {"base", "curve", "loop", "schedule"}},
    {"simulate", {"base", "job", "ports", "loop", "schedule", "yaml"}},

    {"kube/json", {"job"}},
    {"kube/client", {"base", "http", "kube/json", "manifest"}},
    {"kube/auth", {"base", "http", "kube/json", "manifest", "yaml"}},
    {"kube/leader", {"base", "kube/client", "kube/json", "manifest"}},
    {"kube/watch", {"base", "job", "kube/client", "kube/json"}},
    {"kube/pods", {"base", "job", "kube/json", "manifest"}},
    {"kube/objects", {"job", "kube/json", "kube/pods", "manifest"}},
    {"kube/events", {"job", "ports", "kube/client", "manifest"}},
    {"kube/cluster",
     {"base", "job", "ports", "kube/auth", "kube/client", "kube/events", "kube/json", "kube/objects",
      "kube/pods", "kube/watch"}},

    {"local/system", {"base"}},
    {"local/cpu", {"base", "local/system"}},
    {"local/processes", {"base", "job", "local/cpu", "local/system"}},
    {"local/cluster", {"base", "job", "ports", "local/cpu", "local/processes", "manifest"}},

    {"controller",
     {"base", "config", "kube/auth", "kube/cluster", "kube/leader", "loop", "ports", "prometheus",
      "telemetry"}},
    {"cli",
     {"base", "http", "job", "kube/auth", "kube/client", "kube/json", "kube/objects", "local/cluster",
      "local/cpu", "loop", "ports", "manifest", "ports", "prometheus", "schedule", "simulate"}},
    {"trainer", {"base", "trainer/algorithms", "trainer/data"}},
    {"trainer/data", {"base", "trainer"}},
    {"trainer/algorithms",
     {"base", "trainer", "trainer/algorithms/neural", "trainer/algorithms/topics", "trainer/algorithms/trees",
      "trainer/data"}},
    {"trainer/algorithms/neural", {"trainer", "trainer/algorithms", "trainer/data"}},
    {"trainer/algorithms/topics", {"trainer", "trainer/algorithms", "trainer/data"}},
    {"trainer/algorithms/trees", {"trainer", "trainer/algorithms", "trainer/data"}},
};

// Libraries that must be replaceable in one place. No header includes them.
inline const std::map<std::string, std::string> kLibraryHome = {
    {"cpprest/", "http"}, {"pplx/", "http"}, {"yaml-cpp/", "yaml"}, {"CivetServer.h", "telemetry"}};

// Their sources are in the namespace slaq, which is everybody's vocabulary; all others in that of their path.
inline const std::set<std::string> kSharedVocabulary = {"base", "job"};

// Only these know which policies there are.
inline const std::set<std::string> kMayNamePolicies = {"scheduler/policy", "config"};

inline constexpr std::size_t kMostPairsInAFolder = 10;
inline constexpr std::size_t kMostLinesOfAFile = 300;
inline constexpr std::size_t kMostLinesOfAFunction = 40;

// TO BE EMPTIED: what has not been moved or divided yet, for the rule that the name of each list says. A name
// stands for the folder and all below it, or for one file.
inline const std::set<std::string> kTooManyPairs = {"base", "cli", "curve", "schedule", "trainer"};
inline const std::set<std::string> kTooLong = {"schedule/iteration_buyers.cpp", "trainer/driver.cpp"};
inline const std::set<std::string> kWithoutHeader = {"cli", "curve", "schedule", "loop"};
inline const std::set<std::string> kFoldersInACycle = {"trainer"};
inline const std::set<std::string> kFilesInACycle = {"curve", "schedule", "trainer"};
inline const std::set<std::string> kStillInTheRootNamespace = {
    "cli",   "config",     "controller", "curve",    "http",      "loop",    "manifest",
    "ports", "prometheus", "schedule",   "simulate", "telemetry", "trainer", "yaml"};
inline const std::set<std::string> kStillNamesPolicies = {"schedule", "simulate"};
// Headers that belong to another folder than the one that they stand in.
inline const std::map<std::string, std::string> kBelongsElsewhere = {{"loop/ports.h", "ports"}};

}  // namespace slaq::layout
