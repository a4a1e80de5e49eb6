#include "operator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace slaq::e2e {
namespace {

const std::string kRig = SLAQ_SOURCE_DIR "/tests/rig/rig ";
// To be ended by a URL, flags and a quote.
const std::string kRunQueries =
    "sh -c '/usr/bin/python3 -B " SLAQ_SOURCE_DIR "/tests/monitoring/run_queries.py ";
// The rig's exit code where this machine lacks what is asked for.
constexpr int kCannotBeHad = 3;

// Every wait ends after this time. Only a program that hangs takes longer.
constexpr std::chrono::minutes kHang{10};
constexpr std::chrono::milliseconds kBetweenLooks{300};

std::string must(const std::string& command) {
  const auto output = shell(command);
  if (output.code != 0) throw std::runtime_error("'" + command + "' failed:\n" + output.text);
  return output.text;
}

// The command that installs or upgrades, with values beyond the tests' own. The capacity leaves a part of the
// machine free: where it is full, more workers are no faster, and slaq finds that out. Each time the
// controller gets a new pod: an image's name stays when its content changes.
std::string upgradeTo(const std::string& values, const std::string& release = "slaq") {
  return kRig + "run sh -c 'helm upgrade --install " + release +
         " " SLAQ_SOURCE_DIR
         "/charts/slaq --take-ownership --wait --timeout 10m --namespace slaq-system --create-namespace"
         " --set image.repository=slaq-controller --set image.tag=dev --set replicas=1"
         " --set config.capacity.cores=1000m --set config.log.level=debug"
         " --set config.loss.prometheus.serverAddress=$SLAQ_RIG_PROMETHEUS_POD_URL"
         " --set-string podAnnotations.run=$$" +
         (values.empty() ? "" : " --set \"" + values + "\"") + "'";
}

}  // namespace

std::string Operator::run(const std::string& command, const std::string& input) const {
  const auto output = shell(kRig + "run " + command, input);
  if (isLooking_) {
    if (output.code != 0) failed_ += command + "\n" + output.text + "\n";
  } else {
    EXPECT_EQ(output.code, 0) << command << "\n" << output.text;
  }
  return output.text;
}

bool Operator::looksSo(const std::function<bool()>& holds) const {
  failed_.clear();
  isLooking_ = true;
  bool is = false;
  try {
    is = holds();
  } catch (const std::exception& error) {  // such as of std::stoi, where a command failed
    failed_ += error.what();
  }
  isLooking_ = false;
  return is && failed_.empty();
}

Operator Operator::install() {
  std::cout << "bringing up a Kubernetes cluster and the operator in it" << std::endl;
  must(kRig + "up");
  must(kRig + "image controller");
  must(kRig + "image trainer slaq-trainer:latest");
  must(kRig + "run kubectl create namespace slaq-system");
  must(kRig + "run kubectl label namespace slaq-system " + kRestricted);
  must(upgradeTo(""));
  Operator installed;
  installed.awaitControllers();
  return installed;
}

void Operator::configure(const std::string& values) const {
  must(upgradeTo(values));
  awaitControllers();
}

Output Operator::tryToConfigure(const std::string& values) const { return shell(upgradeTo(values)); }

void Operator::rollBack() const {
  must(kRig + "run helm rollback slaq --wait --timeout 10m --namespace slaq-system");
  awaitControllers();
}

void Operator::uninstall(const std::string& release) const {
  must(kRig + "run helm uninstall " + release + " --wait --timeout 10m --namespace slaq-system");
}

void Operator::installAs(const std::string& release) const { must(upgradeTo("config.policy=Fair", release)); }

std::string Operator::controllers() const {
  return run("kubectl -n slaq-system get pods -l app.kubernetes.io/name=slaq -o name");
}

void Operator::awaitControllers() const {
  const int replicas =
      std::stoi(run("kubectl -n slaq-system get deployment/slaq -o jsonpath={.spec.replicas}"));
  eventually("only the new controllers are left",
             [&] { return std::ranges::count(controllers(), '\n') == replicas; });
  std::istringstream folders(run(
      "sh -c 'kubectl -n slaq-system get pods -l app.kubernetes.io/name=slaq -o jsonpath=\"{range .items[*]}"
      "$SLAQ_RIG_DIR/pod-logs/slaq-system_{.metadata.name}_{.metadata.uid}{\\\"\\n\\\"}{end}\"'"));
  std::vector<std::filesystem::path> pods;
  for (std::string folder; std::getline(folders, folder);) pods.push_back(folder);
  log_.follow(pods);
}

