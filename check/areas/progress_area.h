// SPDX-License-Identifier: LGPL-2.1-only
// Area "progress": the cores of progress threads (platforms/progress_placement.h, and mpi_ext/nbc/thread_places.h from
// the view of each process) on all small machines, with ranks on any cores. IJHPCA'19, Sections 4 and 5.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "check/engine/area.h"
#include "check/engine/domain.h"
#include "mpi_ext/nbc/thread_places.h"
#include "platforms/placement.h"
#include "platforms/topology.h"

namespace strata::check {

std::unique_ptr<Area> progress_area();

struct ProgressCase {
  int nodes = 1, numas = 1, cores = 1, pus = 1;  // numbers: in the machine, per node, per NUMA node, per core
  std::vector<int> at = {0};                     // by rank: its core's number on the machine; all are different
  friend bool operator==(const ProgressCase&, const ProgressCase&) = default;
};

enum Policy { kBind, kNuma, kOddEven };
inline constexpr std::array kPolicies = {kBind, kNuma, kOddEven};

/// The result of a policy in a case.
struct Placed {
  std::vector<int> at;                   // by rank: the number of its thread's core on the machine; empty: the policy
                                         // refuses
  std::vector<bool> on_whole_core;       // whether the thread is bound to that whole core
  std::vector<mpix::ThreadPlaces> seen;  // by rank: the view of its process; `core` is the number on the machine too
  std::string refused;                   // the reason for a refusal
};

struct ProgressOutcome {
  std::array<Placed, 3> of;  // by Policy
  std::vector<int> listed;   // on one node with a free core: the cores for a policy that lists these cores
};

ProgressOutcome progress_outcome(const ProgressCase& c);

/// The properties of the area; also for tests that apply them to wrong outcomes.
std::vector<Property<ProgressCase, ProgressOutcome>> progress_properties();

/// Converts a case to "nodes=1,numas=2,cores=4,pus=1,ranks=0.1.2.4", and back. Throws InputError.
std::string progress_key(const ProgressCase& c);
ProgressCase read_progress_key(const std::string& key);

}  // namespace strata::check
