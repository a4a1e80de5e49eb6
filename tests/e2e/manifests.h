// TrainingJobs for the end-to-end tests, as a user would write them.
#pragma once

#include <string>

namespace slaq::e2e {

// A job of slaq-trainer with up to 16 workers of 0.1 core; `flags` are the driver's, comma-separated and
// quoted. Each name is a kind of its own: what a test sees hangs on no other one.
inline std::string trainingJob(const std::string& name, const std::string& flags) {
  return R"(apiVersion: slaq.io/v1alpha1
kind: TrainingJob
metadata: {name: )" +
         name + ", labels: {slaq.io/kind: " + name + R"(}}
spec:
  workers:
    minReplicas: 1
    maxReplicas: 16
    template:
      spec:
        terminationGracePeriodSeconds: 5
        securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}
        containers:
          - name: worker
            image: slaq-trainer:latest
            imagePullPolicy: IfNotPresent
            securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}
            command: [slaq-trainer]
            args: [worker]
            resources: {requests: {cpu: 100m}, limits: {cpu: 100m}}
  driver:
    template:
      spec:
        terminationGracePeriodSeconds: 5
        securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}
        containers:
          - name: driver
            image: slaq-trainer:latest
            imagePullPolicy: IfNotPresent
            securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}
            command: [slaq-trainer]
            args: [driver, )" +
         flags + R"(]
            ports: [{name: driver, containerPort: 7070}, {name: metrics, containerPort: 9464}]
            resources: {requests: {cpu: 50m}, limits: {cpu: 300m}}
)";
}

// Strongly regularized gradient descent stands still after some twenty iterations and goes on, converged,
// until its last.
inline std::string convergesSoon(const std::string& name, int iterations) {
  return trainingJob(name,
                     "--algorithm, logistic-regression, --rows, '20000', --features, '50', --l2, '0.1', "
                     "--learning-rate, '2', --tolerance, '0', --iterations, '" +
                         std::to_string(iterations) + "'");
}

// Gradient descent on an ill-conditioned problem goes on learning for a long time.
inline std::string learnsLong(const std::string& name, int iterations) {
  return trainingJob(name,
                     "--algorithm, logistic-regression, --rows, '100000', --features, '60', --condition, "
                     "'1000', --learning-rate, '1', --tolerance, '0', "
                     "--iterations, '" +
                         std::to_string(iterations) + "'");
}

}  // namespace slaq::e2e
