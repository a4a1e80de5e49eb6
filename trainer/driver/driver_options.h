// What a driver is told.
#pragma once

#include <cstdint>
#include <string>

#include "base/units.h"
#include "trainer/data/formats/format.h"
#include "trainer/net/address.h"
#include "trainer/problem/problem.h"
#include "trainer/training/training.h"

namespace slaq::trainer::driver {

struct DriverOptions {
  problem::Problem problem;  // complete, but for the sizes of data from files
  data::formats::Files files;
  training::StopRule stop;
  net::Address listen;
  std::uint16_t metricsPort = 0;  // for who serves the metrics
  std::string history;            // a CSV file, none if empty
  std::string checkpoint;         // a file to go on from and to save to, none if empty
  Seconds checkpointEvery{30};    // at most, between two; at the end of an iteration
  Seconds linger{2};              // how long metrics stay up after the end
  std::string job;                // the uid of the job: only workers that say the same are let in
};

}  // namespace slaq::trainer::driver
