// The document of runs that go on: one thread adds epochs, others read.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "page/document.h"

namespace slaq::page {

// The part of a document that one reader has.
struct Cursor {
  std::uint64_t revision = 0;    // the document's revision that the reader has; 0: nothing yet
  std::uint64_t generation = 0;  // the numbering of epochs that the reader knows
  std::size_t runs = 0;
  std::size_t epochs = 0;  // of the last of these runs
};

class LiveDocument {
 public:
  LiveDocument(std::string title, std::string resource);

  // Begins a run under this policy, to which the following epochs belong.
  void beginRun(std::string policy);
  // REQUIRES: a run has begun.
  void add(const Moment& moment);
  void endRun(std::map<JobKey, JobEnd> ends);
  // Ends the document: no more runs will come.
  void end(std::string verdict = {});

  // Returns as JSON the part that the reader does not have yet, and moves the cursor behind it. Empty if
  // there is nothing new. A new reader, and one for whom a part is not enough, gets the whole document. The
  // text is made once for all readers with the same part. Any thread.
  std::optional<std::string> after(Cursor& cursor) const;

  // The document as it is now. Any thread.
  Document copy() const;

 private:
  // A state of the document, and the texts that readers got of it.
  struct Snapshot {
    std::uint64_t revision = 0;
    std::shared_ptr<const Document> document = {};
    // The key is the first epoch that a reader does not have, or nothing for the whole document.
    std::map<std::optional<std::size_t>, std::string> texts = {};
  };

  mutable std::mutex mutex_;
  Document document_;
  std::uint64_t revision_ = 1;    // grows with every change
  std::uint64_t generation_ = 1;  // grows when a part is not enough any more
  mutable Snapshot snapshot_;
};

}  // namespace slaq::page
