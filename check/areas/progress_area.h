// SPDX-License-Identifier: LGPL-2.1-only
// Area "progress": where progress threads run (platforms/progress_placement.h, and mpi_ext/nbc/thread_places.h as each
// process sees it) on all small machines, with ranks on any of their cores. IJHPCA'19, Sections 4 and 5.
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
  int nodes = 1, numas = 1, cores = 1, pus = 1;  // of the machine, of a node, of a NUMA node, of a core
  std::vector<int> at = {0};                     // by rank: its core, counted over the machine; all different
  friend bool operator==(const ProgressCase&, const ProgressCase&) = default;
};

enum Policy { kBind, kNuma, kOddEven };
inline constexpr std::array kPolicies = {kBind, kNuma, kOddEven};

/// What a policy makes of a case.
struct Placed {
  std::vector<int> at;                   // by rank: the core of its thread, counted over the machine; empty: refused
  std::vector<bool> on_whole_core;       // whether the thread's binding is that core
  std::vector<mpix::ThreadPlaces> seen;  // by rank: by its process; `core` is counted over the machine too
  std::string refused;                   // why
};

struct ProgressOutcome {
  std::array<Placed, 3> of;  // by Policy
  std::vector<int> listed;   // on one node with a free core: the cores where these are listed as the policy
};

ProgressOutcome progress_outcome(const ProgressCase& c);

/// The properties of the area, for tests that ask them of outcomes that are wrong.
std::vector<Property<ProgressCase, ProgressOutcome>> progress_properties();

/// "nodes=1,numas=2,cores=4,pus=1,ranks=0.1.2.4", and back. Throws InputError.
std::string progress_key(const ProgressCase& c);
ProgressCase read_progress_key(const std::string& key);

}  // namespace strata::check
