#include "metrics/metric_name.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <string>
#include <vector>

namespace slaq::metrics {
namespace {

using Words = std::initializer_list<std::string_view>;

std::vector<std::string> wordsOf(std::string_view name) {
  std::vector<std::string> words(1);
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      words.back() += c;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  if (words.size() > 1 && words.back().empty()) words.pop_back();
  return words;
}

bool has(const std::vector<std::string>& words, Words any) {
  return std::ranges::any_of(words,
                             [&](const auto& word) { return std::ranges::find(any, word) != any.end(); });
}

const Words kLosses = {"loss", "logloss", "mlogloss", "nll", "deviance", "cost", "objective", "crossentropy"};
const Words kErrors = {"error", "err", "merror", "rmse",       "mse", "mae", "mape", "rmsle",
                       "l1",    "l2",  "wer",    "perplexity", "ppl", "bpc", "cer",  "inertia"};
const Words kGains = {"accuracy", "acc", "auc", "f1", "reward", "return", "score",
                      "bleu",     "map", "iou", "r2", "ndcg",   "recall", "precision"};
const Words kValidation = {"val",  "valid", "validation", "eval", "evaluation",
                           "test", "dev",   "heldout",    "oob"};
// These words mark numbers that are not losses although the word "loss" may stand next to them: "loss scale".
const Words kOthers = {"scale", "weight", "rate", "lr", "grad", "best", "time", "norm"};
// These words mark numbers that count nothing although the word "steps" may stand next to them: a speed, a
// duration, a size or a limit, as in "eval_steps_per_second" and "max_steps".
const Words kNoCounts = {"per", "sec",       "secs", "seconds", "ms",    "size",     "rate",     "lr",
                         "max", "remaining", "left", "eta",     "every", "duration", "interval", "speed"};

}  // namespace

// The last word decides, as in "valid_1's binary_logloss"; "val_loss improved from" is no metric.
Metric metricOf(std::string_view name) {
  const auto words = wordsOf(name.substr(name.rfind(' ') + 1));
  Metric metric;
  if (has(wordsOf(name), kOthers)) return metric;
  metric.isValidation = has(wordsOf(name), kValidation);
  metric.isLoss = has(words, kLosses) || words.back().ends_with("loss") || words.back().ends_with("logloss");
  if (metric.isLoss || has(words, kErrors)) {
    metric.meaning = Meaning::Minimized;
  } else if (has(words, kGains)) {
    metric.meaning = Meaning::Maximized;
  }
  return metric;
}

int rankOf(const Metric& metric) {
  const int kind = metric.isLoss ? 0 : metric.meaning == Meaning::Minimized ? 2 : 4;
  return kind + (metric.isValidation ? 0 : 1);
}

Counter counterOf(std::string_view name) {
  if (metricOf(name).meaning != Meaning::Nothing) return Counter::None;  // "epoch_loss"
  const auto words = wordsOf(name);
  if (has(words, kNoCounts) || words.back() == "time") return Counter::None;  // but "time step" counts
  if (has(words, {"epoch", "epochs"})) return Counter::Epoch;
  const bool isStep = has(words, {"step", "steps", "iter", "iters", "iteration", "iterations", "round", "it",
                                  "update", "updates", "generation"});
  if (has(words, {"batch", "minibatch"})) return Counter::Batch;
  return isStep || name == kIndex ? Counter::Step : Counter::None;
}

const NameMeaning& NameMeanings::of(const std::string& name) {
  const auto found = known_.find(name);
  if (found != known_.end()) return found->second;
  if (known_.size() >= kMost) known_.clear();
  return known_[name] = {metricOf(name), counterOf(name)};
}

}  // namespace slaq::metrics
