#include "simulate/run/predictor_by_job.h"

namespace slaq::simulate {

PredictorByJob::PredictorByJob(std::string_view name, const forecast::FittedConstants& constants,
                               const Workload& workload) {
  predictors_.push_back(makePredictor(name, constants));
  std::map<const forecast::FittedConstants*, const forecast::Predictor*> byConstants;
  for (const auto& job : workload.jobs) {
    if (!job.constants) continue;
    const forecast::Predictor*& predictor = byConstants[job.constants.get()];
    if (!predictor) predictor = predictors_.emplace_back(makePredictor(name, *job.constants)).get();
    byUid_.emplace(trainingJobOf(job).uid, predictor);
  }
}

std::optional<forecast::ConvergenceModel> PredictorByJob::forecast(std::string_view uid,
                                                                   const forecast::LossSeries& series,
                                                                   const forecast::LossHints& hints,
                                                                   forecast::ForecastMemory& memory) const {
  const auto own = byUid_.find(uid);
  const forecast::Predictor& predictor = own == byUid_.end() ? *predictors_.front() : *own->second;
  return predictor.forecast(uid, series, hints, memory);
}

void PredictorByJob::update(const forecast::JobRecord& job) {
  for (const auto& predictor : predictors_) predictor->update(job);
}

}  // namespace slaq::simulate
