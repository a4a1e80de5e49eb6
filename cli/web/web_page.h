// The page of jobs for browsers: its server, and the flag --web.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "ops/server.h"
#include "page/live_document.h"

namespace CLI {
class App;
class Validator;
}  // namespace CLI

namespace slaq::cli::web {

// This machine's browsers alone.
inline constexpr const char* kDefaultAddress = "127.0.0.1:8484";

// Of what servePage() takes for an address.
CLI::Validator webAddress();

// `address` stays empty without the flag.
void addWebFlag(CLI::App& command, std::string& address);

struct WebPage {
  std::unique_ptr<ops::Server> server;
  std::string url;  // "http://127.0.0.1:8484/"
};

// Serves the page at the address, "HOST:PORT" or ":PORT"; the document outlives the server. Where the port of
// the default address is taken, at another one. Invalid when it can't listen there, a sentence.
Result<WebPage> servePage(const std::string& address, const page::LiveDocument& document);

// Until the browsers that look at the page have been told what came last.
void waitForReaders();

}  // namespace slaq::cli::web
