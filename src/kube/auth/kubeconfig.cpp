#include "kube/auth/kubeconfig.h"

#include <cctype>
#include <filesystem>
#include <utility>

#include "http/proxy.h"
#include "kube/auth/exec_credential.h"
#include "kube/auth/files.h"
#include "manifest/object_writer.h"
#include "yaml/read_yaml.h"

namespace slaq::kube::auth {
namespace {

// Thrown inside the reader for a fault of the file, and caught by kubeconfigAccess.
struct Unreadable {
  Error error;
};

struct File {
  std::string name;
  yaml::LocatedDocument document;
};

// The first file with an entry of a name counts, and so does the first that names a current context.
class KubeconfigReader {
 public:
  explicit KubeconfigReader(const std::vector<File>& files) : files_(files), file_(files.front().name) {}

  Access read(const std::string& wanted, const Clock& clock) {
    const std::string name = wanted.empty() ? currentContext() : wanted;
    if (name.empty()) refuse("has no current-context; name a context");
    const auto& context = enter("contexts", "context", name);
    Access out;
    const std::string user = text(context, "user");
    out.ns = text(context, "namespace");
    if (out.ns.empty()) out.ns = "default";
    readCluster(enter("clusters", "cluster", text(context, "cluster")), out);
    if (!user.empty()) readUser(enter("users", "user", user), clock, out);
    followCertificates(out.endpoint, {.ca = caFile_}, clock);
    return out;
  }

 private:
  [[noreturn]] void refuse(const std::string& why, ErrorKind kind = ErrorKind::Invalid) const {
    throw Unreadable{{kind, file_ + " " + why}};
  }

  // The member `key` if it is present and not null, else nullptr.
  static const rapidjson::Value* member(const rapidjson::Value& node, const char* key) {
    if (!node.IsObject()) return nullptr;
    const auto found = node.FindMember(key);
    return found == node.MemberEnd() || found->value.IsNull() ? nullptr : &found->value;
  }

  std::string text(const rapidjson::Value& node, const char* key) const {
    const auto* value = member(node, key);
    if (value == nullptr) return {};
    if (!value->IsString()) refuse(": " + std::string(key) + " must be a text; quote it");
    return {value->GetString(), value->GetStringLength()};
  }

  bool flag(const rapidjson::Value& node, const char* key) const {
    const auto* value = member(node, key);
    if (value == nullptr) return false;
    if (!value->IsBool()) refuse(": " + std::string(key) + " must be true or false");
    return value->GetBool();
  }

  std::string currentContext() {
    for (const File& file : files_) {
      file_ = file.name;
      if (auto name = text(file.document.value, "current-context"); !name.empty()) return name;
    }
    return {};
  }

  // Finds the element called `name` in the list `list`. Returns its object `inner`; its file is read from now
  // on.
  const rapidjson::Value& enter(const char* list, const char* inner, const std::string& name) {
    for (const File& file : files_) {
      file_ = file.name;
      const auto* all = member(file.document.value, list);
      for (rapidjson::SizeType i = 0; all != nullptr && all->IsArray() && i < all->Size(); ++i) {
        const auto& each = (*all)[i];
        const auto* part = member(each, inner);
        if (part != nullptr && part->IsObject() && text(each, "name") == name) return *part;
      }
    }
    refuse("has no " + std::string(inner) + " called \"" + printable(name) + "\" in its " + list);
  }

  // Relative paths start in the kubeconfig's own folder.
  std::string pathFrom(const std::string& path) const {
    return (std::filesystem::path(file_).parent_path() / path).string();
  }

  // A value that is in the kubeconfig itself, in base64, or in a file that the kubeconfig names.
  std::string material(const rapidjson::Value& node, const std::string& key) const {
    const std::string data = text(node, (key + "-data").c_str());
    if (!data.empty()) {
      const auto decoded = decodeBase64(data);
      if (!decoded) refuse(key + "-data is no base64");
      return *decoded;
    }
    const std::string path = text(node, key.c_str());
    if (path.empty()) return {};
    const auto read = readFile(pathFrom(path));
    if (!read) refuse("names a " + key + " that fails: " + read.error().message, read.error().kind);
    return *read;
  }

