// SPDX-License-Identifier: LGPL-2.1-only
// How the platform plugin passes objects to the MPI code in the same process: as an address in the text of a property
// of SimGrid's root zone. Both are built by the same compiler, so a header of this folder defines the object's type.
//
//   root.set_property(words::kMemoryProperty, text_of_address(static_cast<MemoryWork*>(this)));         the plugin
//   auto* work = address_in<MemoryWork>(root.get_property(words::kMemoryProperty));    nullptr if it is not set
#pragma once

#include <array>
#include <cstdio>
#include <string>

namespace strata {

inline std::string text_of_address(const void* object) {
  std::array<char, 20> text{};  // 0x and 16 digits
  std::snprintf(text.data(), text.size(), "%p", object);
  return text.data();
}

/// The object at this address. Its type must be the one whose address was written. nullptr if the text is null or not
/// an address.
template <class Object>
Object* address_in(const char* text) {
  void* object = nullptr;
  if (text == nullptr || std::sscanf(text, "%p", &object) != 1) return nullptr;
  return static_cast<Object*>(object);
}

}  // namespace strata
