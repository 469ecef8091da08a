// SPDX-License-Identifier: LGPL-2.1-only
// A call of MPI_Comm_spawn or MPI_Comm_spawn_multiple, as the launcher gets it: which programs to start how often, and
// the rank that asks. For example MPI_Comm_spawn("./worker", {"-x"}, 4, ...) of rank 2 is
//
//   {.parent = 2, .programs = {{.words = {"./worker", "-x"}, .folder = "/home/me", .count = 4}}}
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "native/launch/environment.h"
#include "native/launch/places.h"

namespace strata::native {

struct SpawnProgram {
  std::vector<std::string> words = {};  // the program's name, and its arguments
  std::filesystem::path folder = {};    // where it runs; empty: where the run's first ranks do
  Environment environment = {};         // further variables
  std::vector<std::string> hosts = {};  // info key "host": the only nodes; empty: any
  int count = 1;                        // ranks
};

struct SpawnOrder {
  enum class Outcome { kStarted, kNoProgram, kNoRoom };
  int parent = 0;  // the rank that asks
  std::vector<SpawnProgram> programs = {};
  /// Call it once. `job`: of kStarted.
  std::function<void(Outcome, const std::string& job)> answer = {};
};

/// The places of further ranks.
struct Admission {
  std::vector<RankPlace> ranks = {};  // in the order of the programs; empty: refused
  std::string refusal = {};           // one line: why
  bool ends_run = false;              // a refused run cannot continue
};

}  // namespace strata::native
