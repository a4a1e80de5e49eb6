// Who computes which chunk. Workers pull: each has one chunk in work and one waiting, so that a round trip
// costs it nothing. A worker gets first what it holds in memory, and of that what no other holds, so that the
// end of a round is left to chunks that several could do. When all is handed out, an idle worker takes over
// what waits at another, and at last what another has had for far too long; that one gets nothing more until
// it is heard of again.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "base/units.h"

namespace slaq::trainer::driver {

using WorkerId = std::int64_t;  // one connection of a worker

struct Assignment {
  std::int64_t chunk = 0;
  std::optional<WorkerId> takenFrom;  // who need not begin it any more

  bool operator==(const Assignment&) const = default;
};

class ChunkAssigner {
 public:
  explicit ChunkAssigner(std::int64_t chunks) : done_(static_cast<std::size_t>(chunks), false) {}

  void join(WorkerId worker) { workers_[worker]; }
  // What the worker had not finished is free for others.
  void leave(WorkerId worker) { workers_.erase(worker); }
  bool knows(WorkerId worker) const { return workers_.contains(worker); }
  std::int64_t workers() const { return static_cast<std::int64_t>(workers_.size()); }

  // All chunks are to be done again; what workers hold in memory stays known.
  void beginRound();
  // The next chunk for the worker, if there is one that it should have now. REQUIRES: knows(worker).
  std::optional<Assignment> assign(WorkerId worker, Seconds now);
  // Takes note of any answer, a late one too.
  void hear(WorkerId worker) { workers_.at(worker).hangs = false; }
  // Takes note of a result of this round; false for one that came already. REQUIRES: knows(worker).
  bool complete(WorkerId worker, std::int64_t chunk, Seconds now);

 private:
  struct Task {
    std::int64_t chunk = 0;
    Seconds since{};
  };
  struct Worker {
    std::vector<Task> tasks;                    // in the order of their computation
    std::map<std::int64_t, std::int64_t> held;  // chunks in its memory, with the round of their last use
    bool hangs = false;                         // others do its work
  };

  std::vector<int> countHolders() const;
  std::vector<bool> findTaken() const;
  std::optional<std::int64_t> bestFree(const Worker& worker) const;
  std::optional<Assignment> takeWaiting();
  std::optional<Assignment> repeatOverdue(Seconds now);

  std::vector<bool> done_;
  std::int64_t round_ = 1;
  std::map<WorkerId, Worker> workers_;
  Seconds slowest_{};  // the longest that a finished chunk took
};

}  // namespace slaq::trainer::driver
