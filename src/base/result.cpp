#include "base/result.h"

namespace slaq {

std::string_view name(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::Transient:
      return "Transient";
    case ErrorKind::Conflict:
      return "Conflict";
    case ErrorKind::Gone:
      return "Gone";
    case ErrorKind::NotFound:
      return "NotFound";
    case ErrorKind::Forbidden:
      return "Forbidden";
    case ErrorKind::Malformed:
      return "Malformed";
    case ErrorKind::Invalid:
      return "Invalid";
  }
  return "Unknown";
}

}  // namespace slaq
