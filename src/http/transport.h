// The part of the HTTP client that calls cpprestsdk. It starts a request whose answer arrives in an Exchange,
// and never blocks. No type of the library appears in this header.
#pragma once

#include <functional>
#include <memory>

#include "base/result.h"
#include "http/exchange.h"
#include "http/message.h"

namespace slaq::http {

enum class AnswerKind { Whole, Stream };  // streams have connections of their own

class Transport {
 public:
  virtual ~Transport() = default;

  // Sends `request`. The returned function closes the connection; it may be called at any time.
  virtual std::function<void()> begin(const HttpRequest& request, AnswerKind kind,
                                      const std::shared_ptr<Exchange>& exchange) = 0;
};

// Invalid when the URL or one of the PEM texts can't be read.
Result<std::unique_ptr<Transport>> makeTransport(const HttpEndpoint& endpoint);

}  // namespace slaq::http
