// SPDX-License-Identifier: LGPL-2.1-only
// Without contention no algorithm takes longer, on machines with links, fabrics, memories and caches: the search for
// the fastest algorithm depends on it.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "collectives/chosen/chosen.h"
#include "collectives/schedules/collective_trace.h"
#include "collectives/tuning/candidates.h"
#include "collectives/tuning/cell.h"
#include "platforms/uncontended_machine.h"
#include "replay/engine.h"
#include "tests/process/process.h"

namespace strata::collectives {
namespace {

// Rounding of times that are added in another order.
constexpr double kRounding = 1e-12;

std::vector<int> cores_of(const Machine& machine, int ranks) {
  const int cores = static_cast<int>(machine.topology->cores().size());
  std::vector<int> all;
  for (int r = 0; r < ranks; ++r) all.push_back(r * (cores / ranks));  // over all nodes
  return all;
}

class Uncontended : public ::testing::TestWithParam<const char*> {};

TEST_P(Uncontended, TakesNoLonger) {
  const Machine machine = load_machine(built("platforms/data/" + std::string(GetParam()) + "/machine.yaml"));
  const Machine uncontended = uncontended_machine(machine);
  const Chooser chooser(kOpenMpi41);
  int faster = 0, all = 0;
  for (const Operation operation : {Operation::kBcast, Operation::kAllreduce, Operation::kReduce, Operation::kGather,
                                    Operation::kScatter, Operation::kAllgather, Operation::kAlltoall}) {
    for (const int ranks : {7, 24}) {
      const std::vector<int> cores = cores_of(machine, ranks);
      for (const std::int64_t bytes : {8, 4096, 300000}) {
        const Cell cell = {operation, ranks, bytes};
        const Collective call = call_of(cell, "");
        for (const Choice& choice : candidates(call, cell, kOpenMpi41)) {
          const Chosen chosen = chosen_by_rule(chooser, call, choice);
          const Trace trace =
              collective_trace(call, [&](int rank, Steps& steps) { chooser.append(chosen, call, rank, steps); });
          const double seconds = replay::replay(trace, machine, cores).simulated_time;
          const double least = replay::replay(trace, uncontended, cores).simulated_time;
          EXPECT_LE(least, seconds * (1 + kRounding))
              << text_of(cell) << ": " << text_of(operation, choice, kOpenMpi41);
          faster += least < seconds * 0.999 ? 1 : 0;
          ++all;
        }
      }
    }
  }
  EXPECT_GT(faster, all / 20) << "of " << all;  // otherwise there was no contention
}

INSTANTIATE_TEST_SUITE_P(Machines, Uncontended,
                         ::testing::Values("ntw10e5", "archer2", "theta", "blue-waters", "skl-8168"),
                         [](const auto& machine) {
                           std::string name = machine.param;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

}  // namespace
}  // namespace strata::collectives
