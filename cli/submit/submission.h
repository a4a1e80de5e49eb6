// TrainingJobs for slaq serve: manifests completed with facts that only the sender knows.
#pragma once

#include <rapidjson/document.h>

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "job/job.h"

namespace slaq::cli::submit {

// The place of a command line, where its programs are found.
struct Caller {
  std::string directory;
  std::map<std::string, std::string> environment;  // the variables that find programs and their libraries
};

Caller thisCaller();

class Submission {
 public:
  // `document` is a TrainingJob. The job is in its own namespace, else in `ns`. Its containers get the
  // caller's directory and environment, unless they name their own.
  Submission(rapidjson::Document document, const std::string& ns, const Caller& caller);

  const JobKey& key() const { return key_; }
  void rename(const std::string& name);
  std::string text() const;  // JSON

 private:
  rapidjson::Document document_;
  JobKey key_;
};

// The TrainingJobs of a manifest. `name` is for messages. Invalid, with a line for each mistake, if this
// machine can't run them, or if one is in another namespace than `ns`, which may be empty.
Result<std::vector<Submission>> submissionsIn(const std::string& name, const std::string& manifest,
                                              const std::string& ns, const Caller& caller);

// "train-2": the first of the numbered names that is not in `taken`.
std::string freeName(const std::string& name, const std::vector<std::string>& taken);

}  // namespace slaq::cli::submit
