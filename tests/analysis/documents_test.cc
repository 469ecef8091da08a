// SPDX-License-Identifier: LGPL-2.1-only
// Compares the documents with goldens: console.txt, report.md and reproduction.md of the small study, whose numbers are
// in small_study.h, and parts.txt and parts.md of the second study. After an intended change, write them again and read
// the difference:
//
//   bazel build //tests/analysis:documents_test
//   STRATA_GOLDENS_TO=tests/analysis/golden bazel-bin/tests/analysis/documents_test
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "analysis/console.h"
#include "analysis/derive.h"
#include "analysis/layout.h"
#include "analysis/markdown_text.h"
#include "analysis/reproduction.h"
#include "analysis/write_report.h"
#include "base/error.h"
#include "base/output_error.h"
#include "tests/analysis/small_study.h"

namespace strata::analysis {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::string slurp(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

void expect_golden(const std::string& name, const std::string& text) {
  if (const char* folder = ::getenv("STRATA_GOLDENS_TO")) {
    std::ofstream(std::filesystem::path(folder) / name, std::ios::binary) << text;
    return;
  }
  EXPECT_EQ(text, slurp(std::filesystem::path("tests/analysis/golden") / name));
}

class Folder : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "strata-report-test-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_;
};

TEST(MarkdownText, NothingIsMarkup) {
  EXPECT_EQ(markdown_text("a|b_c*d`e<f>[g]\\h\ni"), "a\\|b\\_c\\*d\\`e\\<f\\>\\[g\\]\\\\h i");
  EXPECT_EQ(markdown_text("10^6, 2 % - 3.5 us"), "10^6, 2 % - 3.5 us");
  EXPECT_EQ(markdown_code("a ``` b"), "````\na ``` b\n````\n");
}

TEST(Layout, FollowsFromTheAxes) {
  const Results r = small_results();
  const std::vector<Layout> all = layouts(r.manifest.study, quantities(r));
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].row_heading, "elements");
  EXPECT_THAT(all[0].rows, ElementsAre("1", "1000"));
  ASSERT_EQ(all[0].blocks.size(), 2u);
  const Block& linear = all[0].blocks[0];
  EXPECT_EQ(linear.heading, "linear");
  ASSERT_EQ(linear.columns.size(), 3u);
  EXPECT_EQ(linear.columns[1].heading, "hierarchical");
  EXPECT_DOUBLE_EQ(*linear.columns[1].values[1], 20e-6);
  EXPECT_EQ(linear.columns[2].heading, "enhancement");
  EXPECT_DOUBLE_EQ(*linear.columns[2].values[1], 15);
}

// A study without a ratio, and with other names and another unit.
Results halo_results() {
  Results r;
  r.folder = "halo";
  Study& s = r.manifest.study;
  s.scenario = s.title = "halo";
  s.metric = "bandwidth";
  s.unit = "B/s";
  s.ranks = 64;
  r.manifest.machine = "torus";
  s.sweep = {{"mapping", {"default", "nodecart"}}, {"n", {128, 256, 512}}};
  double value = 98e6;
  for (const Json& point : s.points()) {
    r.records.push_back({"halo", static_cast<int>(r.records.size()), point, "bandwidth", value, "B/s", 1});
    value *= 1.5;
  }
  return r;
}

TEST(Console, IsNotTiedToABroadcast) {
  EXPECT_EQ(console_table(halo_results(), {}),
            "halo\n"
            "torus, 64 ranks\n"
            "\n"
            "  n     default   nodecart\n"
            "            B/s        B/s\n"
            "128    98000000  330750000\n"
            "256   147000000  496125000\n"
            "512   220500000  744187500\n"
            "\n");
}

TEST(Console, AStudyWithoutASweepIsOneRow) {
  Results r = halo_results();
  r.manifest.study.sweep.clear();
  r.records.resize(1);
  r.records[0].parameters = Json::object();
  EXPECT_THAT(console_table(r, {}), HasSubstr("bandwidth\n         B/s\n    98000000\n"));
}

TEST(Console, Golden) { expect_golden("console.txt", console_table(small_results(), small_checks())); }

TEST(Console, GoldenOfSeveralMetrics) { expect_golden("parts.txt", console_table(parts_results(), {})); }

TEST(Console, SeveralMetricsOfOneColumnStandSideBySide) {
  Results r = parts_results();
  r.manifest.study.sweep[0].values = {8};
  r.records.resize(9);
  const std::string text = console_table(r, {});
  EXPECT_THAT(text, HasSubstr("    variant    time  computing  communicating  speedup\n"
                              "                 us         us             us\n"
                              "     simple   120.0      10.00          110.0     4.00\n"));
  EXPECT_THAT(text, HasSubstr("\ntopological   30.00      10.00          20.00        -\n"));
}

