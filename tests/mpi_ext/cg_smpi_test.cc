// SPDX-License-Identifier: LGPL-2.1-only
// The catalog's program cg under SMPI: its result on every grid of up to 16 processes, its messages one by one (from
// SMPI's time-independent trace), and that all steps of the power iteration take the same time.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "mpi_ext/reorder/mapping.h"
#include "scenarios/programs/cg_classes.h"
#include "sim/launcher/simulation.h"
#include "sim/launcher/smpimain.h"
#include "tests/mpi_ext/cg_messages.h"
#include "tests/mpi_ext/mpi_run.h"
#include "tests/mpi_ext/shim.h"

namespace strata::mpix::testing {
namespace {

namespace fs = std::filesystem;

const std::string kProgram = "scenarios/programs/cg";

Ended run_cg(int ranks, std::vector<std::string> words, std::vector<std::string> options = {}) {
  const Placed p = placed(figure_1(2), ranks, "core", "core");
  return run_under_smpi(p, {.program = kProgram, .words = std::move(words), .options = std::move(options)});
}

// The value of a metric that the program reports; NaN if it does not.
double reported(const Ended& e, const std::string& metric) {
  const std::string before = "\"metric\":\"" + metric + "\",\"value\":";
  const std::size_t at = e.output.find(before);
  return at == std::string::npos ? std::nan("") : std::stod(e.output.substr(at + before.size()));
}

// A message in its sender's trace.
struct Message {
  int to = 0;
  long doubles = 0;
  bool operator==(const Message&) const = default;
};

// The messages of each rank in the order of sending. A line of a trace: RANK isend TO TAG COUNT TYPE.
std::vector<std::vector<Message>> messages_of(int ranks, std::vector<std::string> words) {
  const sim::ScratchFolder folder;
  const std::string trace = folder.path() / "trace";
  const Ended e = run_cg(ranks, std::move(words), sim::call_tracing(trace));
  EXPECT_EQ(e.exit_code, 0) << e.output;
  std::vector<std::vector<Message>> all(ranks);
  for (const auto& entry : fs::directory_iterator(trace + "_files")) {
    std::ifstream in(entry.path());
    for (std::string text; std::getline(in, text);) {
      std::istringstream line(text);
      std::size_t rank = 0;
      std::string call;
      Message m;
      int tag = 0;
      line >> rank >> call;
      EXPECT_NE(call, "send") << text;
      if (call == "isend" && line >> m.to >> tag >> m.doubles) all.at(rank).push_back(m);
    }
  }
  return all;
}

// On a machine of two nodes of eight cores.
TEST(Cg, HasThePublishedZetaOnEveryGrid) {
  for (const int ranks : {1, 2, 4, 8, 16}) {
    const Ended e = run_cg(ranks, {"--class", "S"});
    ASSERT_EQ(e.exit_code, 0) << e.output;
    EXPECT_NEAR(reported(e, "zeta"), 8.5971775078648, 1e-12) << ranks;
    EXPECT_LT(reported(e, "residual"), 1e-13) << ranks;
  }
  const Ended e = run_cg(4, {"--class", "W"});
  ASSERT_EQ(e.exit_code, 0) << e.output;
  EXPECT_NEAR(reported(e, "zeta"), 10.362595087124, 1e-12);
}

// Real and charged work have the same messages one by one, with the sizes and numbers of the formula, and the same
// time.
TEST(Cg, SendsTheSameWhetherItComputesOrNot) {
  const programs::CgClass& c = *programs::find_cg_class("S");
  for (const int ranks : {1, 2, 4, 8, 16}) {
    const auto real = messages_of(ranks, {"--class", "S", "--work", "real"});
    const auto charged = messages_of(ranks, {"--class", "S", "--work", "charged"});
    for (int r = 0; r < ranks; ++r) {
      ASSERT_EQ(real[r], charged[r]) << ranks << " ranks, rank " << r;
      std::map<int, CgSent> sent;
      for (const Message& m : real[r]) {
        ++sent[m.to].messages;
        sent[m.to].bytes += 8 * static_cast<double>(m.doubles);
      }
      const std::map<int, CgSent> step = cg_sent(c.n, ranks, r);
      ASSERT_EQ(sent.size(), step.size()) << ranks << " ranks, rank " << r;
      for (const auto& [to, expected] : step) {
        EXPECT_EQ(sent[to].messages, expected.messages * (c.niter + 1)) << ranks << " ranks, " << r << " to " << to;
        EXPECT_EQ(sent[to].bytes, expected.bytes * (c.niter + 1)) << ranks << " ranks, " << r << " to " << to;
      }
    }
  }
  const Ended real = run_cg(8, {"--work", "real"}), charged = run_cg(8, {"--work", "charged"});
  for (const char* metric : {"time", "communicating"}) {
    EXPECT_GT(reported(real, metric), 0);
    EXPECT_EQ(reported(real, metric), reported(charged, metric));
  }
}

// Two steps are enough in a simulation: all steps take the same time, up to the rounding of the clock.
TEST(Cg, StepsTakeEquallyLong) {
  for (const int ranks : {1, 4, 8, 16}) {
    const Ended all = run_cg(ranks, {"--work", "charged"});
    for (const char* steps : {"2", "3", "7"}) {
      const Ended some = run_cg(ranks, {"--work", "charged", "--steps", steps});
      for (const char* metric : {"time", "communicating"}) {
        const double whole = reported(all, metric);
        EXPECT_NEAR(reported(some, metric), whole, 1e-9 * whole) << metric << ", " << ranks << " ranks, " << steps;
      }
    }
  }
}

// The program passes the messages that a session counted in a step to the reordering. They are those of the formula, so
// the mapping must be the one that follows from the formula. The result on the new communicator must be right.
TEST(Cg, IsRightAfterReorderingByItsOwnMessages) {
  for (const char* map_by : {"node", "core", "random"}) {
    const Placed p = placed(figure_1(2), 16, map_by, "core");
    Simulated s = {.program = kProgram, .words = {"--class", "S", "--reorder", "on", "--mapping-seconds", "0.005"}};
    s.preload = {preloaded_library("monitoring", "smpi")};
    const Ended e = run_under_smpi(p, s);
    ASSERT_EQ(e.exit_code, 0) << e.output;
    EXPECT_NEAR(reported(e, "zeta"), 8.5971775078648, 1e-12) << map_by;
    // Each of 16 ranks has a partner in each of two stages, and one for the transpose: 48 pairs.
    EXPECT_GT(reported(e, "reordering"), 0.24);
    EXPECT_LT(reported(e, "reordering"), 0.25);
    std::vector<Flow> flows;
    for (int r = 0; r < 16; ++r) {
      for (const auto& [to, sent] : cg_sent(1400, 16, r)) flows.push_back({r, to, sent.bytes});
    }
    std::vector<int> cores;
    for (const Binding& b : p.ranks) cores.push_back(b.core);
    const std::vector<int> k =
        map_ranks(Pattern(16, flows), place_tree(*p.machine.topology, cores), MapMethod::kTreeMatch);
    double moved = 0;
    for (int r = 0; r < 16; ++r) moved += k[r] == r ? 0 : 1;
    EXPECT_EQ(reported(e, "moved"), moved) << map_by;
    if (std::string(map_by) == "node") {
      EXPECT_GT(moved, 0);
    }
  }
}

TEST(Cg, RefusesOtherGridsAndSteps) {
  const std::map<std::string, std::pair<int, std::vector<std::string>>> cases = {
      {"@strata usage 6 ranks: CG's grid wants a power of two\n", {6, {}}},
      {"@strata usage --steps: 16, class S has 15\n", {2, {"--steps", "16", "--work", "charged"}}},
      {"@strata usage --steps: 2, class S has 15, and real work goes to the end\n", {2, {"--steps", "2"}}}};
  for (const auto& [message, run] : cases) {
    const Ended e = run_cg(run.first, run.second);
    EXPECT_NE(e.exit_code, 0);
    EXPECT_NE(e.output.find(message), std::string::npos) << e.output;
  }
}

}  // namespace
}  // namespace strata::mpix::testing
