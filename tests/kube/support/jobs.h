// TrainingJobs for tests, as the API server has them.
#pragma once

#include <string>

#include "job/job.h"
#include "kube/objects/training_job.h"
#include "kube/support/json.h"

namespace slaq::kube {

inline constexpr const char* kJobPath = "/apis/slaq.io/v1alpha1/namespaces/team-a/trainingjobs/logreg";
inline constexpr const char* kWorkersPath = "/apis/batch/v1/namespaces/team-a/jobs/logreg-workers";
inline constexpr const char* kDriverPath = "/apis/batch/v1/namespaces/team-a/jobs/logreg-driver";
inline constexpr const char* kServicePath = "/api/v1/namespaces/team-a/services/logreg";

inline constexpr const char* kUid = "uid-1";
// What pretty() makes of the metadata.ownerReferences of the job's objects.
inline const std::string kPrettyOwners = R"("ownerReferences": [{
    "apiVersion": "slaq.io/v1alpha1",
    "kind": "TrainingJob",
    "name": "logreg",
    "uid": "uid-1",
    "controller": true,
    "blockOwnerDeletion": true
   }])";

inline std::string jobText(bool withDriver = true, const std::string& uid = kUid) {
  const std::string driver = R"('driver': {'template': {'spec': {'containers': [{
      'name': 'main', 'image': 'trainer:1', 'ports': [{'name': 'driver', 'containerPort': 5000}],
      'resources': {'requests': {'cpu': '1'}}}]}}},)";
  return quoted(R"({
    'apiVersion': 'slaq.io/v1alpha1', 'kind': 'TrainingJob',
    'metadata': {'name': 'logreg', 'namespace': 'team-a', 'uid': ')" +
                uid + R"('},
    'spec': {)" +
                (withDriver ? driver : "") + R"('workers': {'minReplicas': 2, 'maxReplicas': 8, 'template': {
      'metadata': {'labels': {'team': 'a', 'slaq.io/role': 'impostor'}, 'annotations': {'note': 'kept'}},
      'spec': {
        'restartPolicy': 'Always', 'nodeSelector': {'disk': 'ssd'},
        'initContainers': [{'name': 'fetch', 'image': 'fetch:1'}],
        'containers': [{'name': 'main', 'image': 'trainer:1',
          'env': [{'name': 'SLAQ_METRICS_PORT', 'value': '1234'}, {'name': 'OWN', 'value': '$(SLAQ_JOB)'}],
          'resources': {'requests': {'cpu': '500m'}}}]}}}}})");
}

inline TrainingJob trainingJob(bool withDriver = true) {
  return objects::wholeJob(objects::readStoredJob(parse(jobText(withDriver))));
}

}  // namespace slaq::kube
