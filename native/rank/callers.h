// SPDX-License-Identifier: LGPL-2.1-only
// Which library calls a function. For example, in a function that libpmix's thread calls:
//
//   library_of(__builtin_return_address(0))     "/lib/x86_64-linux-gnu/libpmix.so.2"
#pragma once

#include <dlfcn.h>

#include <string_view>

namespace strata::native {

/// The file; empty: not known.
inline std::string_view library_of(void* address) {
  Dl_info info;
  return ::dladdr(address, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : "";
}

}  // namespace strata::native
