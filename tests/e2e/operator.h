// The cluster with the operator installed by Helm, as the tests see it: through kubectl and the controller's
// log.
#pragma once

#include <functional>
#include <string>

#include "controller_log.h"
#include "shell.h"

namespace slaq::e2e {

// The label by which a namespace takes no pods but those of the restricted Pod Security standard.
inline const std::string kRestricted = "pod-security.kubernetes.io/enforce=restricted";

// The rig's Prometheus, for a shell with the rig's environment.
inline const std::string kOwnPrometheus = "$SLAQ_RIG_PROMETHEUS_URL";

class Operator {
 public:
  // Brings up the rig, builds the images and installs the chart. Throws with a sentence if that fails.
  static Operator install();
  // Installs it anew with other values than the tests' own ("config.policy=MinQuality,..."; empty: none), and
  // waits for the new controller.
  void configure(const std::string& values) const;
  // The same, where it may be refused; waits for nothing.
  Output tryToConfigure(const std::string& values) const;
  // Takes the last change of values back, and waits for the new controller.
  void rollBack() const;
  // Takes the release away, and installs it under another name; configure() installs the first one again.
  void uninstall(const std::string& release = "slaq") const;
  void installAs(const std::string& release) const;
  // The names of its pods, one in a line.
  std::string controllers() const;
  // Takes everything down, unless SLAQ_KEEP_RIG is set.
  void remove() const;

  // kubectl with these arguments; its output. A failure fails the test.
  std::string kubectl(const std::string& arguments, const std::string& input = "") const;
  // The slaq command on the cluster; its output. A failure fails the test.
  std::string slaq(const std::string& arguments) const;
  // Returns the JSON document that `slaq web` sends to a browser first, with the history of the rig's
  // Prometheus.
  std::string page() const;
  // `slaq check`, and the same from within the cluster by `helm test`.
  Output check() const;
  Output helmTest() const;
  // Runs each query of the dashboards; fails, with a line for each, where one brings no data.
  Output dashboardQueries(const std::string& url = kOwnPrometheus) const;
  // The names of the alerts that are pending or firing, one in a line.
  std::string alerts(const std::string& url = kOwnPrometheus) const;
  // The Prometheus operator with a Prometheus of its own, beside the rig's; false where it can't be built.
  // Down needs the chart's monitors gone.
  bool prometheusOperatorUp() const;
  void prometheusOperatorDown() const;
  // One value of an object by JSONPath: value("trainingjob/a", "{.status.state}").
  std::string value(const std::string& object, const std::string& path) const;

  // All that the controller's container which runs now has logged.
  const std::string& log() const { return log_.read(); }
  // The last of its epochs; 0: none yet.
  int epoch() const;

  // True once `holds` does, and all of its commands succeeded. Only what hangs takes ten minutes: then the
  // state of the cluster is printed.
  bool eventually(const std::string& what, const std::function<bool()>& holds) const;
  // Waits until the controller has done that number of further epochs.
  bool epochsPass(int epochs) const;

  // One of the controller's own metrics; NaN if it exports none of that name.
  double metric(const std::string& name) const;

  // Ends the controller's process with SIGKILL and waits until the kubelet has started another.
  void kill() const;

  std::string ns = "default";

 private:
  std::string run(const std::string& command, const std::string& input = "") const;
  bool looksSo(const std::function<bool()>& holds) const;
  // Until those of earlier values are gone.
  void awaitControllers() const;

  mutable ControllerLog log_;
  mutable bool isLooking_ = false;  // a command that fails makes eventually() look again
  mutable std::string failed_;      // of the present look: the commands that failed, and what they said
};

}  // namespace slaq::e2e
