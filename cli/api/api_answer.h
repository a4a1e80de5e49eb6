// Answers of a server of TrainingJobs in the form of the Kubernetes API.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace slaq::cli::api {

struct ApiAnswer {
  std::string status;  // "200 OK"
  std::string body;    // JSON
};

inline constexpr const char* kApiVersion = "slaq.io/v1alpha1";

// The body is `document` itself.
ApiAnswer documentAnswer(int code, std::string document);

// A list of objects, each of them as JSON.
ApiAnswer listAnswer(const std::string& apiVersion, const std::string& kind,
                     const std::vector<std::string>& items);

// A Status about an error. Bytes of the message that JSON can't contain become question marks.
ApiAnswer refusal(int code, std::string_view message);
ApiAnswer refusal(const Error& error);

// A Status without an error.
ApiAnswer success();

}  // namespace slaq::cli::api
