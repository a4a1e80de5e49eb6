#include "kube/pods/report_container.h"

#include <vector>

#include "job/loss_from.h"
#include "kube/json/json_fields.h"
#include "manifest/object_writer.h"

namespace slaq::kube::pods {
namespace {

using json::assign;
using manifest::ObjectWriter;
using rapidjson::Value;
using Allocator = rapidjson::Document::AllocatorType;

constexpr const char* kName = "slaq-report";  // of the container and of its volume
constexpr const char* kFolder = "/slaq";
constexpr const char* kProgram = "/usr/local/bin/slaq-report";
constexpr int kUser = 65532;  // the image's user, even if the pod has another
constexpr const char* kInstalled = "/slaq/slaq-report";

Value textsOf(const std::vector<std::string>& texts, Allocator& allocator) {
  Value list(rapidjson::kArrayType);
  for (const auto& text : texts) list.PushBack(Value(text.c_str(), allocator), allocator);
  return list;
}

Value& listAt(Value& object, const char* key, Allocator& allocator) {
  const auto found = object.FindMember(key);
  const bool isList = found != object.MemberEnd() && found->value.IsArray();
  if (!isList) assign(object, key, Value(rapidjson::kArrayType), allocator);
  return object[key];
}

void prepend(Value& list, Value first, Allocator& allocator) {
  Value all(rapidjson::kArrayType);
  all.PushBack(std::move(first), allocator);
  for (auto& each : list.GetArray()) all.PushBack(std::move(each), allocator);
  list = std::move(all);
}

Value mount(bool isReadOnly, Allocator& allocator) {
  ObjectWriter writer(allocator);
  writer.add("name", kName).add("mountPath", kFolder);
  if (isReadOnly) writer.add("readOnly", true);
  return writer.take();
}

// A restricted namespace requires this.
Value securityContext(Allocator& allocator) {
  Value drop = ObjectWriter(allocator).add("drop", textsOf({"ALL"}, allocator)).take();
  Value profile = ObjectWriter(allocator).add("type", "RuntimeDefault").take();
  return ObjectWriter(allocator)
      .add("allowPrivilegeEscalation", false)
      .add("readOnlyRootFilesystem", true)
      .add("runAsNonRoot", true)
      .add("runAsUser", kUser)
      .add("capabilities", std::move(drop))
      .add("seccompProfile", std::move(profile))
      .take();
}

// Requests equal the limits, so that a Guaranteed pod stays Guaranteed.
Value resources(Allocator& allocator) {
  const auto both = [&] { return ObjectWriter(allocator).add("cpu", "50m").add("memory", "32Mi").take(); };
  return ObjectWriter(allocator).add("requests", both()).add("limits", both()).take();
}

Value initContainer(const std::string& image, Allocator& allocator) {
  Value mounts(rapidjson::kArrayType);
  mounts.PushBack(mount(false, allocator), allocator);
  return ObjectWriter(allocator)
      .add("name", kName)
      .add("image", image)
      .add("imagePullPolicy", "IfNotPresent")
      .add("command", textsOf({kProgram, "--install", kFolder}, allocator))
      .add("resources", resources(allocator))
      .add("securityContext", securityContext(allocator))
      .add("volumeMounts", std::move(mounts))
      .take();
}

Value volume(Allocator& allocator) {
  return ObjectWriter(allocator)
      .add("name", kName)
      .add("emptyDir", ObjectWriter(allocator).add("sizeLimit", "16Mi").take())
      .take();
}

void addPort(Value& container, int port, Allocator& allocator) {
  Value& ports = listAt(container, "ports", allocator);
  for (const auto& each : ports.GetArray()) {
    if (json::stringAt(each, {"name"}) == "metrics") return;
  }
  ports.PushBack(ObjectWriter(allocator).add("name", "metrics").add("containerPort", port).take(), allocator);
}

}  // namespace

void startThroughReport(Value& podSpec, const JobSpec& spec, const std::string& image, int port,
                        Allocator& allocator) {
  Value& containers = listAt(podSpec, "containers", allocator);
  const auto main = static_cast<rapidjson::SizeType>(mainContainerOf(chiefOf(spec)));
  if (main >= containers.Size() || !containers[main].IsObject()) return;
  Value& container = containers[main];
  Value command = textsOf(reportCommand(spec.loss, kInstalled), allocator);
  for (auto& word : listAt(container, "command", allocator).GetArray())
    command.PushBack(std::move(word), allocator);
  assign(container, "command", std::move(command), allocator);
  addPort(container, port, allocator);
  listAt(container, "volumeMounts", allocator).PushBack(mount(true, allocator), allocator);
  // Comes before the user's own, which may need the cores for longer.
  prepend(listAt(podSpec, "initContainers", allocator), initContainer(image, allocator), allocator);
  listAt(podSpec, "volumes", allocator).PushBack(volume(allocator), allocator);
}

}  // namespace slaq::kube::pods
