// What each policy does, in a sentence for who looks at what it did.
const kSentences = {
  LookAhead: "LookAhead gives a core to the job whose loss it takes down soonest.",
  FinishTime: "FinishTime gives a core to the job that it brings nearest to its end.",
  TotalQuality: "TotalQuality gives a core to the job that gains most by it until the next decision.",
  MinQuality: "MinQuality gives a core to the job that is furthest from its final loss.",
  LeastAttainedService: "LeastAttainedService gives a core to the job that has used the fewest core-seconds.",
  Fair: "Fair gives all jobs the same, by their weights, whatever they learn.",
  AllAtOnce: "AllAtOnce gives every job all that it may have, and the operating system shares the cores.",
  Oracle: "Oracle does as LookAhead does, and knows the true curves.",
};

export const sentenceOf = (policy) => kSentences[policy] ?? "";
