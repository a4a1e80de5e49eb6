#include "cli/version/version_command.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "cli/check/installation.h"
#include "cli/flags/cluster_flags.h"
#include "cli/output/format.h"
#include "cli/output/json.h"
#include "manifest/object_writer.h"
#include "release/version.h"

namespace slaq::cli::version {
namespace {

struct VersionOptions {
  flags::ClusterFlags cluster;
  std::string release;
  bool clientOnly = false;
  std::string format = output::kText;
};

constexpr Seconds kPatience{5};

Result<check::Installation> controllerOn(const kube::auth::Access& access,
                                         const check::WhichInstallation& which) {
  const auto http = http::makeHttpClient(access.endpoint);
  kube::client::ApiOptions patience;
  patience.tries = 1;
  patience.deadline = kPatience;
  kube::client::Api api(*http, patience);
  return check::readInstallation(api, which);
}

std::string toJson(const check::Installation* controller) {
  rapidjson::Document document;
  auto& allocator = document.GetAllocator();
  manifest::ObjectWriter client(allocator), both(allocator);
  client.add("version", release::thisBuild().version).add("revision", release::thisBuild().revision);
  both.add("client", client.take());
  if (controller) {
    manifest::ObjectWriter there(allocator);
    there.add("version", controller->version).add("image", controller->image);
    both.add("controller", there.take());
  }
  return output::indented(both.take());
}

// If the flags name a controller, it is an error not to find it. Without them the command's own version is an
// answer, on any machine.
bool namesController(const VersionOptions& options) {
  const flags::ClusterFlags& cluster = options.cluster;
  return !cluster.kubeconfig.empty() || !cluster.context.empty() || !cluster.ns.empty() ||
         !options.release.empty();
}

// Prints the controller's version or the error. Returns the exit code.
int tellController(const std::string& program, const VersionOptions& options,
                   const Result<check::Installation>& controller) {
  const bool isText = output::isForPeople(options.format);
  if (!isText) std::cout << output::inFormat(toJson(controller ? &*controller : nullptr), options.format);
  if (controller) {
    if (isText)
      std::cout << "controller  " << controller->version << " (image " << controller->image << ")\n";
    return 0;
  }
  const Error& error = controller.error();
  if (namesController(options)) {
    return flags::fail(program, {error.kind, "the controller's version is not known: " + error.message},
                       flags::kFailed);
  }
  if (isText) std::cout << "controller  not known: " << error.message << '\n';
  return 0;
}

int runVersion(const std::string& program, const VersionOptions& options) {
  const bool isText = output::isForPeople(options.format);
  if (isText) std::cout << "client      " << toString(release::thisBuild()) << std::endl;
  if (options.clientOnly) {
    if (!isText) std::cout << output::inFormat(toJson(nullptr), options.format);
    return 0;
  }
  const SystemClock clock;
  const auto access = flags::accessBy(options.cluster, clock);
  if (!access && namesController(options)) return flags::fail(program, access.error(), flags::kMisused);
  return tellController(program, options,
                        access ? controllerOn(*access, {options.cluster.ns, options.release})
                               : Result<check::Installation>(failure(access.error())));
}

}  // namespace

void addVersionCommand(CLI::App& app, std::function<int()>& run) {
  auto options = std::make_shared<VersionOptions>();
  CLI::App* command =
      app.add_subcommand("version", "Print the versions of this command and of the controller");
  flags::addClusterFlags(*command, options->cluster, "namespace of the controller (whichever has one)");
  command->add_option("--release", options->release, "Helm's release of the controller (whichever there is)");
  command->add_flag("--client", options->clientOnly, "of this command only; no cluster is asked");
  output::addOutputFlag(*command, options->format);
  command->callback([&app, options, &run] {
    run = [program = app.get_name(), options] { return runVersion(program, *options); };
  });
}

}  // namespace slaq::cli::version
