// The effect of each number of workers on a training: its duration and its cost.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "job/status.h"

namespace slaq::cli::advise {

// The known facts about a training.
struct Outlook {
  std::vector<SizeSpeed> speeds;      // in rising order of size
  std::vector<Milestone> milestones;  // in rising order of percentage; empty if its loss cannot be forecast
  Cores perWorker;
  Cores driver;
  std::optional<Workers> now = {};           // its present number of workers
  std::optional<double> doneShare = {};      // of the expected reduction
  std::string whyNotForecast = {};           // a sentence; empty: it has shown too little
  std::optional<double> backTestError = {};  // of the forecast, as a share of the loss's fall so far
  std::optional<Workers> most = {};          // the most that its owner allows
};

// The effect of one number of workers.
struct SizeAdvice {
  SizeSpeed speed;
  std::vector<Seconds> times;            // until each of the outlook's milestones
  std::optional<double> coreHours = {};  // until the milestone `Advice::told`
};

struct Advice {
  std::vector<SizeAdvice> sizes;  // in rising order of size
  // The smallest size that is as fast as any other, to a hundredth. A size that was not measured is chosen
  // only if it is faster by a tenth.
  std::size_t fastest = 0;
  std::size_t knee = 0;  // the size with the least time times cost, among those up to the fastest
  // The milestone whose times and costs are shown: 95%, or else the first; empty if there is none.
  std::optional<std::size_t> told = {};
};

// REQUIRES: speeds, all above 0.
Advice adviceFrom(const Outlook& outlook);

}  // namespace slaq::cli::advise
