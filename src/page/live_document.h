// The document of runs that go on: one thread tells of epochs, others read.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "page/document.h"

namespace slaq::page {

// How much of a document one reader has.
struct Cursor {
  std::uint64_t revision = 0;    // of the document, as the reader knows it; 0: nothing yet
  std::uint64_t generation = 0;  // since when its epochs have been counted as they are
  std::size_t runs = 0;
  std::size_t epochs = 0;  // of the last of these runs
};

class LiveDocument {
 public:
  LiveDocument(std::string title, std::string resource);

  // A run under that policy begins; the epochs that follow are its own.
  void beginRun(std::string policy);
  // REQUIRES: a run has begun.
  void add(const Moment& moment);
  void endRun(std::map<JobKey, JobEnd> ends);
  // No more will come.
  void end(std::string verdict = {});

  // Returns as JSON what the reader does not have yet, and moves the cursor behind it. Empty if there is
  // nothing new. At first, and where a part is not enough, it is the whole document. The text is made once
  // for all readers that have got equally far. Any thread.
  std::optional<std::string> after(Cursor& cursor) const;

  // As it is now. Any thread.
  Document copy() const;

 private:
  // A state of the document, and what readers were told of it.
  struct Snapshot {
    std::uint64_t revision = 0;
    std::shared_ptr<const Document> document = {};
    // The key is the first epoch that a reader does not have, or nothing for the whole document.
    std::map<std::optional<std::size_t>, std::string> texts = {};
  };

  mutable std::mutex mutex_;
  Document document_;
  std::uint64_t revision_ = 1;    // grows with every change
  std::uint64_t generation_ = 1;  // grows when a part would not do any more
  mutable Snapshot snapshot_;
};

}  // namespace slaq::page
