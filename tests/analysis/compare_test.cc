// SPDX-License-Identifier: LGPL-2.1-only
// Comparing a run with another: each ratio belongs to two records with equal parameters, records that only one run has
// are left out, and runs that cannot be compared are refused.
#include "analysis/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "analysis/derive.h"
#include "analysis/figures.h"
#include "analysis/markdown.h"
#include "base/error.h"
#include "tests/analysis/small_study.h"

namespace strata::analysis {
namespace {

using ::testing::HasSubstr;

// The small study on another machine, on which each point takes k(point) times as long.
template <class Factor>
Results base_run(Factor k) {
  Results r = small_results();
  r.folder = "base";
  r.manifest.machine = "other";
  r.manifest.machine_hash = "ff";
  for (Record& record : r.records) record.value *= k(record.point);
  return r;
}

// A study of one algorithm: the first half of the records (linear) or the second half (binomial).
Results only(const std::string& algorithm) {
  Results r = base_run([](int) { return 2; });
  r.folder = algorithm;
  r.manifest.study.sweep[0].values = {algorithm};
  std::erase_if(r.records, [&](const Record& record) { return record.parameters.at("algorithm") != algorithm; });
  return r;
}

std::string error(const Results& ours, const std::vector<Results>& bases) {
  try {
    compare(ours, bases);
    return "";
  } catch (const InputError& e) {
    return e.what();
  }
}

TEST(Compare, RatiosAreThoseOfRecordsWithEqualParameters) {
  const Results ours = small_results();
  const Results base = base_run([](int point) { return 1.5 + point; });
  const Results both = compare(ours, {base});
  const std::vector<Table> tables = quantities(both);
  const Table ratio = quantity_named(tables, kBaseOverThis, "here", "test");
  const Table enhancement = quantity_named(tables, "enhancement", "here", "test");
  EXPECT_EQ(ratio.cells.size(), 8u);
  EXPECT_EQ(ratio.missing(), 0u);
  // Slow and obvious: every pair of records.
  int pairs = 0;
  for (const Record& a : ours.records) {
    for (const Record& b : base.records) {
      if (a.parameters != b.parameters) continue;
      ++pairs;
      ASSERT_TRUE(ratio.at(a.parameters));
      EXPECT_DOUBLE_EQ(*ratio.at(a.parameters), b.value / a.value);
    }
  }
  EXPECT_EQ(pairs, 8);
  EXPECT_DOUBLE_EQ(*enhancement.at({{"algorithm", "linear"}, {"elements", 1}, {kSideAxis, kThisSide}}), 10);
  EXPECT_DOUBLE_EQ(*enhancement.at({{"algorithm", "linear"}, {"elements", 1}, {kSideAxis, kBaseSide}}), 10 * 1.5 / 2.5);
}

TEST(Compare, SaysWhatIsHeldAgainstWhat) {
  const Results both = compare(small_results(), {base_run([](int) { return 1; })});
  EXPECT_EQ(both.manifest.study.title, "Broadcast a|b on toy_4x8, against small");
  EXPECT_EQ(both.manifest.study.scenario,
            "small; base: small on other with 32 ranks (strata run small --set 'elements=[1, 1000]')");
  EXPECT_EQ(both.manifest.machine, "toy_4x8; base: other");
  EXPECT_EQ(both.manifest.machine_hash, "00112233445566778899aabbccddeeff, ff");
  EXPECT_TRUE(both.manifest.study.claims.empty());
  EXPECT_TRUE(both.manifest.study.models.empty());
  const std::vector<Table> tables = quantities(both);
  const Figures charts = figures(both, tables, {});
  ASSERT_EQ(charts.charts.size(), 2u);
  EXPECT_EQ(charts.charts[0].name, "against");
  EXPECT_EQ(charts.charts[0].series.size(), 4u) << "algorithm, variant: as our plot of the time";
  EXPECT_EQ(charts.charts[1].name, "enhancement");
  EXPECT_EQ(charts.charts[1].series.size(), 4u) << "algorithm, side";
  const std::string page = report_markdown(both, tables, charts, {}, {});
  EXPECT_THAT(page, HasSubstr("| elements | base | this | base / this |"));
  EXPECT_EQ(page, report_markdown(both, tables, charts, {}, {}));
}

TEST(Compare, SeveralBasesAreOneAndValuesOfOneSideAreLeftOut) {
  const Results ours = small_results();
  for (const auto& bases :
       {std::vector<Results>{only("linear"), only("binomial")}, {only("binomial"), only("linear")}}) {
    const Results both = compare(ours, bases);
    EXPECT_EQ(both.records.size(), 16u);
    const Table ratio = quantity_named(quantities(both), kBaseOverThis, "here", "test");
    for (const std::optional<double>& cell : ratio.cells) EXPECT_DOUBLE_EQ(cell.value(), 2);
  }
  const Results linear = compare(ours, {only("linear")});
  EXPECT_EQ(linear.records.size(), 8u);
  EXPECT_EQ(linear.manifest.study.sweep[0].values, std::vector<Json>{"linear"});
  // Additional records of the base change nothing.
  EXPECT_EQ(compare(only("linear"), {base_run([](int) { return 2; })}).records.size(), 8u);
}

TEST(Compare, AStudyOfOnePointHasNoPlot) {
  Results one = small_results();
  one.manifest.study.sweep.clear();
  one.manifest.study.derived.clear();
  one.manifest.study.plots.clear();
  one.records.resize(1);
  one.records[0].parameters = Json::object();
  const Results both = compare(one, {one});
  EXPECT_TRUE(both.manifest.study.plots.empty());
  EXPECT_DOUBLE_EQ(quantity_named(quantities(both), kBaseOverThis, "here", "test").at(Json::object()).value(), 1);
}

TEST(Compare, RefusesWhatCannotBeCompared) {
  const Results ours = small_results();
  Results base = only("linear");
  base.manifest.study.unit = "ms";
  for (Record& r : base.records) r.unit = "ms";
  EXPECT_EQ(error(ours, {base}),
            "linear: measures time in ms, but small measures time in s; compare runs of one metric");
  base = only("linear");
  base.manifest.study.sweep.push_back({"root", {0}});
  for (Record& r : base.records) r.parameters["root"] = 0;
  EXPECT_EQ(
      error(ours, {base}),
      "linear: has the parameters algorithm, elements, variant, root, but small has algorithm, elements, variant; "
      "compare runs with the same parameters");
  EXPECT_EQ(error(only("linear"), {only("binomial")}),
            "binomial: has no point in common with linear; compare runs with the same values of their parameters");
  EXPECT_EQ(
      error(ours, {only("linear"), base_run([](int) { return 3; })}),
      "base: has the point (algorithm = linear, elements = 1, variant = native) that linear has too, with another "
      "value; give only one of the two");
  EXPECT_EQ(error(ours, {only("linear"), base_run([](int) { return 2; })}), "") << "equal values are no contradiction";
}

}  // namespace
}  // namespace strata::analysis
