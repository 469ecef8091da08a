// SPDX-License-Identifier: LGPL-2.1-only
// The parts of the loaded objects, as the dynamic linker has placed them. For example, the code of all objects:
//
//   const std::vector<Part> code = parts_with(PF_X);
//   is_in(code, reinterpret_cast<const void*>(&std::memcpy))     true
#pragma once

#include <link.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace strata::native {

struct Part {
  std::uintptr_t begin = 0, end = 0;
};

/// Those with a flag, PF_X or PF_W, of the objects whose file's name contains `name`.
inline std::vector<Part> parts_with(unsigned flag, std::string_view name = "") {
  struct Search {
    unsigned flag;
    std::string_view name;
    std::vector<Part> found;
  } search = {flag, name, {}};
  ::dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t /*bytes*/, void* data) {
        auto& s = *static_cast<Search*>(data);
        if (std::string_view(object->dlpi_name).find(s.name) == std::string_view::npos) return 0;
        for (int i = 0; i < object->dlpi_phnum; ++i) {
          const ElfW(Phdr)& part = object->dlpi_phdr[i];
          const std::uintptr_t begin = object->dlpi_addr + part.p_vaddr;
          if (part.p_type == PT_LOAD && (part.p_flags & s.flag) != 0) s.found.push_back({begin, begin + part.p_memsz});
        }
        return 0;
      },
      &search);
  return search.found;
}

inline bool is_in(const std::vector<Part>& parts, const void* address) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  return std::any_of(parts.begin(), parts.end(), [at](const Part& p) { return p.begin <= at && at < p.end; });
}

}  // namespace strata::native
