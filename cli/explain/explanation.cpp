#include "cli/explain/explanation.h"

#include <algorithm>
#include <numeric>

#include "base/figures.h"
#include "cli/cluster/worker_cores.h"
#include "cli/explain/explanation_facts.h"
#include "cli/jobs/live_table.h"
#include "cli/terminal/page.h"
#include "cli/top/top_rows.h"
#include "job/target_kind.h"

namespace slaq::cli::explain {
namespace {

constexpr std::size_t kBar = 30;
constexpr std::size_t kMostEvents = 8;
constexpr std::size_t kPlotLabels = 14;  // to the left of the curve

std::string ago(Time now, Time then) { return terminal::toClock(now - then) + " ago"; }

std::string figureOf(Cores cores) { return toDecimal(inCores(cores)); }

// The time for which a job has been in its state.
std::string sinceText(const JobStatus& status, Time now) {
  if (finished(status.state) && status.completed) {
    std::string text = " " + ago(now, *status.completed);
    if (status.started)
      text += ", after " + terminal::toClock(*status.completed - *status.started) + " of training";
    return text;
  }
  if (status.state == JobState::Running && status.started)
    return " for " + terminal::toClock(now - *status.started);
  const auto* ready = find(status.conditions, ConditionType::Ready);
  return ready ? " for " + terminal::toClock(now - ready->lastTransition) : "";
}

std::string schedulingText(const JobSpec& spec) {
  const std::string weight = ", weight " + std::to_string(spec.weight);
  switch (spec.scheduling) {
    case Scheduling::Quality:
      if (spec.value == Value::Completion)
        return "by how much sooner the next core lets it end (Quality, value Completion)" + weight;
      return "by what the next core takes off its loss (Quality)" + weight;
    case Scheduling::Fair:
      return "a fair share of the cores (Fair)" + weight;
    case Scheduling::Reserved:
      break;
  }
  return "all that it can use, or it waits (Reserved)" + weight;
}

void tellState(terminal::Page& page, const JobStory& story) {
  const auto& status = story.job.status;
  page.line(toString(story.job.key) + "  " + jobs::stateText(status) + sinceText(status, story.now));
  page.add("scheduled", schedulingText(story.job.job.spec));
  if (status.conditions.empty()) {
    page.add("unseen",
             "no controller has looked at this job yet: see whether slaq's controller runs, and whether it "
             "looks after this namespace");
  }
}

std::string lossText(const JobStatus& status) {
  const Progress& progress = *status.progress;
  std::string text = toDecimal(progress.loss.value(), 5) + " after " +
                     toDecimal(progress.iteration.value(), 9) + " iterations";
  if (status.decision && status.decision->forecast && !finished(status.state))
    text += "; " + toDecimal(status.decision->forecast->value(), 5) + " is expected at the next decision";
  // Hardly any loss changes its sign; a curve that does is not known well enough to be told.
  if (progress.forecastFinal && progress.forecastFinal->value() * progress.loss.value() >= 0)
    text += "; " + toDecimal(progress.forecastFinal->value(), 5) + " in the end";
  if (!progress.convergence.empty()) text += " (" + progress.convergence + ")";
  return text;
}

void tellLoss(terminal::Page& page, const JobStory& story) {
  const auto& status = story.job.status;
  if (!status.progress) {
    page.add("loss", "not read yet");
  } else {
    page.add("loss", lossText(status));
    const top::TopRow row = top::topRowOf(story.job);
    if (row.job.reduced) {
      page.picture("loss", terminal::bar(*row.job.reduced, kBar, page.frame().style) + " " +
                               std::to_string(static_cast<int>(*row.job.reduced * 100)) +
                               "% of the reduction that can be expected");
    }
    if (row.remaining) page.add("loss", "about " + terminal::toClock(*row.remaining) + " left at this pace");
  }
  if (const auto target = story.job.job.spec.loss.target)
    page.add("target", toDecimal(*target) + " is given as its final loss");
}

// "1, 2 or 4".
std::string listOf(const std::vector<Workers>& sizes) {
  std::string text = std::to_string(sizes.front().value());
  for (std::size_t i = 1; i < sizes.size(); ++i)
    text += (i + 1 == sizes.size() ? " or " : ", ") + std::to_string(sizes[i].value());
  return text;
}

std::string allowedText(const WorkersSpec& workers, Cores each) {
  if (hasFixedSize(workers)) return "a number that cannot be changed, " + decimalCoresText(each) + " each";
  if (workers.scaling == Scaling::CPU) {
    return decimalCoresText(each) + " each (" + figureOf(workers.cpu.min) + " to " +
           figureOf(workers.cpu.max) + " allowed)";
  }
  if (!workers.sizes.empty()) return listOf(workers.sizes) + " allowed, " + decimalCoresText(each) + " each";
  return std::to_string(workers.min.value()) + " to " + std::to_string(workers.max.value()) + " allowed, " +
         decimalCoresText(each) + " each";
}

void tellWorkers(terminal::Page& page, const JobStory& story) {
  const auto& status = story.job.status;
  const JobSpec& spec = story.job.job.spec;
  const Cores each = cluster::workerCoresOf(spec, status);
  std::string text = std::to_string(status.ready.value()) + " ready, " +
                     std::to_string(status.desired.value()) + " decided; " + allowedText(spec.workers, each);
  if (isPinned(spec)) text += "; pinned to " + std::to_string(spec.replicas->value()) + " by spec.replicas";
  page.add("workers", text);
  std::string held = figureOf(each * status.replicas);
  if (const Cores driver = cluster::driverCoresOf(spec, status); driver > Cores())
    held += ", and " + figureOf(driver) + " for its driver";
  if (status.replicas > Workers(0)) page.add("cores", held);
}

// Shows the gain of one more core for this job next to the price.
void tellGain(terminal::Page& page, const Decision& decision) {
  const double price = decision.price.value_or(0);
  const double gain = std::max(0.0, decision.gainPerCore);  // below 0 a change costs more than it brings
  const double most = std::max(gain, price);
  if (gainText(most) == "0") return;
  const auto& style = page.frame().style;
  page.picture("next core", terminal::bar(gain / most, kBar, style) + " " + gainText(gain, 3) +
                                " normalized loss per second");
  if (!decision.price) return;
  page.picture("price", terminal::bar(price / most, kBar, style) + " " + gainText(price, 3) +
                            " is what a core must gain to be given out");
}

void tellDecision(terminal::Page& page, const JobStory& story) {
  const auto& status = story.job.status;
  const auto* complete = find(status.conditions, ConditionType::Complete);
  if (status.state == JobState::Complete && complete) page.add("why", complete->message);
  const auto& decision = status.decision;
  if (!decision) return;
  if (decision->workers > Workers(0)) {
    page.add("decided", counted(decision->workers) + " with " + decimalCoresText(decision->cores) +
                            ", since " + terminal::toClock(story.now - decision->since));
  }
  page.add("why", decision->reason);
  if (status.state == JobState::Running && story.job.job.spec.scheduling == Scheduling::Quality)
    tellGain(page, *decision);
}

std::string costText(const ResizeCost& cost) {
  std::vector<std::string> parts;
  const auto add = [&](const std::optional<Seconds>& time, const char* before, const char* after) {
    if (time) parts.push_back(before + toDecimal(time->count(), 3) + " s" + after);
  };
  add(cost.grow, "stops it for ", " when it gets workers");
  add(cost.shrink, "stops it for ", " when it loses some");
  add(cost.lost, "", " of work is done again");
  return parts.empty() ? ""
                       : std::accumulate(std::next(parts.begin()), parts.end(), parts.front(),
                                         [](const auto& all, const auto& part) { return all + ", " + part; });
}

std::string kindText(const KindStatus& kind) {
  if (kind.trainings == 0) return "no training of kind " + kind.name + " has ended yet";
  return "expects what " + counted(kind.trainings, "training") + " of kind " + kind.name + " did";
}

// Shows the kind of a job that goes on, and the measured cost of a change.
void tellKnowledge(terminal::Page& page, const JobStatus& status) {
  if (status.kind && !finished(status.state)) page.add("kind", kindText(*status.kind));
  if (status.resizeCost) page.add("a change", costText(*status.resizeCost));
}

void tellStops(terminal::Page& page, const JobStory& story) {
  for (const auto& stop : stopsOf(story.job, story.now)) {
    const std::string text = stop.rule + ": " + stop.sofar;
    if (stop.share) {
      page.picture("stops at", terminal::bar(*stop.share, kBar, page.frame().style) + " " + text);
    } else {
      page.add("stops at", text);
    }
  }
}

void tellConditions(terminal::Page& page, const JobStory& story) {
  const auto notable = notableConditions(story.job.status);
  if (notable.empty()) return;
  page.heading("To know of");
  for (const auto& condition : notable) {
    const bool unknown = condition.status == Truth::Unknown;
    page.add("for " + terminal::toClock(story.now - condition.lastTransition),
             (unknown ? "(not known yet) " : "") + condition.reason + ": " + condition.message);
  }
}

void tellEvents(terminal::Page& page, const JobStory& story) {
  if (story.events.empty() && story.eventsTrouble.empty()) return;
  page.heading("Last events");
  if (!story.eventsTrouble.empty()) page.add("", story.eventsTrouble);
  const std::size_t from = story.events.size() - std::min(story.events.size(), kMostEvents);
  for (std::size_t i = from; i < story.events.size(); ++i) {
    const cluster::JobEvent& event = story.events[i];
    const std::string times = event.count > 1 ? " (" + std::to_string(event.count) + " times)" : "";
    page.add(ago(story.now, event.last),
             (event.warning ? "Warning " : "") + event.reason + ": " + event.message + times);
  }
}

void tellCurve(terminal::Page& page, const JobStory& story) {
  const auto& frame = page.frame();
  const std::size_t room = std::max(frame.columns, 2 * kPlotLabels) - kPlotLabels;
  const auto lines =
      terminal::plotLines(story.losses, story.now, {.columns = std::min<std::size_t>(room, 72)}, frame.style);
  if (lines.empty()) return;
  page.heading("Loss over time");
  for (const auto& line : lines) page.picture(line);
}

}  // namespace

std::string explanation(const JobStory& story, const terminal::Frame& frame) {
  terminal::Page page(frame);
  tellState(page, story);
  tellLoss(page, story);
  tellWorkers(page, story);
  tellDecision(page, story);
  tellKnowledge(page, story.job.status);
  tellStops(page, story);
  tellConditions(page, story);
  tellCurve(page, story);
  tellEvents(page, story);
  return page.text();
}

}  // namespace slaq::cli::explain
