#include "config/http_url.h"

namespace slaq::config {

std::string checkedHttpUrl(yaml::Fields& fields, const char* key, std::string url, const char* example) {
  const auto host = url.starts_with("https://") ? 8u : url.starts_with("http://") ? 7u : 0u;
  if (host == 0 || host == url.size() || url.find_first_of(" ?#") != std::string::npos) {
    fields.mistake(key, std::string("must be a URL, such as ") + example);
  }
  while (url.ends_with('/')) url.pop_back();
  return url;
}

}  // namespace slaq::config
