// Puts up what the server knows of its jobs: for clients, and in files beside the manifests.
#pragma once

#include <map>
#include <string>

#include "cli/serve/board.h"
#include "cli/serve/served_documents.h"
#include "cli/store/job_directory.h"
#include "cli/store/job_state.h"
#include "cli/store/serve_directory.h"

namespace slaq::cli::serve {

class Publisher {
 public:
  // Both outlive this.
  Publisher(const store::ServeDirectory& places, Board& board) : places_(places), board_(board) {}

  // A job that has not changed since the last call is not written again. Transient where a file can't be
  // written; clients see the job all the same.
  Result<void> publish(const store::JobDirectory& directory, const std::map<JobKey, store::JobState>& known,
                       EventLog& events);

 private:
  // What clients see of a job, and what that was made of.
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
