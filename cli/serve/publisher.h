// Publishes the server's knowledge of its jobs: to clients, and in files next to the manifests.
#pragma once

#include <map>
#include <string>

#include "cli/api/served_documents.h"
#include "cli/serve/board.h"
#include "cli/store/job_directory.h"
#include "cli/store/job_state.h"
#include "cli/store/serve_directory.h"

namespace slaq::cli::serve {

class Publisher {
 public:
  // Both outlive this.
  Publisher(const store::ServeDirectory& places, Board& board) : places_(places), board_(board) {}

  // Does not write a job again that has not changed since the last call. Transient if a file can't be
  // written; clients see the job nevertheless.
  Result<void> publish(const store::JobDirectory& directory, const std::map<JobKey, store::JobState>& known,
                       api::EventLog& events);

 private:
  // The data about a job that clients see, and the data that it was made from.
  struct Published {
    store::JobState state;
    std::string manifest;
    std::string document;
    bool isWritten = false;
  };

  Result<void> update(const store::ListedJob& listed, const store::JobState& state, Published& mine) const;

  const store::ServeDirectory& places_;
  Board& board_;
  std::map<JobKey, Published> published_;
};

}  // namespace slaq::cli::serve
