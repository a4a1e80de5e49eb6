// The jobs of a cluster at one moment, as a page shows them by their statuses.
#pragma once

#include <vector>

#include "kube/objects/training_job.h"
#include "page/moment.h"

namespace slaq::cli::web {

// The jobs are sorted by key, and outlive the moment.
page::Moment momentOf(const std::vector<kube::objects::StoredJob>& jobs, Time now);

}  // namespace slaq::cli::web
