// SPDX-License-Identifier: LGPL-2.1-only
// The environment variables that keep MPICH's device ch4 from composing collectives (mpich_decisions.h):
//
//   MPIR_CVAR_BCAST_DEVICE_COLLECTIVE=0       broadcasts
//   MPIR_CVAR_DEVICE_COLLECTIVES=none         all collectives; with `all`, the variable above has no effect
//
// Source: src/mpi/coll/cvars.txt and maint/gen_coll.py of MPICH 4.0.2; MPL_env2bool in src/mpl/src/env/mpl_env.c.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "collectives/operation.h"

namespace strata::collectives {

/// "MPIR_CVAR_BCAST_DEVICE_COLLECTIVE".
std::string device_variable(Operation operation);

/// The operations that are not composed. `value_of`: getenv, or a function like it. Throws InputError for values on
/// which MPICH ends the program.
std::set<Operation> not_composed(const std::function<const char*(const char* variable)>& value_of);

}  // namespace strata::collectives
