// SPDX-License-Identifier: LGPL-2.1-only
// MPI code reads the counters of the network cards of simulated nodes, on a machine whose times follow by hand
// (unit_machine.h): a message of m bytes occupies its sender for 1 us, and then m + 16 bytes flow at 1 GB/s.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "platforms/machine.h"
#include "platforms/placement.h"
#include "sim/launcher/installation.h"
#include "sim/launcher/simulation.h"
#include "tests/sim/unit_machine.h"

namespace strata {
namespace {

constexpr double kUs = 1e-6;

// The output of the program cards, with one rank per binding.
std::vector<Json> readings(const Machine& machine, const std::vector<Binding>& ranks) {
  const sim::ScratchFolder scratch;
  const sim::Installation installation = sim::find_installation();
  const std::string program = installation.plugin.parent_path().parent_path().parent_path() / "tests/sim/cards.so";
  const sim::Stage stage = sim::prepare_stage(machine, {ranks}, scratch.path(), installation, program, 60);
  std::vector<Json> lines;
  sim::run_simulations({stage}, {{.arguments = {}, .output = scratch.path() / "output"}}, 1,
                       [&](size_t, const sim::Outcome& outcome) {
                         EXPECT_EQ(outcome.failure, "");
                         lines = outcome.lines;
                         return true;
                       });
  return lines;
}

Machine two_nodes(const TemporaryFolder& folder) { return load_machine(folder.write("machine.yaml", unit_machine())); }

TEST(NetworkBytes, CountWhatHasPassed) {
  const TemporaryFolder folder;
  const Machine machine = two_nodes(folder);
  const std::vector<Json> lines = readings(machine, place(*machine.topology, 2, {.map_by = "node"}));
  ASSERT_EQ(lines.size(), 15u);  // one before, twelve on the way, two at the end
  const unsigned long before = lines[0]["sent"];
  EXPECT_EQ(lines[0]["received"], before) << "all that made the ranks ready went both ways";
  for (size_t i = 1; i <= 12; ++i) {
    EXPECT_EQ(lines[i]["error"], 0);
    const double flowed_s = std::min(std::max(lines[i]["at"].get<double>() - kUs, 0.0), 10'016 * kNs);
    EXPECT_NEAR(lines[i]["sent"].get<double>() - static_cast<double>(before), flowed_s / kNs, 1.01);
  }
  EXPECT_EQ(lines[1]["sent"], before) << "the send's overhead is over, nothing has flowed";
  EXPECT_EQ(lines[12]["sent"], before + 10'016) << "exactly, once it has arrived";
  for (const size_t i : {13, 14}) {
    const bool sender = lines[i]["rank"] == 0;
    EXPECT_EQ(lines[i]["sent"], sender ? before + 10'016 : before);
    EXPECT_EQ(lines[i]["received"], sender ? before : before + 10'016);
  }
}

TEST(NetworkBytes, CoresOfANodeShareTheCardAndWhatStaysOnItDoesNotCount) {
  const TemporaryFolder folder;
  const Machine machine = two_nodes(folder);
  for (const Json& line : readings(machine, place(*machine.topology, 2))) {
    EXPECT_EQ(line["error"], 0);
    EXPECT_EQ(line["sent"], 0);
    EXPECT_EQ(line["received"], 0);
  }
}

TEST(NetworkBytes, AMachineOfOneNodeHasNoCard) {
  const Machine machine = machine_from_tree("pack:2 core:2 pu:1");
  const std::vector<Json> lines = readings(machine, place(*machine.topology, 2));
  ASSERT_EQ(lines.size(), 15u);
  for (const Json& line : lines) EXPECT_NE(line["error"], 0);
}

}  // namespace
}  // namespace strata
