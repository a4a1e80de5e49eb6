// What each number of workers would mean for a training: how long it takes and what it costs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "job/status.h"

namespace slaq::cli::advise {

// What is known of a training.
struct Outlook {
  std::vector<SizeSpeed> speeds;      // of rising size
  std::vector<Milestone> milestones;  // of rising percentage; empty where its loss cannot be forecast
  Cores perWorker;
  Cores driver;
  std::optional<Workers> now = {};           // that it has
  std::optional<double> doneShare = {};      // of the reduction that can be expected
  std::string whyNotForecast = {};           // a sentence; empty: it has shown too little
  std::optional<double> backTestError = {};  // of the forecast, as a share of what the loss fell
  std::optional<Workers> most = {};          // that its owner allows
};

// What one number of workers means.
struct SizeAdvice {
  SizeSpeed speed;
  std::vector<Seconds> times;            // until each of the outlook's milestones
  std::optional<double> coreHours = {};  // until the one that is told of
};

struct Advice {
  std::vector<SizeAdvice> sizes;  // of rising size
  // The smallest of those that are as fast as any, to a hundredth; one that was not measured only where it is
  // faster by a tenth.
  std::size_t fastest = 0;
  std::size_t knee = 0;  // of the sizes up to the fastest the one with the least time times cost
  // The milestone whose times and costs are told of: 95%, or else the first; empty without any.
  std::optional<std::size_t> told = {};
};

// REQUIRES: speeds, all above 0.
Advice adviceFrom(const Outlook& outlook);

}  // namespace slaq::cli::advise
