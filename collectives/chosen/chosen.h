// SPDX-License-Identifier: LGPL-2.1-only
// The work of a library in a call: the algorithm that it chooses, with its settings, and the steps of each rank. For
// example, a broadcast of 1 MB to 64 ranks:
//
//   const Chooser open_mpi(kOpenMpi41);
//   const Chosen chosen = open_mpi.choose({.operation = Operation::kBcast, .ranks = 64, .count = 1 << 20});
//   chosen.decision.name                         "knomial"
//   open_mpi.append(chosen, call, rank, steps)   what the rank does, also in the collectives of which another one
//   consists
//
// Communicators have at least two ranks. Of Open MPI, it is the component tuned, or basic for scans. If the call has
// nodes, it is HAN where Open MPI 5.0 prefers it (schedules/han.h). With a file of HAN's rules, those that say tuned
// have a schedule. Of MPICH, it is the device ch4 with UCX, as Debian has it, which looks
// at the nodes of the call.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "collectives/rules/look_up.h"
#include "collectives/schedules/collective.h"

namespace strata::collectives {

struct Chosen {
  Decision decision;
  Settings settings = {};
  Generator algorithm = nullptr;  // null: it has no schedule here
};

/// The libraries whose collectives can take the place of SMPI's (mpi_ext/preload/algorithms), for messages.
inline constexpr const char* kInPlaceOfSmpis = "openmpi-4.1, openmpi-5.0, mpich-4.0 or mpich-4.2";
/// Whether `library`, such as "openmpi-4.1.4", is one of them.
bool can_replace_smpis(const std::string& library);

class Chooser {
 public:
  /// `rules`: what the user gives the library; null: nothing. It must outlive this. `not_composed`: operations that
  /// MPICH's device does not compose (mpich_variables.h).
  explicit Chooser(const Library& library, const RuleFile* rules = nullptr, std::set<Operation> not_composed = {})
      : library_(library), rules_(rules), not_composed_(std::move(not_composed)) {}

  /// Whether it is a release of Open MPI 4.1 or 5.0, or of MPICH 4.0 or 4.2.
  static bool knows(const Library& library);

  Chosen choose(const Collective& call) const;
  /// All algorithms that the library could use in this call and that have a schedule, with the settings that they have
  /// without rules.
  std::vector<Chosen> alternatives(const Collective& call) const;
  /// One of Open MPI's algorithms by its number, with the settings that it has without rules.
  Chosen of_number(Operation operation, int number) const;
  /// One of MPICH's algorithms by its name.
  Chosen of_name(const Collective& call, const std::string& name) const;
  /// The environment variables that make the library use this algorithm in all calls of the operation; empty: none do.
  std::string variables(Operation operation, const Decision& algorithm) const;

  /// Appends what `rank` does. `chosen` must have an algorithm. Throws InputError if a collective that it consists of
  /// has none.
  void append(const Chosen& chosen, const Collective& call, int rank, Steps& steps) const;

 private:
  Library library_;
  const RuleFile* rules_;
  std::set<Operation> not_composed_;
};

}  // namespace strata::collectives