// A program may measure one metric at several sizes, and another metric only once.
TEST(Console, AnotherMetricMayLackAnAxisThatTheProgramVaries) {
  Results r = halo_results();
  r.manifest.study.also = {{"setup", "s"}};
  for (Record& x : r.records) x.parameters["bytes"] = x.point % 2 == 0 ? 8 : 16;
  for (int point : {0, 1, 2, 3, 4, 5}) {
    Record setup = r.records[point];
    setup.metric = "setup";
    setup.unit = "s";
    setup.value = 1e-6 * (point + 1);
    setup.parameters.erase("bytes");
    r.records.push_back(setup);
  }
  EXPECT_THAT(console_table(r, {}), HasSubstr("setup"));
  EXPECT_THAT(console_table(r, {}), HasSubstr("6.000"));
}

TEST(Console, SaysWhatIsMissing) {
  Results r = small_results();
  r.records.erase(r.records.begin());
  const std::string text = console_table(r, {});
  EXPECT_THAT(text, HasSubstr("       1        -         10.00            -"));
  EXPECT_THAT(text, HasSubstr("1 of 8 points are missing: the run is not finished; continue it with --resume\n"));
}

TEST(Console, NoLineIsWiderThanATerminalWithManyBlocks) {
  Results r = small_results();
  Study& s = r.manifest.study;
  for (int i = 0; i < 10; ++i) s.sweep[0].values.push_back("algorithm-" + std::to_string(i));
  std::istringstream lines(console_table(r, {}));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
}

TEST_F(Folder, ReportGolden) {
  const ReportFiles files = write_report(small_results(), small_checks(), folder_ / "new" / "report");
  EXPECT_FALSE(files.all_agree);
  ASSERT_EQ(files.plots.size(), 3u);
  const std::string text = slurp(files.markdown);
  expect_golden("report.md", text);
  EXPECT_THAT(text, Not(HasSubstr("2024-01-01")));
  for (const auto& plot : files.plots) {
    EXPECT_THAT(text, HasSubstr("](" + plot.filename().string() + ")"));
    EXPECT_THAT(slurp(plot), HasSubstr("</svg>"));
  }
}

TEST_F(Folder, ReportGoldenOfSeveralMetrics) {
  const ReportFiles files = write_report(parts_results(), {}, folder_);
  ASSERT_EQ(files.plots.size(), 2u);
  expect_golden("parts.md", slurp(files.markdown));
}

TEST_F(Folder, ReportIsTheSameTwiceAndWheneverTheRunWas) {
  Results r = small_results();
  const std::string first = slurp(write_report(r, small_checks(), folder_ / "a").markdown);
  r.manifest.start = r.manifest.end = "2031-05-05T05:05:05Z";
  EXPECT_EQ(slurp(write_report(r, small_checks(), folder_ / "b").markdown), first);
}

TEST_F(Folder, OutsideTheModelIsNoDisagreement) {
  std::vector<models::CheckRow> checks = small_checks();
  checks.pop_back();
  EXPECT_TRUE(write_report(small_results(), checks, folder_).all_agree);
}

TEST_F(Folder, ReportOfAnUnfinishedRunSaysSo) {
  Results r = small_results();
  r.records.resize(3);
  r.truncated = true;
  const std::string text = slurp(write_report(r, {}, folder_).markdown);
  EXPECT_THAT(text, HasSubstr("**The run is not finished: 5 of 8 points are missing.**"));
  EXPECT_THAT(text, HasSubstr("was cut off by a kill"));
  EXPECT_THAT(text, HasSubstr("| 1000 | 300.0 us | - | - |"));
  EXPECT_THAT(text, HasSubstr("| unknown |  | 3 of 4 points missing;"));
}

TEST_F(Folder, ReportOfNoRecordsIsBadInputAndWritesNothing) {
  Results r = small_results();
  r.records.clear();
  EXPECT_THROW(write_report(r, {}, folder_ / "x"), InputError);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "x"));
}

TEST_F(Folder, WithoutGnuplotThereIsNoReportThatLinksPlots) {
  const std::string path = ::getenv("PATH");
  ::setenv("PATH", "/nowhere", 1);
  std::string error;
  try {
    write_report(small_results(), {}, folder_);
  } catch (const OutputError& e) {
    error = e.what();
  }
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_THAT(error, HasSubstr("plot 'time' (gnuplot -d plot.gp): cannot be started"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "report.md"));
}

TEST_F(Folder, AFolderThatIsAFileIsAnOutputError) {
  std::ofstream(folder_ / "f") << "x";
  EXPECT_THROW(write_report(small_results(), {}, folder_ / "f" / "g"), OutputError);
}

TEST(Reproduction, Golden) {
  Results unfinished = small_results();
  unfinished.manifest.study.scenario = "small_2";
  unfinished.records.resize(3);
  expect_golden("reproduction.md", reproduction_page({small_results(), unfinished}));
}

TEST(Reproduction, NoRunIsBadInput) { EXPECT_THROW(reproduction_page({}), InputError); }

}  // namespace
}  // namespace strata::analysis
