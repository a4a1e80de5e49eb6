#include "kube/watch/reflector.h"

#include "kube/client/match.h"
#include "kube/client/pause.h"
#include "kube/json/json_fields.h"
#include "kube/watch/watch_line.h"

namespace slaq::kube::watch {
namespace {

using json::at;
using json::parseJson;
using json::stringAt;

constexpr double kShortestWatch = 300;  // seconds; a random length keeps clients from coming back at once
constexpr double kLongestWatch = 600;
constexpr Seconds kListAfter{80};

// NotFound for a collection means that the server does not know the kind.
Error explained(Error error, const client::Resource& resource) {
  const bool isOurs = resource.group == client::kTrainingJobs.group;
  if (error.kind != ErrorKind::NotFound || !isOurs) return error;
  error.message = "the API server knows no " + client::pathOf({resource, ""}) +
                  "; install the definition, for example with kubectl apply -f crds/ (" + error.message + ")";
  return error;
}

}  // namespace

Reflector::Reflector(client::Api& api, client::Target target, client::Selector selector, ObjectSink& sink,
                     const Clock& clock, Interrupted interrupted)
    : api_(api),
      target_(std::move(target)),
      selector_(std::move(selector)),
      sink_(sink),
      clock_(clock),
      interrupted_(std::move(interrupted)),
      heard_(clock.monotonic().count()) {}

void Reflector::start() {
  hear();
  thread_ = std::jthread([this](std::stop_token stop) { run(stop); });
}

void Reflector::run(std::stop_token stop) {
  Effects effects = advance(Begun{});
  while (!stop.stop_requested()) effects = perform(effects, stop);
}

Reflector::Effects Reflector::advance(const WatchEvent& event) {
  auto [next, effects] = step(state_, event, {clock_.monotonic(), chance()});
  state_ = std::move(next);
  return effects;
}

Reflector::Effects Reflector::perform(const Effects& effects, std::stop_token stop) {
  Effects next;
  for (const auto& effect : effects) {
    std::visit(client::Match{
                   [&](const FetchPage& page) { next = fetch(page); },
                   [&](const OpenWatch& open) { next = follow(open, stop); },
                   [&](const Pause& pause) {
                     client::pauseFor(pause.duration, stop);
                     next = advance(Begun{});
                   },
                   [&](const BeginList&) { beginList(); }, [&](const TakeItems&) { takeItems(); },
                   [&](const EndList& list) { endList(list.resourceVersion); }, [&](const TakeChange&) {},
                   [&](const Log& log) { tell(std::string(target_.resource.plural) + ": " + log.message); }},
               effect);
  }
  return next;
}

void Reflector::tell(const std::string& sentence) {
  interrupted_(sentence, throttle_.isNews(sentence, clock_.monotonic()));
}

void Reflector::listSince(Seconds then) {
  std::unique_lock lock(mutex_);
  if (asked_ >= then) return;
  listWanted_ = true;
  std::stop_source stream = stream_;
  lock.unlock();
  stream.request_stop();
}

void Reflector::beginList() {
  sink_.beginList();
  const std::scoped_lock lock(mutex_);
  listWanted_ = false;
  asked_ = clock_.monotonic();
}

void Reflector::endList(const std::string& resourceVersion) {
  sink_.endList(resourceVersion);
  const std::scoped_lock lock(mutex_);
  listed_ = asked_.count();
  isListed_ = true;
}

std::optional<std::stop_source> Reflector::beginStream() {
  const std::scoped_lock lock(mutex_);
  if (listWanted_) return std::nullopt;
  stream_ = std::stop_source();
  return stream_;
}

bool Reflector::isListWanted() {
  const std::scoped_lock lock(mutex_);
  return listWanted_;
}

Reflector::Effects Reflector::fetch(const FetchPage& request) {
  auto page = api_.list(target_, selector_, request.continueToken);
  if (!page) {
    const bool isAbsent =
        page.error().kind == ErrorKind::NotFound || page.error().kind == ErrorKind::Forbidden;
    if (isAbsent) isListed_ = false;
    return advance(Failed{explained(page.error(), target_.resource)});
  }
  hear();
  page_ = std::move(page->document);
  return advance(PageCame{page->resourceVersion, page->continueToken});
}

void Reflector::takeItems() {
  for (const auto& item : page_["items"].GetArray()) sink_.upsert(item);
  page_ = rapidjson::Document();
}

Reflector::Effects Reflector::follow(const OpenWatch& open, std::stop_token stop) {
  auto stream = beginStream();
  if (!stream) return advance(ListWanted{});
  const std::stop_callback both(stop, [&stream] { stream->request_stop(); });
  Effects closing;
  const Seconds length(kShortestWatch + (kLongestWatch - kShortestWatch) * chance());
  const auto ended = api_.watch(
      target_, selector_, open.resourceVersion, length,
      [&](const std::string& line) {
        hear();
        closing = onLine(line);
        return closing.empty();
      },
      stream->get_token());
  if (!closing.empty() || stop.stop_requested()) return closing;
  if (isListWanted()) return advance(ListWanted{});
  // A server without bookmarks says nothing of a quiet collection; a list shows that the server is there.
  if (!ended && silence() >= kListAfter)
    return advance(ErrorCame{0, "nothing came of it for long: " + ended.error().message});
  if (!ended) return advance(Failed{ended.error()});
  hear();
  return advance(StreamEnded{});
}

Reflector::Effects Reflector::onLine(const std::string& line) {
  if (line.empty()) return {};
  const auto document = parseJson(line);
  Effects effects = advance(eventOf(document));
  if (effects.size() != 1 || !std::holds_alternative<TakeChange>(effects.front())) return effects;
  const auto* object = at(document, {"object"});
  if (stringAt(document, {"type"}) == "DELETED") {
    sink_.remove(*object);
  } else {
    sink_.upsert(*object);
  }
  return {};
}

}  // namespace slaq::kube::watch
