// The example by numbers in docs/scheduler.md, and that the document says what comes out of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "scheduler/allocation/utility.h"
#include "scheduler/policies/look_ahead.h"

namespace slaq::scheduler {
namespace {

constexpr Seconds kEpochOfExample{3};
constexpr double kIterationsToHalf = 20;

// Its loss after k iterations is 1 / (1 + k/20), and n workers do n iterations a second.
Demand jobOfExample(double iteration, int held) {
  Demand demand{.min = 1, .max = 8, .held = held};
  demand.curve = {.family = forecast::CurveFamily::Sublinear, .b = 1 / kIterationsToHalf, .c = 1};
  demand.iteration = iteration;
  demand.growPause = 5;
  demand.horizon = 30;
  return demand;
}

std::vector<Demand> jobsOfExample() {
  return {jobOfExample(0, 0), jobOfExample(20, 4), jobOfExample(380, 4)};
}

// The rows of the table between the marks of the example, the cells of each as numbers.
std::vector<std::vector<double>> tableOfDocument() {
  std::ifstream document(SLAQ_SOURCE_DIR "/docs/scheduler.md");
  std::vector<std::vector<double>> rows;
  bool isInside = false;
  for (std::string line; std::getline(document, line);) {
    if (line == "<!-- worked example -->") isInside = true;
    if (line == "<!-- end of worked example -->") break;
    if (!isInside || line.size() < 3 || !std::isdigit(static_cast<unsigned char>(line[2]))) continue;
    std::ranges::replace(line, '|', ' ');
    std::istringstream cells(line);
    rows.emplace_back();
    for (double cell = 0; cells >> cell;) rows.back().push_back(cell);
  }
  return rows;
}

TEST(WorkedExample, HasTheUtilitiesOfTheDocument) {
  const auto rows = tableOfDocument();
  ASSERT_EQ(rows.size(), 8U);
  const auto jobs = jobsOfExample();
  for (std::int32_t units = 1; units <= 8; ++units) {
    const auto& row = rows[static_cast<std::size_t>(units) - 1];
    ASSERT_EQ(row.size(), 4U);
    EXPECT_EQ(row[0], units);
    for (std::size_t job = 0; job < jobs.size(); ++job) {
      const Utility utility(jobs[job], lookAheadUtility(kEpochOfExample, {}));
      EXPECT_NEAR(row[job + 1], 1000 * utility.at(units), 0.006)
          << "job " << job << ", " << units << " workers";
    }
  }
}

TEST(WorkedExample, EndsWithTheDivisionOfTheDocument) {
  const auto jobs = jobsOfExample();
  const AllocationProblem problem{.demands = jobs, .budget = Cores(8000), .epoch = kEpochOfExample};
  const Division division = LookAhead().divide(problem);
  EXPECT_EQ(division.allocation, (Allocation{3, 4, 1}));
  EXPECT_NEAR(*division.price, 0.00162, 0.00001);
}

}  // namespace
}  // namespace slaq::scheduler
