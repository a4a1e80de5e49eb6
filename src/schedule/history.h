// What was learned of one job from epoch to epoch. A plain value: the loop keeps one for each job and feeds
// it with what it observes; decisions only read it.
#pragma once

#include <optional>
#include <string>

#include "curve/convergence_model.h"
#include "curve/loss_series.h"
#include "job/view.h"
#include "schedule/runtime_model.h"

namespace slaq {

struct JobHistory {
  std::string uid;  // of the job it belongs to: a new job under the same name starts anew

  LossSeries series;
  RuntimeModel runtime;
  std::optional<ConvergenceModel> model;  // of `series` as it is
  std::uint64_t fitted = 0;               // the series' revision that `model` is of

  std::optional<Time> lastSample;      // when the newest sample was read, new iteration or not
  bool lastWasFinite = true;           // the newest sample's loss was a number
  std::optional<std::string> problem;  // why there is no loss, as the source says
  bool caughtUp = false;               // the source has been asked successfully since the job is known

  Time known;                         // this process knows the job since
  bool adopted = false;               // it was running before this process knew it
  std::optional<Time> readySince;     // its workers have been ready since
  std::optional<Time> resizingSince;  // its pods differ from what was asked since
  Workers asked;                      // the number that `resizingSince` is about
  Iterations furthest{-1};            // the largest iteration ever seen: what comes after it is progress
  int forgivenFailures = 0;           // chief failures before the newest new iteration
};

// The pods of the job as they are now.
void observe(JobHistory& history, const JobView& view, Time now);

// A sample from the job's loss source, in the order of time. `initial` is the loss before the first
// iteration.
void learn(JobHistory& history, Time time, Iterations iteration, Loss loss, std::optional<Loss> initial,
           int chiefFailures);

// Fits the curve again if there are new pairs (section 4.2.2).
void refit(JobHistory& history, Convergence wanted);

// The iteration that the trainer is likely at `now`: decisions are about the future of now, not of the last
// scrape. Extrapolates by the running time, but no further than `most` from the last sample.
// REQUIRES: history.series is not empty.
Iterations iterationAt(const JobHistory& history, Cores running, Time now, Seconds most);

}  // namespace slaq
