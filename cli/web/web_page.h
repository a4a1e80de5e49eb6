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

// Only browsers of this machine reach it.
inline constexpr const char* kDefaultAddress = "127.0.0.1:8484";

// Accepts what servePage() takes for an address.
CLI::Validator webAddress();

// `address` stays empty without the flag.
void addWebFlag(CLI::App& command, std::string& address);

struct WebPage {
  std::unique_ptr<ops::Server> server;
  std::string url;  // "http://127.0.0.1:8484/"
};

// Serves the page at the address, "HOST:PORT" or ":PORT"; the document outlives the server. It takes another
// port where that of the default address is taken. Invalid when it can't listen there, a sentence.
Result<WebPage> servePage(const std::string& address, const page::LiveDocument& document);

// The same where the address is not empty, and says on standard error where the page is.
Result<std::optional<WebPage>> serveWantedPage(const std::string& address,
                                               const page::LiveDocument& document);

// What adds each epoch to the document; empty where nobody wants a page.
std::function<void(const loop::EpochReport&)> timelineIn(page::LiveDocument& document, bool isWanted);

// Gives the browsers time to be told what came last.
void waitForReaders();

}  // namespace slaq::cli::web
