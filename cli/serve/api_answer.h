// Answers of a server of TrainingJobs in the words of the Kubernetes API.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace slaq::cli::serve {

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

// A Status about what went wrong. Bytes of the message that JSON can't hold become question marks.
ApiAnswer refusal(int code, std::string_view message);
ApiAnswer refusal(const Error& error);

// A Status that says that all went well.
ApiAnswer success();

}  // namespace slaq::cli::serve
