// SPDX-License-Identifier: LGPL-2.1-only
// Runs of programs with the collectives of MPI libraries, and what the schedules say about them.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "collectives/chosen/chosen.h"
#include "collectives/schedules/collective_trace.h"
#include "tests/collectives/proof/compared_calls.h"
#include "tests/collectives/uneven_blocks.h"
#include "tests/command/strata_process.h"

namespace strata::collectives {

inline constexpr const char* kCollectives = "tests/collectives/proof/collectives_mpi_program.so";

// Where the ranks are: of 10 nodes of 24 cores.
struct RankPlaces {
  const char* name;
  std::vector<std::string> options;
};

inline const RankPlaces kAlternating = {"one after the other", {"--map-by", "node"}};
inline const RankPlaces kThreeOnANode = {"3 on a node", {"--map-by", "core:PE=8"}};
inline const RankPlaces kFullNodes = {"full nodes", {"--map-by", "core"}};

inline Ran run_with(const std::string& mpi, int ranks, std::vector<std::string> options,
                    const std::vector<std::string>& program, const RankPlaces& where = kAlternating) {
  std::vector<std::string> words = {"exec",         "--machine", "ntw10e5", "-n", std::to_string(ranks),
                                    "--no-summary", "--mpi",     mpi};
  words.insert(words.end(), where.options.begin(), where.options.end());
  words.insert(words.end(), options.begin(), options.end());
  words.push_back("--");
  words.push_back(built(program[0]));
  words.insert(words.end(), program.begin() + 1, program.end());
  return run_strata(words);
}

inline Collective call_of(Operation o, int ranks, std::int64_t count) {
  return {o, ranks, 0, count, kDouble, true, false, uneven_blocks(o, ranks, count)};
}

inline Trace trace_of(const Chooser& chooser, const Collective& call) {
  const Chosen chosen = chooser.choose(call);
  return collective_trace(call, [&](int rank, Steps& steps) { chooser.append(chosen, call, rank, steps); });
}

// {value of the axis: time in s} of the records in a result.
inline std::map<std::string, double> times_in(const std::filesystem::path& results, const char* axis) {
  std::map<std::string, double> times;
  std::istringstream records(read_text(results / "records.jsonl"));
  for (std::string line; std::getline(records, line);) {
    const nlohmann::json record = nlohmann::json::parse(line);
    times[record["parameters"][axis]] = record["value"];
  }
  return times;
}

}  // namespace strata::collectives
