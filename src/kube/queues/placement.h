// Where the pods of an admitted job belong.
#pragma once

#include <string>
#include <vector>

#include "kube/queues/cluster_queue.h"
#include "kube/queues/workload.h"

namespace slaq::kube::queues {

// The pod template, as JSON text, with the node labels and tolerations of the flavors, and with what
// admission checks add to the pods of that set. Entries of the template itself stay.
std::string placedTemplate(const std::string& document, const std::vector<const ResourceFlavor*>& flavors,
                           const std::string& podSet, const std::string& podSetUpdates);

}  // namespace slaq::kube::queues
