// The centres that k-means begins with.
#pragma once

#include "trainer/data/chunk.h"
#include "trainer/data/source.h"
#include "trainer/problem/problem.h"

namespace slaq::trainer::algorithms::clustering {

// As many rows of the data as the problem has clusters, none of them twice, drawn from its seed.
data::Matrix initialCentres(const problem::Problem& problem, const data::Source& source);

}  // namespace slaq::trainer::algorithms::clustering
