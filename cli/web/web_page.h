// The page of jobs for browsers: its server, and the flag --web.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "ops/server.h"
#include "page/live_document.h"

namespace CLI {
class App;
class Validator;
}  // namespace CLI

namespace slaq::cli::web {

// Only browsers of this machine can reach it.
inline constexpr const char* kDefaultAddress = "127.0.0.1:8484";

// Accepts the addresses that servePage() accepts.
CLI::Validator webAddress();

// `address` stays empty without the flag.
void addWebFlag(CLI::App& command, std::string& address);

struct WebPage {
  std::unique_ptr<ops::Server> server;
  std::string url;  // "http://127.0.0.1:8484/"
};

// Serves the page at the address, "HOST:PORT" or ":PORT"; the document outlives the server. If the port of
// the default address is taken, it uses another one. Invalid, with a sentence, if it can't listen there.
Result<WebPage> servePage(const std::string& address, const page::LiveDocument& document);

// Does the same if the address is not empty, and prints the page's address on standard error.
Result<std::optional<WebPage>> serveWantedPage(const std::string& address,
                                               const page::LiveDocument& document);

// Returns a function that adds each epoch to the document; empty if no page is wanted.
std::function<void(const loop::EpochReport&)> timelineIn(page::LiveDocument& document, bool isWanted);

// Waits until the browsers that are connected have got the last news, but not for long.
void tellTheLast(WebPage& page);

}  // namespace slaq::cli::web
