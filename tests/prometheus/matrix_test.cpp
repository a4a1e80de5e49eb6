#include "prometheus/matrix.h"

#include <gmock/gmock.h>

#include <cmath>

#include "prometheus/answers.h"

namespace slaq::prom {
namespace {

using test::answerOf;
using ::testing::HasSubstr;

TEST(Matrix, ReadsSeriesLabelsAndPoints) {
  const auto matrix = readMatrix(
      R"({"status":"success","data":{"resultType":"matrix","result":[)"
      R"({"metric":{"__name__":"loss","pod":"p\"\u00e9","namespace":"team-a"},"values":[[1700000000.123,"0.5"],[1700000001,"1e-07"]]},)"
      R"({"metric":{"a":"b"},"values":[]}]},"warnings":["slow"]})");
  ASSERT_TRUE(matrix) << matrix.error().message;
  ASSERT_EQ(matrix->series.size(), 2u);
  const Series& series = matrix->series[0];
  EXPECT_EQ(series.metric, "loss");
  EXPECT_EQ(labelOf(series, "namespace"), "team-a");
  EXPECT_EQ(labelOf(series, "pod"), "p\"\u00e9");
  EXPECT_EQ(labelOf(series, "absent"), "");
  ASSERT_EQ(series.points.size(), 2u);
  EXPECT_EQ(series.points[0], (Point{Time(Seconds(1700000000.123)), 0.5}));
  EXPECT_EQ(series.points[1].value, 1e-07);
  EXPECT_EQ(matrix->series[1].metric, "");
}

TEST(Matrix, PassesOnWhatIsNoNumber) {
  const auto matrix = readMatrix(answerOf({{"loss", {}, {{1, "NaN"}, {2, "+Inf"}, {3, "-Inf"}}}}));
  ASSERT_TRUE(matrix) << matrix.error().message;
  const auto& points = matrix->series[0].points;
  EXPECT_TRUE(std::isnan(points[0].value));
  EXPECT_EQ(points[1].value, INFINITY);
  EXPECT_EQ(points[2].value, -INFINITY);
}

TEST(Matrix, HasTimesThatHaveADate) {
  for (const char* time : {"-1", "-0.001", "253402300800", "1e300", "1e999"}) {
    const auto matrix =
        readMatrix(R"({"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[)" +
                   std::string(time) + R"(,"1"]]}]}})");
    ASSERT_FALSE(matrix) << time;
    EXPECT_EQ(matrix.error().kind, ErrorKind::Malformed);
  }
}

TEST(Matrix, TellsAnErrorInOneLine) {
  const auto matrix =
      readMatrix(R"({"status":"error","errorType":"bad_data","error":"\u001b[31m\nparse error"})");
  ASSERT_FALSE(matrix);
  EXPECT_EQ(matrix.error().message, "Prometheus refuses the query: \\x1b[31m\\x0aparse error");
}

TEST(Matrix, StaysReadableWhenMoved) {
  auto matrix = readMatrix(answerOf({{"loss", {{"pod", "x"}}, {{1, "2"}}}}));
  ASSERT_TRUE(matrix);
  const Matrix moved = std::move(*matrix);
  EXPECT_EQ(labelOf(moved.series[0], "pod"), "x");
}

TEST(Matrix, WhatIsNotAMatrixIsMalformed) {
  const std::string whole = answerOf({{"loss", {{"pod", "x"}}, {{1, "2"}, {2, "3"}}}});
  std::vector<std::string> cases = {
      "",
      "<html>Sign in</html>",
      "null",
      "[]",
      "{}",
      "1",
      R"({"status":"success"})",
      R"({"status":"success","data":{"resultType":"vector","result":[]}})",
      R"({"status":"success","data":{"resultType":"matrix","result":{}}})",
      R"({"status":"success","data":{"resultType":"matrix","result":[1]}})",
      R"({"status":"success","data":{"resultType":"matrix","result":[{"values":[]}]}})",
      R"({"status":"success","data":{"resultType":"matrix","result":[{"metric":{"a":1},"values":[]}]}})",
      R"({"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[1,2]]}]}})",
      R"({"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[1,"x"]]}]}})",
      R"({"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[2,"1"],[1,"1"]]}]}})",
      std::string(100000, '[')};
  for (std::size_t length = 0; length < whole.size(); length += 7) cases.push_back(whole.substr(0, length));
  for (const auto& body : cases) {
    const auto matrix = readMatrix(body);
    ASSERT_FALSE(matrix) << body.substr(0, 200);
    EXPECT_EQ(matrix.error().kind, ErrorKind::Malformed) << body.substr(0, 200);
  }
}

TEST(Answer, TellsErrorsApart) {
  const auto error = [](const std::string& type) {
    return R"({"status":"error","errorType":")" + type + R"(","error":"what went wrong"})";
  };
  struct Case {
    int status;
    std::string body;
    ErrorKind kind;
    std::string says;
  };
  for (const auto& [status, body, kind, says] :
       {Case{400, error("bad_data"), ErrorKind::Invalid, "what went wrong"},
        Case{422, error("execution"), ErrorKind::Invalid, "what went wrong"},
        Case{503, error("timeout"), ErrorKind::Transient, "what went wrong"},
        Case{200, error("timeout"), ErrorKind::Transient, "what went wrong"},
        Case{401, "", ErrorKind::Forbidden, "401"}, Case{403, "<html>", ErrorKind::Forbidden, "403"},
        Case{404, "404 page not found", ErrorKind::NotFound, "path prefix"},
        Case{302, "", ErrorKind::Invalid, "redirect"}, Case{429, "", ErrorKind::Transient, "429"},
        Case{502, "<html>Bad Gateway</html>", ErrorKind::Transient, "502"},
        Case{200, "<html>Sign in</html>", ErrorKind::Malformed, "no whole JSON"}}) {
    const auto matrix = readAnswer({status, body, std::nullopt});
    ASSERT_FALSE(matrix) << status;
    EXPECT_EQ(matrix.error().kind, kind) << status << ": " << matrix.error().message;
    EXPECT_THAT(matrix.error().message, HasSubstr(says));
  }
}

TEST(Answer, AMatrixUnderAnotherStatusIsAnErrorStill) {
  EXPECT_FALSE(readAnswer({500, answerOf({}), std::nullopt}));
  EXPECT_TRUE(readAnswer({200, answerOf({}), std::nullopt}));
}

}  // namespace
}  // namespace slaq::prom
