// A mixture of Gaussians: clusters of equal weight, their centres as far apart as twice a cluster's standard
// deviation in each feature, so that with a noise of 1 neighbours overlap. A row's class is its cluster.
#pragma once

#include <memory>
#include <span>

#include "trainer/data/source.h"
#include "trainer/problem/problem.h"

namespace slaq::trainer::data::generators {

std::span<const problem::Setting> mixtureSettings();
std::unique_ptr<Source> makeMixture(const problem::Problem& problem);

}  // namespace slaq::trainer::data::generators
