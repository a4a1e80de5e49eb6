// Turns series into samples of jobs. It finds the job of a series by its target labels, pairs the loss with
// its iteration, and chooses between the series of a pod and between the pods of a job.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
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

  // The requests must outlive this.
  SeriesMatching(const std::vector<const LossRequest*>& jobs, const SeriesLabels& labels);

  // Matrices of one job may come in any number and order. A sample that is in two of them counts once, with
  // the initial loss if either has it.
  void add(const Matrix& matrix, Origin origin);

  // The samples of a job, or the problem if there are none.
  JobLoss lossOf(const LossRequest& job) const;

  // How many series a job had. A reading covers a time in which pods come and go, so the job need not have
  // had all of them at once.
  std::size_t seriesOf(const JobKey& job) const;

 private:
  // The key of a pair of series. The pairs of one target are in the order in which they are to be read.
  struct StreamKey {
    std::string target;
    std::size_t differences = 0;
    std::size_t labelsOfLoss = 0;
    std::string loss;  // its labels as one text
    std::size_t labelsOfIterations = 0;
    std::string iterations;

    auto operator<=>(const StreamKey&) const = default;
  };
  struct Found {
    const LossRequest* request = nullptr;
    std::map<StreamKey, std::vector<LossSample>> streams;
    std::optional<std::string> notice;
    bool loss = false;
    bool iterations = false;
    bool foreign = false;  // series of another job that had the same name
    std::size_t series = 0;
  };

  // Prometheus distinguishes targets by `job` and `instance`. Where there is no instance, the pod takes part.
  struct TargetKey {
    std::string_view instance;
    std::string_view pod;
    std::string_view ns;  // of the training
    std::string_view name;
    std::string_view job;

    auto operator<=>(const TargetKey&) const = default;
  };
  struct Target {
    Found* owner = nullptr;
    std::vector<const Series*> losses;
    std::vector<const Series*> iterations;
    std::vector<const Series*> initials;
  };

  Found* ownerOf(const Series& series);
  std::map<TargetKey, Target> targetsOf(const Matrix& matrix);
  static void addTarget(const TargetKey& key, const Target& target, Origin origin);
  std::string problemOf(const Found& found) const;

  SeriesLabels labels_;
  std::map<JobKey, Found> found_;
};

}  // namespace slaq::prom
