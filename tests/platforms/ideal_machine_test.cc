// SPDX-License-Identifier: LGPL-2.1-only
// The idealised machine: only copies take time.
#include "platforms/ideal_machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/error.h"
#include "platforms/machine.h"

namespace strata {
namespace {

// The unit of time is a copy of the buffer; compared with it, all other times are negligible.
TEST(IdealMachine, OnlyCopyingTakesTime) {
  const double bytes = 2e6;
  const Machine m = ideal_machine(64, Bytes(bytes));
  const Topology& t = *m.topology;
  EXPECT_EQ(t.cores().size(), 64u);
  EXPECT_EQ(t.num_nodes(), 1);
  ASSERT_EQ(m.levels.size(), 1u);
  EXPECT_EQ(m.levels[0].level, "NUMANode");
  EXPECT_EQ(bytes / m.copy_bandwidth.si, 1);
  EXPECT_EQ(m.copies().si, 1);
  EXPECT_EQ(m.loopback_latency(t.cores()[0]).value, 0);
  EXPECT_EQ(m.loopback_bandwidth(t.cores()[0]).value, m.levels[0].bandwidth.si);
  EXPECT_EQ(m.levels[0].latency.si, 0);
  EXPECT_EQ(m.levels[0].overhead.si, 0);
  for (const Figure& f : {m.combine_bandwidth(), m.levels[0].bandwidth, m.levels[0].link_bandwidth}) {
    EXPECT_LT(64 * bytes / f.si, 1e-12);
  }
  for (const Figure& f : {m.core_speed, m.copy_bandwidth, m.combine_bandwidth(), m.eager_limit, m.copies(),
                          m.levels[0].latency, m.levels[0].overhead, m.levels[0].bandwidth}) {
    EXPECT_EQ(f.source.rfind("assumed: the idealised machine of IJHPCA'19, Section 6.2: ", 0), 0u) << f.source;
  }
  EXPECT_TRUE(ideal_machine(1, Bytes(1)).levels.empty());
}

TEST(IdealMachine, Refusals) {
  const auto message = [](int cores, double bytes) {
    try {
      ideal_machine(cores, Bytes(bytes));
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(message(0, 1), "--cores: 0 cores; give 1 to 65536");
  EXPECT_EQ(message(65'537, 1), "--cores: 65537 cores; give 1 to 65536");
  EXPECT_EQ(message(64, 0), "--bytes: a buffer of nothing; give at least 1 B");
}

}  // namespace
}  // namespace strata
