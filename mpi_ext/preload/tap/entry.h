// SPDX-License-Identifier: LGPL-2.1-only
// How a library wraps MPI's functions.
//
// For a real MPI it defines both names of a function. C programs call MPI_X. Open MPI's Fortran, and part of MPICH's,
// calls PMPI_X through the procedure linkage table (PLT), so the library is found first and no Fortran function needs a
// wrapper. Each wrapper calls the next library's function of the same name, so other tools of this kind may come after
// this one.
//
// For SMPI it defines only PMPI_X, which SMPI's MPI_X and its Fortran call (cart_shim_smpi.cc explains why).
#pragma once

#include <dlfcn.h>
#include <mpi.h>

#include "mpi_ext/preload/tap/collective_charge.h"
#include "mpi_ext/preload/tap/listeners.h"
#include "mpi_ext/preload/tap/outermost_call.h"

namespace strata::mpix {

template <class Function>
Function* behind(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

/// Calls MPI. Then `tells` reports the call if a session is active, MPI succeeded, and the program itself made the
/// call.
template <class Mpi, class Tells>
int told(const Mpi& mpi, const Tells& tells) {
  const InCollective inside;  // of the functions that are wrapped under SMPI, all are collectives
  if (!anybody_listens()) return mpi();
  const Call call;
  const int code = mpi();
  if (code == MPI_SUCCESS && call.outermost()) tells();
  return code;
}

}  // namespace strata::mpix

// Defines a C function with this name, its parameters, and the arguments made from them in parentheses. The statements
// that follow report the call.
#define STRATA_ENTRY(name, parameters, arguments, ...)                               \
  extern "C" int name parameters {                                                   \
    static const auto next = strata::mpix::behind<int parameters>(#name);            \
    return strata::mpix::told([&] { return next arguments; }, [&] { __VA_ARGS__; }); \
  }

#ifdef SMPI_H
#define STRATA_ENTRIES_OF(name, ...) STRATA_ENTRY(PMPI_##name, __VA_ARGS__)
#else
#define STRATA_ENTRIES_OF(name, ...)    \
  STRATA_ENTRY(MPI_##name, __VA_ARGS__) \
  STRATA_ENTRY(PMPI_##name, __VA_ARGS__)
#endif

// Defines all names of MPI's function X that a wrapper must replace; X may be a macro.
#define STRATA_ENTRIES(...) STRATA_ENTRIES_OF(__VA_ARGS__)
