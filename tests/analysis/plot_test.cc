// SPDX-License-Identifier: LGPL-2.1-only
// From a study to SVG: ticks, the lines and markers of a chart, texts that gnuplot must not interpret, identical bytes
// in repeated runs, and one clear error if gnuplot fails.
#include "analysis/plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <utility>

#include "analysis/axis_ticks.h"
#include "analysis/derive.h"
#include "analysis/figures.h"
#include "analysis/gnuplot.h"
#include "base/error.h"
#include "base/output_error.h"
#include "tests/analysis/small_study.h"

namespace strata::analysis {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> majors(const AxisTicks& axis) {
  std::vector<std::string> labels;
  for (const Tick& t : axis.ticks) {
    if (t.major) labels.push_back(t.label);
  }
  return labels;
}

TEST(Ticks, NamePowersOfTenWithTheirUnits) {
  EXPECT_THAT(majors(ticks_for(8e-6, 2e-2, true, "s")), ElementsAre("10 us", "100 us", "1 ms", "10 ms"));
  EXPECT_THAT(majors(ticks_for(1, 1e6, true, "")), ElementsAre("1", "10", "100", "1k", "10k", "100k", "1M"));
}

TEST(Ticks, NameOneTwoFiveOnFewDecades) {
  EXPECT_THAT(majors(ticks_for(1, 33, true, "")), ElementsAre("1", "2", "5", "10", "20"));
}

TEST(Ticks, TakeRoundStepsWhereALogAxisIsShort) {
  const AxisTicks axis = ticks_for(3.1e-3, 4.9e-3, true, "s");
  EXPECT_TRUE(axis.log);
  EXPECT_THAT(majors(axis), ElementsAre("3.5 ms", "4 ms", "4.5 ms"));
}

TEST(Ticks, ALinearAxisMayLeaveOutZero) {
  EXPECT_EQ(ticks_for(32, 64, false, "").from, 0);
  EXPECT_THAT(majors(ticks_for(32, 64, false, "", false)), ElementsAre("40", "50", "60"));
}

TEST(Ticks, AnAxisWithZeroIsLinear) {
  const AxisTicks axis = ticks_for(0, 10, true, "");
  EXPECT_FALSE(axis.log);
  EXPECT_THAT(majors(axis), ElementsAre("0", "2", "4", "6", "8", "10"));
}

TEST(Ticks, HoldAllValuesAndNeverAreMany) {
  for (const double low : {1e-9, 3e-4, 0.7, 1.0, 250.0}) {
    for (const double ratio : {1.0, 1.01, 1.7, 4.0, 90.0, 1e3, 1e7, 1e14}) {
      for (const bool log : {false, true}) {
        const AxisTicks axis = ticks_for(low, low * ratio, log, "s");
        EXPECT_LE(axis.from, low);
        EXPECT_GE(axis.to, low * ratio);
        EXPECT_THAT(majors(axis).size(), AllOf(::testing::Ge(2u), ::testing::Le(12u)))
            << low << " " << ratio << " " << log;
      }
    }
  }
}

TEST(Figures, DrawWhatTheStudyAsksForAndOneAModel) {
  const Results r = small_results();
  const Figures f = figures(r, quantities(r), small_checks());
  ASSERT_EQ(f.charts.size(), 3u);
  EXPECT_EQ(f.charts[0].name, "time");
  EXPECT_EQ(f.charts[0].x.label, "elements") << "of a program that is not the catalog's";
  ASSERT_EQ(f.charts[0].series.size(), 4u);
  EXPECT_EQ(f.charts[0].series[1].label, "linear, hierarchical");
  EXPECT_EQ(f.charts[0].series[1].colour, 0);  // as for linear
  EXPECT_EQ(f.charts[0].series[1].shape, 1);   // as for hierarchical
  EXPECT_EQ(f.charts[0].series[2].colour, 1);
  EXPECT_DOUBLE_EQ(f.charts[0].series[1].points[1].x, 1000);
  EXPECT_DOUBLE_EQ(*f.charts[0].series[1].points[1].y, 20e-6);
  EXPECT_FALSE(f.charts[0].reference);
  EXPECT_EQ(f.charts[1].name, "enhancement");
  EXPECT_EQ(f.charts[1].reference, 1);
  EXPECT_DOUBLE_EQ(*f.charts[1].series[0].points[1].y, 15);
  EXPECT_EQ(f.charts[2].name, "model-hockney");
}

TEST(Figures, SayHowLongAnElementIsWhereItIsKnown) {
  for (const auto& [program, label] : {std::pair{"collective", "elements (4 bytes each)"},
                                       {"reorder_allgather", "elements (4 bytes each)"},
                                       {"./collective", "elements"},
                                       {"stencil", "elements"}}) {
    Results r = small_results();
    r.manifest.study.program = program;
    EXPECT_EQ(figures(r, quantities(r), {}).charts[0].x.label, label) << program;
  }
}

TEST(Figures, APlainNumberHasNoUnit) {
  Results r = small_results();
  r.manifest.study.unit = "1";
  for (Record& record : r.records) record.unit = "1";
  EXPECT_EQ(figures(r, quantities(r), {}).charts[0].y.unit, "");
  EXPECT_EQ(ticks_for(0, 10, false, "1").ticks.back().label, "10");
}

TEST(Figures, AModelsPointsAreFilledHollowOrCrossedByVerdict) {
  const Results r = small_results();
  const Figures f = figures(r, quantities(r), small_checks());
  int filled = 0, hollow = 0, crossed = 0;
  for (const Series& s : f.charts[2].series) {
    if (s.marker == Marker::kFilled) filled += static_cast<int>(s.points.size());
    if (s.marker == Marker::kCross) crossed += static_cast<int>(s.points.size());
    if (s.marker != Marker::kHollow || s.points.empty()) continue;
    hollow += static_cast<int>(s.points.size());
    EXPECT_DOUBLE_EQ(s.points[0].x, 1000);
    EXPECT_DOUBLE_EQ(*s.points[0].y, 300e-6);  // the simulated time
  }
  EXPECT_EQ(filled, 3);
  EXPECT_EQ(hollow, 1);
  EXPECT_EQ(crossed, 1);
  // Predicted for linear, native, 1000 elements: 300 us / 1.25.
  EXPECT_EQ(f.charts[2].series[0].marker, Marker::kNone);
  EXPECT_DOUBLE_EQ(*f.charts[2].series[0].points[1].y, 240e-6);
}

TEST(Figures, NoTwoLinesLookTheSame) {
  Results r = small_results();
  for (int i = 0; i < 8; ++i) r.manifest.study.sweep[0].values.push_back("a" + std::to_string(i));
  std::set<std::pair<int, int>> looks;
  const Chart chart = figures(r, quantities(r), {}).charts[0];
  for (const Series& s : chart.series) looks.insert({s.colour, s.shape});
  EXPECT_EQ(looks.size(), 20u);  // 10 algorithms with 2 variants each
}

TEST(Figures, PredictionsAreMarkedWhereALineWouldNotBeSeen) {
  Results r = small_results();
  r.manifest.study.plots = {{"time", "Time", "algorithm", "time", {"variant"}, true, true, {}}};
  const Figures f = figures(r, quantities(r), small_checks());
  ASSERT_EQ(f.charts.size(), 4u);
  EXPECT_EQ(f.charts[2].name, "model-hockney-elements-1");
  EXPECT_EQ(f.charts[2].series[0].marker, Marker::kPlus);
  EXPECT_FALSE(f.charts[2].series[0].line);
}

TEST(Figures, AParameterThatIsNeitherXNorSeriesMakesAChartEach) {
  Results r = small_results();
  r.manifest.study.plots = {{"t/i me", "Time", "algorithm", "time", {"variant"}, true, true, {}}};
  const Figures f = figures(r, quantities(r), {});
  ASSERT_EQ(f.charts.size(), 2u);
  EXPECT_EQ(f.charts[0].name, "t-i-me-elements-1");
  EXPECT_EQ(f.charts[1].name, "t-i-me-elements-1000");
  EXPECT_EQ(f.charts[1].title, "Time (elements = 1000)");
  EXPECT_THAT(f.charts[1].x.categories, ElementsAre("linear", "binomial"));
  EXPECT_DOUBLE_EQ(*f.charts[1].series[1].points[1].y, 32e-6);
}

// The line belongs to the first algorithm; the band behind it reaches from the smallest to the largest value of both.
// The band's parameter does not make additional charts.
TEST(Figures, ABandGoesFromTheLeastToTheLargest) {
  Results r = small_results();
  Plot plot{"band", "Band", "elements", "time", {"variant"}, true, true, {}};
  plot.band = "algorithm";
  r.manifest.study.plots = {plot};
  const Table time = quantities(r).front();
  const Figures f = figures(r, quantities(r), {});
  ASSERT_EQ(f.charts.size(), 1u);
  ASSERT_EQ(f.charts[0].series.size(), 2u);
  for (size_t s = 0; s < 2; ++s) {
    const Series& line = f.charts[0].series[s];
    ASSERT_EQ(line.points.size(), 2u);
    ASSERT_EQ(line.band.size(), 2u);
    for (size_t i = 0; i < 2; ++i) {
      const auto at = [&](const char* algorithm) {
        return *time.at({{"algorithm", algorithm},
                         {"variant", s == 0 ? "native" : "hierarchical"},
                         {"elements", i == 0 ? 1 : 1000}});
      };
      EXPECT_EQ(line.points[i].y, at("linear"));
      EXPECT_EQ(line.band[i].x, line.points[i].x);
      EXPECT_EQ(line.band[i].low, std::min(at("linear"), at("binomial")));
      EXPECT_EQ(line.band[i].high, std::max(at("linear"), at("binomial")));
    }
  }
}

// A cell for each pair of values of the two parameters, in their order; a chart for each value of the others.
TEST(Figures, APlotWithRowsIsAHeatMap) {
  Results r = small_results();
  Plot plot{"map", "Map", "elements", "time", {}, true, true, {}};
  plot.rows = "algorithm";
  r.manifest.study.plots = {plot};
  const Figures f = figures(r, quantities(r), {});
  ASSERT_EQ(f.charts.size(), 2u);
  const Chart& chart = f.charts[0];
  EXPECT_EQ(chart.name, "map-variant-native");
  EXPECT_THAT(chart.x.categories, ElementsAre("1", "1000"));
  EXPECT_THAT(chart.y.categories, ElementsAre("linear", "binomial"));
  EXPECT_TRUE(chart.series.empty());
  ASSERT_EQ(chart.cells.size(), 4u);
  EXPECT_EQ(chart.cells[1].column, 0);
  EXPECT_EQ(chart.cells[1].row, 1);
  const Table time = quantities(r).front();
  const Json parameters = {{"algorithm", "binomial"}, {"variant", "native"}, {"elements", 1}};
  EXPECT_EQ(chart.cells[1].value, time.at(parameters));
}

// A gain of 50 is full green. A loss of 50 or more is full red, and a loss of 25 is halfway to white.
TEST(Figures, LossesHaveTheScaleOfGains) {
  Chart chart;
  chart.x.categories = {"a", "b", "c", "d"};
  chart.y.categories = {"1"};
  chart.cells = {{0, 0, 50}, {1, 0, -50}, {2, 0, -25}, {3, 0, -10'000}};
  const std::string script = gnuplot_script(chart);
  const auto colour = [&](int cell) {
    const size_t at = script.find(" fillcolor rgb '", script.find("set object " + std::to_string(cell + 1) + " "));
    return script.substr(at + 16, 7);
  };
  EXPECT_EQ(colour(0), "#4daf4a");
  EXPECT_EQ(colour(1), "#e45a4c");
  EXPECT_EQ(colour(2), "#f2ada6");
  EXPECT_EQ(colour(3), "#e45a4c");
}

TEST(Figures, APlotWithAStackIsBarsOfItsParts) {
  const Results r = parts_results();
  const Figures f = figures(r, quantities(r), {});
  ASSERT_EQ(f.charts.size(), 2u);
  const Chart& chart = f.charts[0];
  EXPECT_EQ(chart.name, "parts-block-8");
  EXPECT_TRUE(chart.stacked);
  EXPECT_FALSE(chart.y.log);
  EXPECT_EQ(chart.y.label, "time");
  EXPECT_THAT(chart.x.categories, ElementsAre("simple", "2-groups", "topological"));
  ASSERT_EQ(chart.series.size(), 2u);
  EXPECT_EQ(chart.series[0].label, "computing");
  EXPECT_DOUBLE_EQ(*chart.series[0].points[1].y, 10e-6);
  EXPECT_EQ(chart.series[1].label, "communicating");
  EXPECT_DOUBLE_EQ(*chart.series[1].points[1].y, 50e-6);
}

TEST(Figures, BarsOverNumbersAreCategoriesToo) {
  Results r = parts_results();
  r.manifest.study.plots[0].x = "block";
  const Figures f = figures(r, quantities(r), {});
  ASSERT_EQ(f.charts.size(), 3u);
  EXPECT_THAT(f.charts[1].x.categories, ElementsAre("8", "16"));
  EXPECT_DOUBLE_EQ(f.charts[1].series[1].points[1].x, 1);
  EXPECT_DOUBLE_EQ(*f.charts[1].series[1].points[1].y, 5e-6);
}

TEST(Figures, MissingPointsAreGapsAndEmptyPlotsAreSaid) {
  Results r = small_results();
  std::erase_if(r.records, [](const Record& x) { return x.parameters.at("variant") != "native" || x.point == 0; });
  const Figures f = figures(r, quantities(r), {});
  ASSERT_EQ(f.charts.size(), 1u);
  EXPECT_FALSE(f.charts[0].series[0].points[0].y);
  EXPECT_DOUBLE_EQ(*f.charts[0].series[0].points[1].y, 300e-6);
  EXPECT_THAT(f.skipped, ElementsAre("plot 'enhancement': none of its points has been simulated"));
}

TEST(Figures, NamesAreUnique) {
  Results r = small_results();
  r.manifest.study.plots[1].name = "time";
  const Figures f = figures(r, quantities(r), {});
  EXPECT_EQ(f.charts[0].name, "time");
  EXPECT_EQ(f.charts[1].name, "time-2");
}

TEST(Figures, APlotOfWhatIsNotThereIsBadInput) {
  Results r = small_results();
  r.manifest.study.plots[1].x = "variant";  // the enhancement does not have this parameter
  try {
    figures(r, quantities(r), {});
    FAIL();
  } catch (const InputError& e) {
    EXPECT_STREQ(
        e.what(),
        "small/manifest.json: plot 'enhancement' asks for parameter 'variant', which enhancement does not have");
  }
}

class PlotFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "strata-plot-test-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  static std::string slurp(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  }
  // Used instead of HasSubstr, which would print the whole picture.
  static bool holds(const std::string& svg, const std::string& part) { return svg.find(part) != std::string::npos; }
  // A script that replaces gnuplot.
  std::string program(const std::string& body) {
    const std::filesystem::path file = folder_ / "fake-gnuplot";
    std::ofstream(file) << "#!/bin/sh\n" << body << "\n";
    ::chmod(file.c_str(), 0700);
    return file.string();
  }
  static Chart chart() {
    Chart c;
    c.name = "c";
    c.title = "title";
    c.x.label = "x";
    c.y.label = "y";
    c.y.unit = "s";
    c.series.push_back({"line", 0, 0, true, Marker::kFilled, {{1, 1e-6}, {10, 2e-5}, {100, 3e-3}}});
    return c;
  }
  std::string failure(const Chart& c, const std::string& program) {
    try {
      draw(c, folder_, program);
    } catch (const OutputError& e) {
      return e.what();
    }
    return "no OutputError";
  }

  std::filesystem::path folder_;
};

TEST_F(PlotFiles, TheSameChartGivesTheSameBytesInAnyLocaleAndFolder) {
  const Results r = small_results();
  const Figures f = figures(r, quantities(r), small_checks());
  std::filesystem::create_directory(folder_ / "again");
  for (const Chart& c : f.charts) {
    const std::string first = slurp(draw(c, folder_));
    ::setenv("LC_ALL", "de_DE.UTF-8", 1);
    ::setenv("TZ", "Asia/Tokyo", 1);
    const std::string second = slurp(draw(c, folder_ / "again"));
    ::unsetenv("LC_ALL");
    ::unsetenv("TZ");
    EXPECT_GT(first.size(), 2000u);
    EXPECT_TRUE(first == second) << c.name;
    EXPECT_TRUE(holds(first, "<text>" + c.title + "</text>"));
    EXPECT_EQ(holds(first, "<text>10 us</text>"), c.y.unit == "s") << c.name;
  }
}

TEST_F(PlotFiles, TextsAreShownAsTheyAre) {
  Chart c = chart();
  c.title = "a_b|c {x}^2 'q' 50% `id` $HOME @m <T>&";
  c.series[0].label = "l_1|{/Symbol a} 'k'";
  c.x.categories = {"p_1", "50%d", "it's"};
  c.series[0].points = {{0, 1.0}, {1, 2.0}, {2, 3.0}};
  const std::string svg = slurp(draw(c, folder_));
  EXPECT_TRUE(holds(svg, "<text>a_b|c {x}^2 'q' 50% `id` $HOME @m &lt;T>&amp;</text>"));
  EXPECT_TRUE(holds(svg, "<text>l_1|{/Symbol a} 'k'</text>"));
  for (const std::string& category : c.x.categories)
    EXPECT_TRUE(holds(svg, "<text>" + category + "</text>")) << category;
}

TEST(GnuplotText, QuotesAndKeepsToOneLine) { EXPECT_EQ(gnuplot_text("it's a\nb_c"), "'it''s a b_c'"); }

TEST_F(PlotFiles, GapsBreakLines) {
  Chart c = chart();
  c.series[0].points[1].y.reset();
  EXPECT_THAT(gnuplot_script(c), HasSubstr("END\n1 9.9999999999999995e-07\n\n100 0.0030000000000000001\nEND\n"));
}

// Bands are behind all lines, and the axis has room for them.
TEST_F(PlotFiles, BandsAreShadedBehindTheLines) {
  Chart c = chart();
  EXPECT_EQ(gnuplot_script(c).find("filledcurves"), std::string::npos);
  c.series[0].band = {{1, 1e-9, 1}, {100, 1e-9, 2}};
  const std::string script = gnuplot_script(c);
  EXPECT_THAT(script, HasSubstr("$band0 << END\n1 1.0000000000000001e-09 1\n100 1.0000000000000001e-09 2\nEND\n"));
  EXPECT_THAT(script, HasSubstr("$band0 with filledcurves fc rgb '#0072B2' fs transparent solid 0.18 noborder, \\\n"));
  EXPECT_LT(script.find("$band0 with"), script.find("$data0 with"));
  EXPECT_TRUE(std::filesystem::exists(draw(c, folder_)));
  c.series[0].line = false;
  EXPECT_THAT(gnuplot_script(c), HasSubstr("$band0 using 1:2:2:3 with yerrorbars lc rgb '#0072B2' lw 1.5 pt 0"));
  EXPECT_TRUE(std::filesystem::exists(draw(c, folder_)));
}

// Green above 0 and red below, each scaled by its own largest value. Missing values have no cell.
TEST_F(PlotFiles, CellsOfAHeatMapHaveColoursAndFigures) {
  Chart c = chart();
  c.series.clear();
  c.x.categories = {"1", "10"};
  c.y.categories = {"few", "many"};
  c.cells = {{0, 0, -400.0}, {0, 1, 0.0}, {1, 0, 25.0}, {1, 1, std::nullopt}};
  std::string script = gnuplot_script(c);
  EXPECT_THAT(script, HasSubstr("rectangle center 0,0 size 0.96,0.92 fillcolor rgb '#e45a4c'"));
  EXPECT_THAT(script, HasSubstr("rectangle center 0,1 size 0.96,0.92 fillcolor rgb '#ffffff'"));
  EXPECT_THAT(script, HasSubstr("rectangle center 1,0 size 0.96,0.92 fillcolor rgb '#4daf4a'"));
  EXPECT_EQ(script.find("center 1,1"), std::string::npos);
  EXPECT_THAT(script, HasSubstr("'-400' at 0,0"));
  c.cells[1].value = 12.5;
  script = gnuplot_script(c);
  EXPECT_THAT(script, HasSubstr("rectangle center 0,1 size 0.96,0.92 fillcolor rgb '#a6d7a5'"));
  const std::string svg = slurp(draw(c, folder_));
  EXPECT_TRUE(holds(svg, "12.5</text>"));
  EXPECT_TRUE(holds(svg, "many</text>"));
}

// Columns: middle, left, right, bottom and top of each bar. The second series begins where the first ends, and a
// missing value has no bar.
TEST_F(PlotFiles, BarsStandUponEachOther) {
  Chart c = chart();
  c.stacked = true;
  c.y.log = false;
  c.x.categories = {"a", "b"};
  c.series = {{"low", 0, 0, true, Marker::kFilled, {{0, 2.0}, {1, 4.0}}},
              {"high", 1, 1, true, Marker::kFilled, {{0, 6.0}, {1, std::nullopt}}}};
  const std::string script = gnuplot_script(c);
  EXPECT_THAT(script, HasSubstr("$data0 << END\n"
                                "0 1 -0.29999999999999999 0.29999999999999999 0 2\n"
                                "1 2 0.69999999999999996 1.3 0 4\nEND\n"));
  EXPECT_THAT(script, HasSubstr("$data1 << END\n0 5 -0.29999999999999999 0.29999999999999999 2 8\nEND\n"));
  EXPECT_THAT(script, HasSubstr("set yrange [0:8.4"));
  const std::string svg = slurp(draw(c, folder_));
  EXPECT_TRUE(holds(svg, "<text>high</text>"));
  EXPECT_TRUE(holds(svg, "<polygon fill = 'rgb(  0, 114, 178)' points"));
  EXPECT_TRUE(holds(svg, "<polygon fill = 'rgb(213,  94,   0)' fill-opacity = '0.5"));
}

TEST_F(PlotFiles, AFaultyScriptIsOneLineWithWhatGnuplotSaid) {
  try {
    run_gnuplot("broken", "set terminal svg\nplot undefined_name\n");
    FAIL();
  } catch (const OutputError& e) {
    EXPECT_STREQ(
        e.what(),
        "plot 'broken' (gnuplot -d plot.gp): exit code 1: line 2: undefined variable: undefined_name; the records "
        "are not touched");
  }
}

TEST_F(PlotFiles, AMissingGnuplotSaysWhatToInstall) {
  EXPECT_EQ(failure(chart(), "/nowhere/gnuplot"),
            "plot 'c' (/nowhere/gnuplot -d plot.gp): cannot be started: No such file or directory; install Debian's "
            "gnuplot-nox");
}

TEST_F(PlotFiles, AKilledOrSilentOrHalfDoneGnuplotIsAnErrorAndLeavesNoFile) {
  EXPECT_THAT(failure(chart(), program("kill -9 $$")), HasSubstr("killed by signal 9"));
  EXPECT_THAT(failure(chart(), program("exit 3")), HasSubstr("exit code 3: it said nothing"));
  EXPECT_THAT(failure(chart(), program("echo; echo '  no space left' >&2; exit 1")),
              HasSubstr("exit code 1: no space left"));
  EXPECT_THAT(failure(chart(), program("echo '<svg>'")), HasSubstr("wrote no whole SVG"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "c.svg"));
}

TEST_F(PlotFiles, TheTemporaryFolderGoes) {
  ::setenv("TMPDIR", folder_.c_str(), 1);
  draw(chart(), folder_);
  failure(chart(), program("exit 3"));
  ::unsetenv("TMPDIR");
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    EXPECT_THAT(entry.path().filename().string(), Not(HasSubstr("strata-plot-")));
  }
}

}  // namespace
}  // namespace strata::analysis
