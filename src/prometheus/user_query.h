// The PromQL of a job's own: the text that asks for its loss and its iterations at once, and what the answer
// means. Pure; nothing is sent here.
#pragma once

#include <string>
#include <string_view>

#include "prometheus/matrix.h"
#include "prometheus/queries.h"

namespace slaq {

// One expression for both queries, so that one evaluation sees one moment of both: each step's two values are
// of the same scrapes. From the job's `since` to `now`, at most 200 steps, at multiples of the step: asked
// again, they are the same.
Query userQuery(const LossRequest& job, Time now, Seconds leastStep);

// The samples in the answer, loss and iteration joined by their steps; of a value that stands still the first
// and the last. A problem where a query gives no series, or more than one at a time.
JobLoss readUserQuery(const Matrix& matrix, const LossRequest& job);

// Prometheus's own words about what it refuses, with the place in the user's query instead of that in ours.
std::string explainRefusal(std::string_view message, const LossRequest& job);

}  // namespace slaq
