// SPDX-License-Identifier: LGPL-2.1-only
// libpmix's functions, which this library replaces:
//
//   launcher_function<pmix_status_t()>("PMIx_Commit")()
#pragma once

#include <dlfcn.h>

#include "native/rank/process.h"

namespace strata::native {

/// libpmix's own; ends the rank if it has none.
template <class Function>
Function* launcher_function(const char* name) {
  void* function = ::dlsym(RTLD_NEXT, name);
  if (function == nullptr) {
    void* const loaded = ::dlopen("libpmix.so.2", RTLD_NOLOAD | RTLD_LAZY);
    if (loaded != nullptr) function = ::dlsym(loaded, name);
  }
  if (function == nullptr) fail("calls %s, which its libpmix does not have", name);
  return reinterpret_cast<Function*>(function);
}

}  // namespace strata::native