  void readCluster(const rapidjson::Value& cluster, Access& out) {
    out.endpoint.url = text(cluster, "server");
    if (out.endpoint.url.empty()) refuse("has a cluster without a server");
    while (out.endpoint.url.ends_with('/')) out.endpoint.url.pop_back();
    out.endpoint.caPem = material(cluster, "certificate-authority");
    out.endpoint.serverName = text(cluster, "tls-server-name");
    out.endpoint.insecureSkipVerify = flag(cluster, "insecure-skip-tls-verify");
    out.endpoint.proxyUrl = text(cluster, "proxy-url");
    if (out.endpoint.proxyUrl.empty())
      out.endpoint.proxyUrl = http::proxyFor(out.endpoint.url, http::processEnvironment);
    if (!text(cluster, "certificate-authority-data").empty()) return;
    if (const auto path = text(cluster, "certificate-authority"); !path.empty()) caFile_ = pathFrom(path);
  }

  void readUser(const rapidjson::Value& user, const Clock& clock, Access& out) const {
    if (member(user, "auth-provider") != nullptr) {
      refuse("has an auth-provider, which kubectl takes no more either; let its user have an exec");
    }
    if (!text(user, "username").empty())
      refuse("has a username and password, which API servers take no more");
    out.endpoint.clientCertificatePem = material(user, "client-certificate");
    out.endpoint.clientKeyPem = material(user, "client-key");
    if (out.endpoint.clientCertificatePem.empty() != out.endpoint.clientKeyPem.empty()) {
      refuse("must have both client-certificate and client-key, or none");
    }
    readImpersonation(user, out);
    readToken(user, clock, out);
    if (const auto* exec = member(user, "exec")) readExec(*exec, clock, out);
  }

  // Reads as whom the user acts.
  void readImpersonation(const rapidjson::Value& user, Access& out) const {
    auto& headers = out.endpoint.headers;
    const auto put = [&](const std::string& name, const std::string& value) {
      if (!value.empty()) headers[name] = headerValue(value);
    };
    put("Impersonate-User", text(user, "as"));
    put("Impersonate-Uid", text(user, "as-uid"));
    put("Impersonate-Group", onlyOne(user, "as-groups"));
    if (const auto* extra = member(user, "as-user-extra"); extra != nullptr && extra->IsObject()) {
      for (const auto& [key, values] : extra->GetObject())
        put("Impersonate-Extra-" + headerNameOf(key.GetString()), onlyOne(*extra, key.GetString()));
    }
    if (!headers.empty() && !headers.contains("Impersonate-User"))
      refuse("has a user that acts in groups, with a UID or with more of somebody that as does not name");
  }

  // The HTTP library sends only one header of a name.
  std::string onlyOne(const rapidjson::Value& node, const char* key) const {
    std::vector<std::string> all;
    each(node, key, [&](const auto& value) { all.emplace_back(value.IsString() ? value.GetString() : ""); });
    if (all.size() > 1) {
      refuse("has a user with more than one value in " + printable(key) +
             ", and slaq can act in one group and with one value of each extra only; leave one");
    }
    return all.empty() ? "" : all.front();
  }

  std::string headerValue(const std::string& value) const {
    if (printable(value) != value)
      refuse("has a user that acts as " + printable(value) + ", which no header can hold");
    return value;
  }

  // In lower case, with characters that a header's name cannot hold percent-encoded, as client-go does.
  static std::string headerNameOf(std::string_view key) {
    static constexpr std::string_view kAllowed = "!#$&'*+-.^_`|~";
    std::string name;
    for (const unsigned char c : key) {
      if (std::isalnum(c) || kAllowed.find(static_cast<char>(c)) != std::string_view::npos) {
        name += static_cast<char>(std::tolower(c));
      } else {
        name += '%';
        for (const int digit : {c >> 4, c & 15}) name += "0123456789ABCDEF"[digit];
      }
    }
    return name;
  }

  // A program with a slash in its name starts from the kubeconfig's own folder.
  ExecPlugin pluginIn(const rapidjson::Value& exec, const http::HttpEndpoint& endpoint) const {
    ExecPlugin plugin;
    plugin.apiVersion = text(exec, "apiVersion");
    plugin.installHint = text(exec, "installHint");
    const std::string program = text(exec, "command");
    if (program.empty()) refuse("has a user with an exec that has no command");
    plugin.command = {program.find('/') == std::string::npos ? program : pathFrom(program)};
    each(exec, "args",
         [&](const auto& word) { plugin.command.push_back(word.IsString() ? word.GetString() : ""); });
    each(exec, "env",
         [&](const auto& pair) { plugin.environment.emplace_back(text(pair, "name"), text(pair, "value")); });
    if (flag(exec, "provideClusterInfo")) plugin.cluster = clusterInfo(endpoint);
    return plugin;
  }

