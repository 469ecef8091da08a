// The collectives under a real MPI, which STRATA_TEST_MPI names ("openmpi" or "mpich"): collectives_mpi_program on a
// described machine that is larger than this one. Few ranks and messages: MPICH's ranks poll, and share two cores or
// one.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "mpi_ext/provider/placement_file.h"
#include "sim/launcher/simulation.h"
#include "tests/mpi_ext/mpi_run.h"

namespace strata::mpix::testing {
namespace {

const std::string kMpi = STRATA_TEST_MPI;

constexpr double kLimit = 240;  // s of wall time

Ended start_placed(const Placed& p, const std::vector<std::string>& words) {
  const sim::ScratchFolder scratch;
  std::ofstream(scratch.path() / "bindings") << format_bindings(p.ranks);
  std::ofstream(scratch.path() / "placement")
      << format_placement_file("", p.machine.node.synthetic, p.machine.network, scratch.path() / "bindings");
  std::map<std::string, std::string> environment = {{"STRATA_PLACEMENT", scratch.path() / "placement"}};
  std::vector<std::string> command = {"mpirun." + kMpi};
  if (kMpi == "openmpi") {
    for (const char* option : {"--allow-run-as-root", "--oversubscribe"}) command.push_back(option);
    environment["OMPI_MCA_mpi_yield_when_idle"] = "1";
    environment["OMPI_MCA_btl"] = "vader,self";
    environment["OMPI_MCA_btl_vader_single_copy_mechanism"] = "none";  // it needs ptrace, which a sandbox may forbid
    environment["OMPI_MCA_plm_rsh_agent"] = "false";                   // nothing is started elsewhere
  }
  command.insert(command.end(), {"-np", std::to_string(p.ranks.size()),
                                 runfile("tests/mpi_ext/collectives_mpi_program_" + kMpi), "real", "brief"});
  command.insert(command.end(), words.begin(), words.end());
  return run(command, environment, scratch.path(), kLimit);
}

void expect_success(const Ended& e, int ranks, long least_checks) {
  EXPECT_EQ(e.exit_code, 0) << e.output;
  const Verdict v = verdict_of(e.output);
  EXPECT_EQ(v.ranks, ranks) << e.output;
  EXPECT_EQ(v.failures, 0) << e.output;
  EXPECT_GE(v.least, least_checks) << e.output;
}

TEST(Virtual, FourRanksDealtOverTwoNodes) {
  expect_success(start_placed(placed(figure_1(2), 4, "node", "core"), {"sizes=1,4", "errors"}), 4, 2000);
}

}  // namespace
}  // namespace strata::mpix::testing
