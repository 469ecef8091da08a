// NTW10E5 of the catalog against RR-9077, Table 1.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "platforms/machine.h"

namespace strata {
namespace {

Machine ntw10e5() { return find_machine("ntw10e5", "platforms/data"); }

TEST(Ntw10e5, HasTheObjectsOfTable1) {
  const Machine m = ntw10e5();
  const Topology& t = *m.topology;
  t.check_invariants();
  EXPECT_EQ(t.num_nodes(), 10);
  EXPECT_EQ(t.cores().size(), 240u);
  std::map<std::string, int> count;
  std::map<std::string, std::string> size;
  for (int v = 0; v < t.num_vertices(); ++v) {
    ++count[t.name(v)];
    if (t.object(v) != nullptr) size[t.name(v)] = t.object(v)->note;
  }
  const std::map<std::string, int> expected = {
      {"System - Cluster", 1}, {"Machine", 10}, {"Package", 20}, {"L3", 40},
      {"NUMANode", 40},        {"L2", 240},     {"L1d", 240},    {"Core", 240}};
  EXPECT_EQ(count, expected);
  EXPECT_EQ(size["L3"], "15MB");
  EXPECT_EQ(size["L2"], "256KB");
  EXPECT_EQ(size["L1d"], "32KB");
}

TEST(Ntw10e5, CoresMeetAtFourLevelsWithTheseFigures) {
  const Machine m = ntw10e5();
  const Topology& t = *m.topology;
  const auto costs = [&](int a, int b) { return m.costs_at(t.lowest_common_ancestor(t.cores()[a], t.cores()[b])); };
  EXPECT_EQ(costs(0, 5)->level, "NUMANode");
  EXPECT_EQ(costs(0, 6)->level, "Package");
  EXPECT_EQ(costs(0, 12)->level, "Machine");
  EXPECT_EQ(costs(0, 24)->level, "System - Cluster");
  EXPECT_DOUBLE_EQ(costs(0, 5)->latency.si, 0.52e-6);
  EXPECT_DOUBLE_EQ(costs(0, 6)->latency.si, 0.62e-6);
  EXPECT_DOUBLE_EQ(costs(0, 12)->latency.si, 0.72e-6);
  EXPECT_DOUBLE_EQ(costs(0, 24)->latency.si, 1.62e-6);
  EXPECT_DOUBLE_EQ(costs(0, 24)->bandwidth.si, 3.2918e9);
  EXPECT_DOUBLE_EQ(m.core_speed.si, 40e9);
  EXPECT_DOUBLE_EQ(m.eager_limit.si, 12288);
}

}  // namespace
}  // namespace strata
