// One request and its answer, shared by the thread that waits for it and the threads that receive it. The
// receiver is paused while too much is unread. The waiting thread may leave at any time; bytes that come
// later are refused. No type of the HTTP library appears here.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "http/message.h"

namespace slaq::http {

class Exchange {
 public:
  using Clock = std::chrono::steady_clock;

  enum class Verdict {
    Taken,    // send more
    Later,    // wait for the call of `resume`, which comes exactly once
    Refused,  // nobody waits any more: close the connection
  };

  // Holds at most `holdBytes` unread before it says Later, and fails past `maxBytes` unread.
  Exchange(std::size_t holdBytes, std::size_t maxBytes) : holdBytes_(holdBytes), maxBytes_(maxBytes) {}

  // The receiver's side.
  void begin(HttpResponse head);
  Verdict write(std::string_view bytes, std::function<void()> resume);
  void finish(std::optional<Error> error);  // the first call counts

  // The waiter's side. `interrupt` wakes it up from another thread.
  void interrupt();
  bool waitForHead(Clock::time_point until);  // false if neither head nor end came in time, or if interrupted
  bool waitForEnd(Clock::time_point until);   // likewise
  bool waitForBytes(Clock::time_point until);  // bytes or the end
  std::string take();                          // what was received and not yet taken
  void leave();

  bool interrupted() const;
  bool ended() const;
  std::optional<Error> error() const;
  std::optional<HttpResponse> head() const;  // once it has come, without a body

 private:
  template <class Condition>
  bool wait(Clock::time_point until, Condition condition);

  const std::size_t holdBytes_;
  const std::size_t maxBytes_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<HttpResponse> head_;
  std::string unread_;
  std::function<void()> resume_;
  std::optional<Error> error_;
  bool ended_ = false;
  bool interrupted_ = false;
  bool left_ = false;
};

}  // namespace slaq::http
