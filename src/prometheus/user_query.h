// A job's own PromQL: builds the text that asks for its loss and its iterations at once, and reads the
// answer. Pure; nothing is sent here.
#pragma once

#include <string>
#include <string_view>

#include "prometheus/matrix.h"
#include "prometheus/queries.h"

namespace slaq::prom {

// One expression for both queries, so that the two values of a step come from the same scrapes. It covers the
// job's `since` to `now` in at most 200 steps. Steps are at multiples of their length, so that repeated
// queries return the same points.
Query userQuery(const LossRequest& job, Time now, Seconds leastStep);

// The samples in the answer, with loss and iteration joined by step. Only the first and the last of equal
// samples in a row are kept. A problem if a query gives no series, or more than one at a time.
JobLoss readUserQuery(const Matrix& matrix, const LossRequest& job);

// Prometheus's error message with the position in the user's query instead of that in the combined one.
std::string explainRefusal(std::string_view message, const LossRequest& job);

}  // namespace slaq::prom
