#include "trainer/problem_flags.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "trainer/algorithms/registry.h"
#include "trainer/data/generators.h"
#include "trainer/number_flag.h"

namespace slaq::trainer {
namespace {

tl::unexpected<Error> refuse(const std::string& sentence) { return failure(ErrorKind::Invalid, sentence); }

// What each algorithm and each generator may be told, for the help.
std::string settingsHelp() {
  std::string help = "\nALGORITHMS and their settings:\n";
  for (const Entry& entry : algorithms()) {
    help += "  " + std::string(entry.name) + ": " + std::string(entry.summary) + ", on " +
            std::string(entry.data) + "\n" + describe(entry.settings);
  }
  help += "  of those that tell one class from all others:\n" + describe(sharedSettings().first(1));
  help += "\nDATA and their settings:\n";
  for (const Generator& data : generators()) {
    help += "  " + std::string(data.name) + ": " + std::string(data.summary) + "\n" + describe(data.settings);
  }
  for (const Format& format : formats()) {
    help += "  " + std::string(format.name) + ":PATH: " + std::string(format.summary) + "\n" +
            describe(format.settings);
  }
  help += "  of all files with rows of features:\n" + describe(sharedSettings().last(1));
  return help;
}

// Every setting that something has is a flag; who has it is seen to when all flags are known.
void addSettings(CLI::App& app, std::span<const Setting> settings, ProblemFlags& flags) {
  for (const Setting& setting : settings) {
    const std::string name(setting.name);
    if (app.get_option_no_throw("--" + name)) continue;
    app.add_option_function<std::string>(
           "--" + name, [&flags, name](const std::string& text) { flags.settings[name] = text; })
        ->group("");
  }
}

// The generator or the format, and the files if there are any.
Result<Files> splitData(const ProblemFlags& flags, Problem& problem) {
  const std::size_t colon = std::min(flags.data.find(':'), flags.data.size());
  problem.data = flags.data.substr(0, colon);
  const Format* format = findFormat(problem.data);
  if (format && colon + 1 >= flags.data.size()) {
    return refuse("--data " + problem.data + " needs a file: write " + problem.data + ":PATH");
  }
  if (!format && colon < flags.data.size()) {
    return refuse("--data " + flags.data + ": " + problem.data +
                  " is no format of files; choose csv, libsvm, idx or lda-c");
  }
  if (format && problem.rows != 0)
    return refuse("--rows is for generated data; a file has the rows that it has");
  if (!flags.labels.empty() && !(format && format->labelsApart)) {
    return refuse("--labels is for --data idx:PATH; other data hold their targets themselves");
  }
  return Files{format ? flags.data.substr(colon + 1) : "", flags.labels};
}

Result<Settings> settingsOf(const ProblemFlags& flags, const Problem& problem) {
  const auto declared = declaredFor(problem);
  if (!declared) return failure(declared.error());
  Settings settings;
  for (const auto& [name, text] : flags.settings) {
    const auto setting = std::ranges::find(*declared, name, &Setting::name);
    // An unknown one goes on as it is, to be refused with all others.
    auto value = setting == declared->end() ? Result<Value>(Value(text)) : parse(*setting, text);
    if (!value) return failure(value.error());
    settings.set(name, *std::move(value));
  }
  return settings;
}

}  // namespace

void addProblemFlags(CLI::App& app, ProblemFlags& flags) {
  Problem& problem = flags.problem;
  app.add_option("--algorithm", problem.algorithm, "What to train; see below")->required();
  app.add_option(
      "--data", flags.data,
      "What to train on: a generator's name or FORMAT:PATH; see below. Otherwise what suits the algorithm");
  app.add_option("--labels", flags.labels, "File of the labels, for --data idx:PATH");
  app.add_option("--rows", problem.rows, "Rows of training data, or documents")->transform(wholeNumber(1));
  app.add_option("--features", problem.features, "Features of a row, or words in the vocabulary")
      ->transform(wholeNumber(1));
  app.add_option("--chunks", problem.chunks, "Parts that the rows are handed out in")
      ->capture_default_str()
      ->transform(wholeNumber(1));
  app.add_option("--seed", problem.seed, "Seed of the training data and of the first state")
      ->capture_default_str()
      ->transform(wholeNumber(0, std::numeric_limits<std::uint64_t>::max()));
  for (const Entry& entry : algorithms()) addSettings(app, entry.settings, flags);
  for (const Generator& data : generators()) addSettings(app, data.settings, flags);
  for (const Format& format : formats()) addSettings(app, format.settings, flags);
  addSettings(app, sharedSettings(), flags);
  app.footer(settingsHelp());
}

Result<Chosen> choose(const ProblemFlags& flags) {
  Problem problem = flags.problem;
  const auto files = splitData(flags, problem);
  if (!files) return failure(files.error());
  auto settings = settingsOf(flags, problem);
  if (!settings) return failure(settings.error());
  problem.settings = std::move(*settings);
  auto whole = complete(std::move(problem));
  if (!whole) return failure(whole.error());
  if (!files->rows.empty()) return Chosen{*whole, *files};  // the rest is known when the file is read
  if (const auto entry = entryFor(*whole); !entry) return failure(entry.error());
  return Chosen{*whole, *files};
}

}  // namespace slaq::trainer