  template <class Do>
  static void each(const rapidjson::Value& node, const char* key, Do act) {
    const auto* list = member(node, key);
    for (rapidjson::SizeType i = 0; list != nullptr && list->IsArray() && i < list->Size(); ++i)
      act((*list)[i]);
  }

  static std::string clusterInfo(const http::HttpEndpoint& endpoint) {
    rapidjson::Document document;
    manifest::ObjectWriter cluster(document.GetAllocator());
    cluster.add("server", endpoint.url);
    if (!endpoint.caPem.empty()) cluster.add("certificate-authority-data", encodeBase64(endpoint.caPem));
    return manifest::toText(cluster.take());
  }

  void readExec(const rapidjson::Value& exec, const Clock& clock, Access& out) const {
    if (text(exec, "interactiveMode") == "Always") {
      refuse(
          "gets its credentials from a program that must ask (interactiveMode: Always), which slaq cannot");
    }
    const auto plugin = pluginIn(exec, out.endpoint);
    const auto credential = runPlugin(plugin);
    if (!credential) throw Unreadable{credential.error()};
    if (!credential->clientCertificatePem.empty()) {
      out.endpoint.clientCertificatePem = credential->clientCertificatePem;
      out.endpoint.clientKeyPem = credential->clientKeyPem;
    }
    if (credential->token.empty()) return;
    ExecToken token(plugin, *credential, clock);
    out.endpoint.bearerToken = [token]() mutable { return token.text(); };
    out.refresh = [token]() mutable { token.refresh(); };
  }

  void readToken(const rapidjson::Value& user, const Clock& clock, Access& out) const {
    const std::string path = text(user, "tokenFile");
    if (!path.empty()) {
      RereadFile token(pathFrom(path), clock);
      out.endpoint.bearerToken = [token]() mutable { return token.text(); };
      out.refresh = [token]() mutable { token.refresh(); };
      return;
    }
    const std::string token = text(user, "token");
    if (!token.empty()) out.endpoint.bearerToken = [token] { return token; };
  }

  const std::vector<File>& files_;
  std::string file_;    // the file that is being read
  std::string caFile_;  // of the cluster, if its certificate authority is a file
};

Result<File> fileFrom(const std::string& name, const std::string& content) {
  auto documents = yaml::readYaml(name, content);
  if (!documents) return failure(documents.error());
  const bool isEmpty = documents->empty() || (documents->size() == 1 && documents->front().value.IsNull());
  if (isEmpty) documents = yaml::readYaml(name, "{}");  // kubectl writes its first entry into such a file
  if (documents->size() != 1) return failure(ErrorKind::Invalid, name + " must be one YAML document");
  return File{name, std::move(documents->front())};
}

}  // namespace

Result<Access> kubeconfigAccess(const std::vector<std::string>& names, const std::string& context,
                                const Clock& clock) {
  std::vector<File> files;
  std::string unread;
  for (const auto& name : names) {
    const auto content = readFile(name);
    std::error_code unknown;
    const bool isMissing = !content && !std::filesystem::exists(name, unknown) && !unknown;
    if (isMissing) unread += (unread.empty() ? "" : "; ") + content.error().message;
    if (isMissing) continue;
    if (!content) return failure(ErrorKind::Invalid, content.error().message);
    auto file = fileFrom(name, *content);
    if (!file) return failure(file.error());
    files.push_back(std::move(*file));
  }
  if (files.empty()) return failure(ErrorKind::NotFound, unread);
  try {
    return KubeconfigReader(files).read(context, clock);
  } catch (const Unreadable& unreadable) {
    return failure(unreadable.error);
  }
}

Result<Access> kubeconfigAccess(const std::string& file, const std::string& context, const Clock& clock) {
  return kubeconfigAccess(std::vector{file}, context, clock);
}

}  // namespace slaq::kube::auth