void Operator::remove() const {
  if (std::getenv("SLAQ_KEEP_RIG") != nullptr) return;
  must(kRig + "down");
}

std::string Operator::kubectl(const std::string& arguments, const std::string& input) const {
  return run("kubectl -n " + ns + " " + arguments, input);
}

std::string Operator::slaq(const std::string& arguments) const {
  return run(SLAQ_BINARY_DIR "/slaq " + arguments + " -n " + ns);
}

std::string Operator::page() const {
  return run("bash -c 'exec " SLAQ_SOURCE_DIR "/tests/e2e/page-document " SLAQ_BINARY_DIR
             "/slaq --hours 0.1 --prometheus \"$SLAQ_RIG_PROMETHEUS_URL\" -n " +
             ns + "'");
}

Output Operator::check() const {
  return shell(kRig + "run " SLAQ_BINARY_DIR "/slaq check --namespace slaq-system");
}

Output Operator::helmTest() const {
  return shell(kRig + "run helm test slaq --logs --timeout 10m --namespace slaq-system");
}

Output Operator::dashboardQueries(const std::string& url) const {
  return shell(kRig + "run " + kRunQueries + url + "'");
}

std::string Operator::alerts(const std::string& url) const { return run(kRunQueries + url + " --alerts'"); }

bool Operator::prometheusOperatorUp() const {
  const auto output = shell(kRig + "prometheus-operator up");
  if (output.code == kCannotBeHad) return false;
  if (output.code != 0) throw std::runtime_error(output.text);
  return true;
}

void Operator::prometheusOperatorDown() const { must(kRig + "prometheus-operator down"); }

std::string Operator::value(const std::string& object, const std::string& path) const {
  return kubectl("get " + object + " -o jsonpath='" + path + "' --ignore-not-found");
}

int Operator::epoch() const {
  const std::string mark = "event=epoch epoch=";
  const std::string& text = log();
  const auto at = text.rfind(mark);
  return at == std::string::npos ? 0 : std::atoi(text.c_str() + at + mark.size());
}

bool Operator::eventually(const std::string& what, const std::function<bool()>& holds) const {
  const auto end = std::chrono::steady_clock::now() + kHang;
  while (!looksSo(holds)) {
    if (std::chrono::steady_clock::now() > end) {
      ADD_FAILURE() << "not within " << kHang.count() << " min: " << what << "\n"
                    << failed_ << kubectl("get trainingjobs,jobs,pods -o wide")
                    << kubectl("get trainingjobs -o yaml")
                    << log().substr(std::max<std::ptrdiff_t>(0, std::ssize(log()) - 20000));
      return false;
    }
    std::this_thread::sleep_for(kBetweenLooks);
  }
  return true;
}

bool Operator::epochsPass(int epochs) const {
  const int first = epoch();
  return eventually("epochs pass", [&] { return epoch() >= first + epochs; });
}

double Operator::metric(const std::string& name) const {
  const std::string pod = run(
      "kubectl -n slaq-system get pods -l app.kubernetes.io/name=slaq -o jsonpath={.items[0].metadata.name}");
  const std::string text =
      run("kubectl get --raw /api/v1/namespaces/slaq-system/pods/" + pod + ":8080/proxy/metrics");
  const auto at = text.find("\n" + name + " ");
  return at == std::string::npos ? std::nan("") : std::atof(text.c_str() + at + name.size() + 2);
}

void Operator::kill() const {
  const auto restarts = [this] {
    return run(
        "kubectl -n slaq-system get pods -l app.kubernetes.io/name=slaq"
        " -o jsonpath={.items[0].status.containerStatuses[0].restartCount}:"
        "{.items[0].status.containerStatuses[0].ready}");
  };
  const std::string before = restarts();
  const std::string container =
      run("kubectl -n slaq-system get pods -l app.kubernetes.io/name=slaq"
          " -o jsonpath={.items[0].status.containerStatuses[0].containerID}");
  // containerd://ID; the process's command line does not tell which rig it belongs to, its cgroup does.
  const std::string id = container.substr(container.rfind('/') + 1);
  must("for p in $(pgrep -x slaq-controller); do grep -q " + id +
       " /proc/$p/cgroup && kill -9 $p; done; true");
  ASSERT_TRUE(eventually("the controller is back", [&] {
    const std::string now = restarts();
    return now != before && now.ends_with(":true");
  }));
}

}  // namespace slaq::e2e
