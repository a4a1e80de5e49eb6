#include "job/loss_mode.h"

namespace slaq {

std::string_view name(LossMode mode) { return mode == LossMode::Maximize ? "Maximize" : "Minimize"; }

std::optional<LossMode> lossModeFrom(std::string_view text) {
  for (const auto each : {LossMode::Minimize, LossMode::Maximize}) {
    if (text == name(each)) return each;
  }
  return std::nullopt;
}

Loss oriented(LossMode mode, Loss loss) { return mode == LossMode::Maximize ? Loss(-loss.value()) : loss; }

std::string notImprovedText(LossMode mode, Loss first, bool goesTheOtherWay) {
  const bool isLoss = mode == LossMode::Minimize;
  const std::string text = (isLoss ? "the loss has not fallen since the first one, "
                                   : "the metric has not risen since the first one, ") +
                           toDecimal(first.value(), 5) + ": how far the training is is not known";
  if (!goesTheOtherWay) return text;
  return text + (isLoss ? "; if it is to rise, as accuracy is, write spec.loss.mode: Maximize"
                        : "; if it is to fall, as a loss is, leave spec.loss.mode out");
}

}  // namespace slaq
