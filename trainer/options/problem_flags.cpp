#include "trainer/options/problem_flags.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "trainer/data/generators/generators.h"
#include "trainer/options/number_flag.h"
#include "trainer/registry/complete_problem.h"
#include "trainer/registry/registry.h"

namespace slaq::trainer::options {
namespace {

tl::unexpected<Error> refuse(const std::string& sentence) { return failure(ErrorKind::Invalid, sentence); }

// What each algorithm and each generator may be told, for the help.
std::string settingsHelp() {
  std::string help = "\nALGORITHMS and their settings:\n";
  for (const registry::Entry& entry : registry::algorithms()) {
    help += "  " + std::string(entry.name) + ": " + std::string(entry.summary) + ", on " +
            std::string(entry.data) + "\n" + problem::describe(entry.settings);
  }
  help += "  of those that tell one class from all others:\n" +
          problem::describe(registry::sharedSettings().first(1));
  help += "\nDATA and their settings:\n";
  for (const data::generators::Generator& data : data::generators::generators()) {
    help += "  " + std::string(data.name) + ": " + std::string(data.summary) + "\n" +
            problem::describe(data.settings);
  }
  for (const data::formats::Format& format : data::formats::formats()) {
    help += "  " + std::string(format.name) + ":PATH: " + std::string(format.summary) + "\n" +
            problem::describe(format.settings);
  }
  help += "  of all files with rows of features:\n" + problem::describe(registry::sharedSettings().last(1));
  return help;
}

// Every setting that something has is a flag; who has it is seen to when all flags are known.
void addSettings(CLI::App& app, std::span<const problem::Setting> settings, ProblemFlags& flags) {
  for (const problem::Setting& setting : settings) {
    const std::string name(setting.name);
    if (app.get_option_no_throw("--" + name)) continue;
    app.add_option_function<std::string>(
           "--" + name, [&flags, name](const std::string& text) { flags.settings[name] = text; })
        ->group("");
  }
}

// The generator or the format, and the files if there are any.
Result<data::formats::Files> splitData(const ProblemFlags& flags, problem::Problem& problem) {
  const std::size_t colon = std::min(flags.data.find(':'), flags.data.size());
  problem.data = flags.data.substr(0, colon);
  const data::formats::Format* format = data::formats::findFormat(problem.data);
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
  return data::formats::Files{format ? flags.data.substr(colon + 1) : "", flags.labels};
}

Result<problem::Settings> settingsOf(const ProblemFlags& flags, const problem::Problem& problem) {
  const auto declared = registry::declaredFor(problem);
  if (!declared) return failure(declared.error());
  problem::Settings settings;
  for (const auto& [name, text] : flags.settings) {
    const auto setting = std::ranges::find(*declared, name, &problem::Setting::name);
    // An unknown one goes on as it is, to be refused with all others.
    auto value = setting == declared->end() ? Result<problem::Value>(problem::Value(text))
                                            : problem::parse(*setting, text);
    if (!value) return failure(value.error());
    settings.set(name, *std::move(value));
  }
  return settings;
}

}  // namespace

void addProblemFlags(CLI::App& app, ProblemFlags& flags) {
  problem::Problem& problem = flags.problem;
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
  for (const registry::Entry& entry : registry::algorithms()) addSettings(app, entry.settings, flags);
  for (const data::generators::Generator& data : data::generators::generators())
    addSettings(app, data.settings, flags);
  for (const data::formats::Format& format : data::formats::formats())
    addSettings(app, format.settings, flags);
  addSettings(app, registry::sharedSettings(), flags);
  app.footer(settingsHelp());
}

Result<Chosen> choose(const ProblemFlags& flags) {
  problem::Problem problem = flags.problem;
  const auto files = splitData(flags, problem);
  if (!files) return failure(files.error());
  auto settings = settingsOf(flags, problem);
  if (!settings) return failure(settings.error());
  problem.settings = std::move(*settings);
  auto whole = registry::complete(std::move(problem));
  if (!whole) return failure(whole.error());
  if (!files->rows.empty()) return Chosen{*whole, *files};  // the rest is known when the file is read
  if (const auto entry = registry::entryFor(*whole); !entry) return failure(entry.error());
  return Chosen{*whole, *files};
}

}  // namespace slaq::trainer::options
