// The JSON document that a page draws. Numbers are numbers. What is not known is left out, or null. Times are
// seconds since the run began, and cores are decimals.
#pragma once

#include <rapidjson/document.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "page/timeline.h"

namespace slaq::page {

// How long after its arrival a job had so much of its own loss reduction done.
struct Reduction {
  int percent;
  std::optional<Seconds> after;
};

// What is known of a job when its run is over.
struct JobEnd {
  std::vector<Reduction> reductions = {};
  std::optional<Seconds> completion = {};  // from its arrival
};

// The run of some jobs under one policy.
struct Run {
  std::string policy;
  RunTimeline timeline;
  std::map<JobKey, JobEnd> ends = {};
};

struct Document {
  std::string title;             // the command
  std::string resource = "cpu";  // what a core is one of
  std::vector<Run> runs;         // two where policies are compared, of the same jobs
  std::string verdict = {};      // of the comparison, a sentence
  bool isOver = false;           // no more will come
};

// Compact, and without "<", so that it can stand within HTML.
std::string toJson(const Document& document);

// The same of something else than runs: `value`, made by any allocator that outlives the call, is drawn by
// the view of that name.
std::string toJson(const std::string& title, const std::string& view, rapidjson::Value value);

// What the epochs from `from` on of the last run have brought, in the same form: of figures what changed
// since, of forecasts and changes those since, and the jobs that are in the cluster, or were until then.
// REQUIRES: there is a run.
std::string partJson(const Document& document, std::size_t from);

}  // namespace slaq::page
