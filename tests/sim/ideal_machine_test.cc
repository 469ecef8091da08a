// SPDX-License-Identifier: LGPL-2.1-only
// The idealised machine, loaded by the plugin from its file: messages take no time, and the simulation can cope with
// such large figures.
#include "platforms/ideal_machine.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/sim/unit_machine.h"

namespace strata {
namespace {

class OnTheIdealMachine : public UnitMachine {
 protected:
  OnTheIdealMachine() { save_machine(ideal_machine(2, Bytes(2e6)), folder_.path()); }
};

// The bandwidth is 1e15 times that of copies: 1 GB takes 5e-13 s, and the buffer of 2 MB 1e-15 s.
TEST_F(OnTheIdealMachine, MessagesTakeNoTime) {
  auto values = run("pingpong", 2, "bytes: [0, 1, 1024, 2000000, 1000000000]");
  ASSERT_EQ(ran_.code, 0) << ran_.err;
  ASSERT_EQ(values["time"].size(), 5u);
  for (const auto& [bytes, time_s] : values["time"]) {
    EXPECT_GE(time_s, 0) << bytes;
    EXPECT_LE(time_s, 1e-12) << bytes;
  }
}

// Messages of a core to itself take no time either, although they use its loopback: progress threads share cores.
TEST_F(OnTheIdealMachine, MessagesToOneselfTakeNoTime) {
  folder_.write("bindings", "0 0 0\n1 0 0\n");
  auto values = run("pingpong", 2, "bytes: [0, 1, 2000000]", "mapping: {bindings: bindings}\n");
  ASSERT_EQ(ran_.code, 0) << ran_.err;
  ASSERT_EQ(values["time"].size(), 3u);
  for (const auto& [bytes, time_s] : values["time"]) EXPECT_LE(time_s, 1e-12) << bytes;
}

}  // namespace
}  // namespace strata
