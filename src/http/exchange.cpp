#include "http/exchange.h"

#include <utility>

namespace slaq::http {

void Exchange::begin(HttpResponse head) {
  const std::lock_guard lock(mutex_);
  head_ = std::move(head);
  changed_.notify_all();
}

Exchange::Verdict Exchange::write(std::string_view bytes, std::function<void()> resume) {
  const std::lock_guard lock(mutex_);
  if (left_ || ended_) return Verdict::Refused;
  if (bytes.size() > maxBytes_ - unread_.size()) {
    error_ = Error{ErrorKind::Malformed, "the answer is longer than " + std::to_string(maxBytes_) + " bytes"};
    ended_ = true;
    changed_.notify_all();
    return Verdict::Refused;
  }
  unread_.append(bytes);
  changed_.notify_all();
  if (unread_.size() < holdBytes_) return Verdict::Taken;
  resume_ = std::move(resume);
  return Verdict::Later;
}

void Exchange::finish(std::optional<Error> error) {
  const std::lock_guard lock(mutex_);
  if (ended_) return;
  ended_ = true;
  error_ = std::move(error);
  changed_.notify_all();
}

void Exchange::interrupt() {
  const std::lock_guard lock(mutex_);
  interrupted_ = true;
  changed_.notify_all();
}

template <class Condition>
bool Exchange::wait(Clock::time_point until, Condition condition) {
  std::unique_lock lock(mutex_);
  changed_.wait_until(lock, until, [&] { return interrupted_ || ended_ || condition(); });
  return !interrupted_ && (ended_ || condition());
}

bool Exchange::waitForHead(Clock::time_point until) {
  return wait(until, [this] { return head_.has_value(); });
}

bool Exchange::waitForEnd(Clock::time_point until) {
  return wait(until, [] { return false; });
}

bool Exchange::waitForBytes(Clock::time_point until) {
  return wait(until, [this] { return !unread_.empty(); });
}

std::string Exchange::take() {
  std::unique_lock lock(mutex_);
  std::string bytes = std::exchange(unread_, {});
  const auto resume = std::exchange(resume_, nullptr);
  lock.unlock();
  if (resume) resume();
  return bytes;
}

void Exchange::leave() {
  {
    const std::lock_guard lock(mutex_);
    left_ = true;
  }
  take();
}

bool Exchange::interrupted() const {
  const std::lock_guard lock(mutex_);
  return interrupted_;
}

bool Exchange::ended() const {
  const std::lock_guard lock(mutex_);
  return ended_;
}

std::optional<Error> Exchange::error() const {
  const std::lock_guard lock(mutex_);
  return error_;
}

std::optional<HttpResponse> Exchange::head() const {
  const std::lock_guard lock(mutex_);
  return head_;
}

}  // namespace slaq::http
