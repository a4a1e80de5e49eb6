// The JSON document that a page draws. Numbers are JSON numbers. Unknown values are left out, or null. Times
// are seconds since the run began, and cores are decimals.
#pragma once

#include <rapidjson/document.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "page/timeline.h"

namespace slaq::page {

// The time from a job's arrival until it had this percentage of its own loss reduction done.
struct Reduction {
  int percent;
  std::optional<Seconds> after;
};

// The figures of a job that are only known when its run is over.
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
  std::vector<Run> runs;         // two where policies are compared on the same jobs
  std::string verdict = {};      // the comparison's result, a sentence
  bool isOver = false;           // no more epochs will come
};

// Compact, and without "<", so that HTML can contain it.
std::string toJson(const Document& document);

// A document of the same form for something else than runs: the page's view named `view` draws `value`, whose
// allocator outlives the call.
std::string toJson(const std::string& title, const std::string& view, rapidjson::Value value);

// The part of the last run from the epoch `from` on, in the same form: the changes of figures, the forecasts
// and the job changes since then, for all jobs but those that left before it. REQUIRES: there is a run.
std::string partJson(const Document& document, std::size_t from);

}  // namespace slaq::page
