// The part of the HTTP client that speaks to cpprestsdk: begins a request and lets its answer arrive in an
// Exchange. It never blocks, and nothing of the library shows here.
#pragma once

#include <functional>
#include <memory>

#include "base/result.h"
#include "http/client.h"
#include "http/exchange.h"

namespace slaq {

enum class AnswerKind { Whole, Stream };  // streams have connections of their own

class Transport {
 public:
  virtual ~Transport() = default;

  // Sends `request`. What is returned closes the connection when called; it may be called at any time.
  virtual std::function<void()> begin(const HttpRequest& request, AnswerKind kind,
                                      const std::shared_ptr<Exchange>& exchange) = 0;
};

// Invalid when the URL or one of the PEM texts can't be read.
Result<std::unique_ptr<Transport>> makeTransport(const HttpEndpoint& endpoint);

}  // namespace slaq
