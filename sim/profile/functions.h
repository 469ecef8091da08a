// SPDX-License-Identifier: LGPL-2.1-only
// SMPI's MPI functions, by number, and a way to call the function that is hidden by this library's function of the same
// name:
//
//   static const auto next = behind(PMPI_Barrier, "PMPI_Barrier");     next(MPI_COMM_WORLD) is SMPI's
#pragma once

#include <dlfcn.h>

#include <string>
#include <vector>

namespace strata::sim {

enum Function {
#define PROFILED(TYPE, NAME, PARAMETERS, ARGUMENTS) k##NAME,
#include "sim/simgrid/calls.inc"
#undef PROFILED
};

/// Their names, by number.
inline const std::vector<std::string>& function_names() {
  static const std::vector<std::string> all = {
#define PROFILED(TYPE, NAME, PARAMETERS, ARGUMENTS) #NAME,
#include "sim/simgrid/calls.inc"
#undef PROFILED
  };
  return all;
}

/// The function of that name that this library hides.
template <class F>
F* behind(const char* name) {
  return reinterpret_cast<F*>(::dlsym(RTLD_NEXT, name));
}
template <class F>
F* behind(F&, const char* name) {
  return behind<F>(name);
}

}  // namespace strata::sim
