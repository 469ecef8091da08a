// SPDX-License-Identifier: LGPL-2.1-only
// libpmix's functions, which this library replaces, and the keys by which ranks find on the board what libpmix would
// look up:
//
//   launcher_function<pmix_status_t()>("PMIx_Commit")()
#pragma once

#include <dlfcn.h>

#include <cstdint>
#include <string_view>

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

/// FNV-1a: the same in all ranks.
inline std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace strata::native
