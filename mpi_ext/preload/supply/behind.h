// SPDX-License-Identifier: LGPL-2.1-only
// Calls the function of a name that comes after this library: the shim's if it is preloaded too, otherwise SMPI's.
// Tools that count a program's calls come before this library, and do not count the calls made in this way.
#pragma once

#include <dlfcn.h>

namespace strata::mpix {

template <class Function>
Function* behind(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace strata::mpix

/// SMPI's function PMPI_X, by X.
#define STRATA_BEHIND(name)                                                                \
  ([] {                                                                                    \
    static auto* const found = strata::mpix::behind<decltype(PMPI_##name)>("PMPI_" #name); \
    return found;                                                                          \
  }())
