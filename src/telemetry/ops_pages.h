// What the operations server answers to a request. Pure, but for the pages themselves.
#pragma once

#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>

#include "telemetry/ops_options.h"

namespace slaq::telemetry {

using OpsRequest = boost::beast::http::request<boost::beast::http::string_body>;
using OpsResponse = boost::beast::http::response<boost::beast::http::string_body>;

// The answer to a HEAD has a Content-Length and no body. What a page throws is an answer too.
OpsResponse answerTo(const OpsRequest& request, const OpsOptions& options, const OpsPages& pages);

}  // namespace slaq::telemetry
