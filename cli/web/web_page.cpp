#include "cli/web/web_page.h"

#include <CLI/CLI.hpp>
#include <iostream>

#include "base/text.h"
#include "page/page.h"

namespace slaq::cli::web {
namespace {

constexpr Seconds kTelling{5};  // for a browser that reads slowly

struct Place {
  std::string host;  // empty: all of the machine's addresses
  int port = 0;
};

std::optional<Place> placeFrom(const std::string& address) {
  const auto colon = address.rfind(':');
  const auto port = numberFrom<int>(colon == std::string::npos ? address : address.substr(colon + 1));
  if (!port || *port < 0 || *port > 65535) return std::nullopt;
  if (colon == std::string::npos) return Place{"127.0.0.1", *port};
  std::string host = address.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return Place{host == "localhost" ? "127.0.0.1" : host, *port};
}

std::string checkAddress(const std::string& address) {
  if (placeFrom(address)) return "";
  return "must be an address such as 127.0.0.1:8484, :8484 for all of the machine's addresses, or a port, "
         "not \"" +
         address + "\"";
}

bool isLoopback(const std::string& host) { return host.starts_with("127.") || host == "::1"; }

// The names by which browsers of this machine reach it. Other machines may use any name, so nothing is
// checked for them.
std::vector<std::string> hostsFor(const std::string& host) {
  if (!isLoopback(host)) return {};
  return {"localhost", "127.0.0.1", "::1", host};
}

Result<std::unique_ptr<ops::Server>> listenAt(const Place& place, const page::LiveDocument& document) {
  const auto readerOf = [&document]() -> ops::Events {
    return [&document, cursor = page::Cursor()]() mutable { return document.after(cursor); };
  };
  return ops::Server::listen({.address = place.host, .port = place.port, .hosts = hostsFor(place.host)},
                             {.web = [] { return page::pageWith(""); }, .events = readerOf});
}

std::string urlOf(const std::string& host, int port) {
  const bool isV6 = host.find(':') != std::string::npos;
  return "http://" +
         (host.empty() ? "localhost"
          : isV6       ? "[" + host + "]"
                       : host) +
         ":" + std::to_string(port) + "/";
}

}  // namespace

CLI::Validator webAddress() { return CLI::Validator(checkAddress, "", ""); }

void addWebFlag(CLI::App& command, std::string& address) {
  command
      .add_flag(std::string("--web{") + kDefaultAddress + "}", address,
                "show the jobs as a page for browsers, at an address such as --web=:8484 (" +
                    std::string(kDefaultAddress) + ")")
      ->check(webAddress());
}

Result<WebPage> servePage(const std::string& address, const page::LiveDocument& document) {
  Place place = placeFrom(address).value_or(Place());
  auto server = listenAt(place, document);
  if (!server && address == kDefaultAddress) {
    place.port = 0;
    server = listenAt(place, document);
  }
  if (!server) return failure(server.error());
  const int port = (*server)->port();
  return WebPage{std::move(*server), urlOf(place.host, port)};
}

Result<std::optional<WebPage>> serveWantedPage(const std::string& address,
                                               const page::LiveDocument& document) {
  if (address.empty()) return std::nullopt;
  auto page = servePage(address, document);
  if (!page) return failure(page.error());
  std::cerr << "The page of the jobs is at " << page->url << '\n';
  return std::move(*page);
}

std::function<void(const loop::EpochReport&)> timelineIn(page::LiveDocument& document, bool isWanted) {
  if (!isWanted) return {};
  return [&document](const loop::EpochReport& report) { document.add(page::momentOf(report)); };
}

void tellTheLast(WebPage& page) { page.server->endEvents(kTelling); }

}  // namespace slaq::cli::web
