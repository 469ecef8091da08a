// The collectives under SMPI: collectives_mpi_program on described machines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/launcher/installation.h"
#include "sim/launcher/simulation.h"
#include "tests/mpi_ext/mpi_run.h"

namespace strata::mpix::testing {
namespace {

constexpr double kLimit = 240;  // s of wall time

Ended simulate(const Placed& p, const std::vector<std::string>& words, const std::vector<std::string>& options = {}) {
  const sim::ScratchFolder scratch;
  const std::string program = runfile("tests/mpi_ext/collectives_mpi_program.so");
  const sim::Stage stage =
      sim::prepare_stage(p.machine, p.ranks, scratch.path(), scratch.path(), sim::find_installation(), program, kLimit);
  std::vector<std::string> command = {"smpirun",
                                      "-platform",
                                      stage.plugin,
                                      "-hostfile",
                                      stage.folder / "hosts",
                                      "-np",
                                      std::to_string(stage.ranks),
                                      "-no-privatize"};
  const std::string limit = std::to_string(static_cast<long>(stage.eager_limit_bytes));
  for (const std::string& option :
       {std::string("smpi/coll-selector:ompi"), std::string("smpi/simulate-computation:no"),
        std::string("smpi/wtime:0"), "smpi/async-small-thresh:" + limit, "smpi/send-is-detached-thresh:" + limit,
        std::string("contexts/stack-size:1024"), std::string("surf/precision:1e-12")}) {
    command.push_back("--cfg=" + option);
  }
  for (const std::string& option : options) command.push_back(option);
  command.push_back(program);
  for (const std::string& word : words) command.push_back(word);
  return run(command,
             {{"STRATA_MACHINE", stage.folder / "machine.yaml"}, {"STRATA_PLACEMENT", stage.folder / "placement"}},
             scratch.path(), kLimit);
}

void expect_success(const Ended& e, int ranks, long least_checks) {
  EXPECT_EQ(e.exit_code, 0) << e.output;
  const Verdict v = verdict_of(e.output);
  EXPECT_EQ(v.ranks, ranks) << e.output;
  EXPECT_EQ(v.failures, 0) << e.output;
  EXPECT_GE(v.least, least_checks) << e.output;
}

// Ranks in order: the hierarchy's communicators are ranges of ranks.
TEST(Smpi, UpToNineRanksInOrder) { expect_success(simulate(placed(figure_1(2), 9, "core", "core"), {}), 9, 1000); }

// Dealt over the nodes: they are not.
TEST(Smpi, TenToSeventeenRanksDealtOverFourNodes) {
  expect_success(simulate(placed(figure_1(4), 17, "node", "core"), {"brief", "sizes=10,11,12,13,14,15,16,17"}), 17,
                 1000);
}

}  // namespace
}  // namespace strata::mpix::testing
