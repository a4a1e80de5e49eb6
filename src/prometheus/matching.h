// Turns series into samples of jobs: finds the job of a series by its target labels, pairs the loss with its
// iteration, and chooses between the pods of a job.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "ports/loss_source.h"
#include "prometheus/matrix.h"
#include "prometheus/queries.h"

namespace slaq::prom {

class SeriesMatching {
 public:
  enum class Origin {
    Raw,      // samples as they were scraped
    History,  // evaluated at steps; repetitions of one sample are dropped
  };

  // The requests must outlive it.
  SeriesMatching(const std::vector<const LossRequest*>& jobs, const SeriesLabels& labels);

  // Matrices of one job may come in any number and order. Where two have the same sample it counts once, with
  // the initial loss if one of them has that.
  void add(const Matrix& matrix, Origin origin);

  // The samples of a job, or the problem if there are none.
  JobLoss lossOf(const LossRequest& job) const;

  // Whether one job had more series than so many, or all those together that are none of the requests'. What
  // was read covers a time, in which pods come and go: the job need not have as many at once.
  bool hasMoreSeriesThan(std::size_t most) const;

 private:
  using LabelSet = std::string;  // the labels of a series without its metric, as one key
  struct Found {
    const LossRequest* request = nullptr;
    std::map<LabelSet, std::vector<LossSample>> streams;
    bool loss = false;
    bool iterations = false;
    bool foreign = false;  // series of another job that had the same name
    std::size_t series = 0;
  };

  struct Pair {
    Found* owner = nullptr;
    const Series* loss = nullptr;
    const Series* iterations = nullptr;
    std::optional<Loss> initial;
  };

  Found* ownerOf(const Series& series);
  std::string problemOf(const Found& found) const;

  SeriesLabels labels_;
  std::map<JobKey, Found> found_;
  std::size_t strangers_ = 0;  // series of no request
};

}  // namespace slaq::prom
