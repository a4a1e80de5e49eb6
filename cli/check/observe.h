// Reads the state of a cluster that `slaq check` judges. Writes nothing; asks about rights.
#pragma once

#include "base/clock.h"
#include "cli/check/installation.h"
#include "cli/check/observed.h"
#include "cli/cluster/training_cluster.h"
#include "kube/auth/credentials.h"

namespace slaq::cli::check {

// Takes some 30 requests.
Observed observe(cluster::TrainingCluster& cluster, const kube::auth::Access& access, const Clock& clock,
                 const WhichInstallation& which);

}  // namespace slaq::cli::check
