// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/preload/checks/unseen_calls.h"

#include <elf.h>
#include <link.h>

#include <cstdint>
#include <cstring>
#include <string_view>

namespace strata::mpix {
namespace {

// The parts of an object's dynamic section that list the symbols it needs. GNU's table of hashes begins with those that
// are defined; those before its offset are undefined.
struct Symbols {
  const ElfW(Sym) * table = nullptr;
  const char* names = nullptr;
  std::uint32_t number = 0;
};

Symbols symbols_of(const dl_phdr_info& object, const ElfW(Dyn) * dynamic) {
  Symbols symbols;
  // ld.so has replaced offsets by addresses, except in objects that it cannot write to.
  const auto pointer = [&](ElfW(Addr) value) {
    return reinterpret_cast<const char*>(value < object.dlpi_addr ? object.dlpi_addr + value : value);  // NOLINT
  };
  for (; dynamic->d_tag != DT_NULL; ++dynamic) {
    const char* const at = pointer(dynamic->d_un.d_ptr);
    if (dynamic->d_tag == DT_SYMTAB) symbols.table = reinterpret_cast<const ElfW(Sym)*>(at);
    if (dynamic->d_tag == DT_STRTAB) symbols.names = at;
    if (dynamic->d_tag == DT_GNU_HASH) symbols.number = reinterpret_cast<const std::uint32_t*>(at)[1];
    if (dynamic->d_tag == DT_HASH && symbols.number == 0)
      symbols.number = reinterpret_cast<const std::uint32_t*>(at)[1];
  }
  return symbols;
}

bool needs_pmpi(const dl_phdr_info& object) {
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    if (object.dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    const auto address = object.dlpi_addr + object.dlpi_phdr[i].p_vaddr;
    const Symbols symbols = symbols_of(object, reinterpret_cast<const ElfW(Dyn)*>(address));  // NOLINT
    if (symbols.table == nullptr || symbols.names == nullptr) continue;
    for (std::uint32_t s = 1; s < symbols.number; ++s) {
      if (symbols.table[s].st_shndx != SHN_UNDEF) continue;
      const char* const name = symbols.names + symbols.table[s].st_name;
      if (std::strncmp(name, "PMPI_", 5) == 0 || std::strncmp(name, "pmpi_", 5) == 0) return true;
    }
  }
  return false;
}

}  // namespace

bool has_unseen_calls() {
  static const bool direct = [] {
    return ::dl_iterate_phdr(
               [](dl_phdr_info* object, std::size_t, void*) {
                 const std::string_view path = object->dlpi_name;
                 const std::string_view name = path.substr(path.rfind('/') + 1);
                 const auto begins = [&](std::string_view with) { return name.substr(0, with.size()) == with; };
                 if (begins("libsimgrid.") || begins("libmpix_") || begins("libstrata_") || begins("linux-vdso"))
                   return 0;
                 return needs_pmpi(*object) ? 1 : 0;
               },
               nullptr) != 0;
  }();
  return direct;
}

}  // namespace strata::mpix
