// The certain future of a job: its current iteration, its true curve and its true speeds. Only a simulation
// has it.
#pragma once

#include <functional>
#include <optional>

#include "forecast/curves/curve.h"
#include "forecast/speed/speed_curve.h"
#include "job/job.h"

namespace slaq::scheduler {

struct KnownFuture {
  forecast::Curve curve;
  double iteration = 0;  // with the part of the one under way
  forecast::SpeedCurve speed;
  double first = 1;  // the losses at the start and at the end
  double final = 0;
};

// Empty for a job whose future is not known. Called once an epoch for each job.
using FutureSource = std::function<std::optional<KnownFuture>(const JobKey&)>;

}  // namespace slaq::scheduler
