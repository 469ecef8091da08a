// SPDX-License-Identifier: LGPL-2.1-only
// The errors that are printed beside error bars are those of the table of docs/validation.md.
#include "analysis/blind_errors.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/own_file.h"

namespace strata::analysis {
namespace {

std::string row_of(const BlindErrors& e) {
  const std::string algorithm = e.algorithm == Algorithm::kNone ? "-" : word_of(kAlgorithmWords, e.algorithm);
  return fmt::format("| {} | {} | {} | {:.2f} | {:.2f} |\n", e.operation, algorithm, e.points, e.median, e.p95);
}

TEST(BlindErrors, AreThoseOfThePage) {
  const std::string page = read_whole("docs/validation.md");
  std::string rows;
  for (const BlindErrors& e : blind_errors()) rows += row_of(e);
  EXPECT_THAT(page, ::testing::HasSubstr("| operation | algorithm | points | median error | P95 |\n"
                                         "| --- | --- | ---: | ---: | ---: |\n" +
                                         rows + "\n"));
}

TEST(BlindErrors, ClassesAddUp) {
  std::size_t known = 0, native = 0;
  for (const BlindErrors& e : blind_errors().subspan(3)) {
    EXPECT_LE(1, e.median);
    EXPECT_LE(e.median, e.p95);
    (e.algorithm == Algorithm::kKnown ? known : native) += e.points;
  }
  EXPECT_EQ(blind_errors()[0].operation, std::string("messages"));
  EXPECT_EQ(blind_errors()[1].points, known);
  EXPECT_EQ(blind_errors()[2].points, native);
}

TEST(BlindErrors, AreOneLineAndADocument) {
  const BlindErrors &messages = blind_errors()[0], &known = blind_errors()[1], &native = blind_errors()[2];
  EXPECT_EQ(blind_errors_text(),
            fmt::format("on measured clusters, simulated times were off by a factor of {:.2f} (median) and up to "
                        "{:.2f} (95 % of cases) for messages, {:.2f} and up to {:.2f} for collectives with a known "
                        "algorithm, {:.2f} and up to {:.2f} for collectives with the MPI's choice "
                        "(docs/validation.md); the 95 % do not cover this\n",
                        messages.median, messages.p95, known.median, known.p95, native.median, native.p95));
  const Json json = blind_errors_json();
  ASSERT_EQ(json.size(), blind_errors().size());
  EXPECT_EQ(json[1]["algorithm"], "known");
  EXPECT_EQ(json[1]["p95_error"], known.p95);
  EXPECT_EQ(json[0]["points"], messages.points);
}

}  // namespace
}  // namespace strata::analysis
