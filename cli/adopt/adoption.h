// Makes TrainingJobs for workloads that exist already, where slaq could size them.
#pragma once

#include <rapidjson/document.h>

#include <optional>
#include <string>
#include <vector>

#include "job/job.h"
#include "job/target_kind.h"

namespace slaq::cli::adopt {

struct Adoption {
  JobKey job;  // the TrainingJob
  TargetRef target;
  Workers min{1};
  Workers max{1};
  std::string label = {};  // the pods' label slaq.io/job; slaq finds their loss where it is the job's name
  bool requestsCpu = false;
  bool isFixed = false;  // the number of workers cannot be changed
};

// One object with its adoption. If it has none, `why` is the reason, a clause that follows the object's name.
struct Candidate {
  std::string kind;
  JobKey object;
  std::optional<Adoption> adoption;
  std::string why = {};
};

// `most` is the most workers of an object that has no bounds of its own; empty: twice what it has. `taken`
// are the targets that TrainingJobs of its namespace name already. If an object has several groups of
// workers, the largest is taken. An object that has ended, or that another object owns, is no candidate. Nor
// is an object whose maker has ended, such as a RayJob. `ended` are the uids of such makers.
std::optional<Candidate> candidateFrom(const rapidjson::Value& object, const TargetKind& kind,
                                       std::optional<Workers> most, const std::vector<TargetRef>& taken,
                                       const std::vector<std::string>& ended = {});

// The TrainingJob in mode Observe, or in mode Schedule.
rapidjson::Document trainingJobOf(const Adoption& adoption, Mode mode);

}  // namespace slaq::cli::adopt
