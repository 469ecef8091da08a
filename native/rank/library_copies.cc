// SPDX-License-Identifier: LGPL-2.1-only
// Sees the copies that an MPI library makes. A library calls memcpy through a table of its own (the global offset
// table), into which the dynamic linker has written the C library's address. For each object of the MPI library that is
// loaded, this writes the address of a function that notes the copy:
//
//   libmpi.so.40, relocation of type R_X86_64_JUMP_SLOT for "memcpy"     its place: &copy, instead of the C library's
//
// The program and all other libraries keep their own tables.
//
// Source: System V Application Binary Interface, AMD64 Architecture Processor Supplement, 5.2 (global offset table,
// relocations).
#include <elf.h>
#include <link.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "native/rank/library_work.h"

namespace strata::native {
namespace {

// B. Shorter copies, such as those of headers, are part of a message's overhead: one takes a nanosecond.
constexpr std::size_t kShortest = 64;

void note_copy(void* to, const void* from, std::size_t bytes) {
  if (bytes >= kShortest) note_work(Kind::kCopy, bytes, from, to);
}

void* copy(void* to, const void* from, std::size_t bytes) {
  note_copy(to, from, bytes);
  return std::memcpy(to, from, bytes);
}
void* move(void* to, const void* from, std::size_t bytes) {
  note_copy(to, from, bytes);
  return std::memmove(to, from, bytes);
}

struct Replaced {
  std::string_view name;
  void* function;
};
const std::array<Replaced, 2> kReplaced = {
    {{"memcpy", reinterpret_cast<void*>(&copy)}, {"memmove", reinterpret_cast<void*>(&move)}}};

// Open MPI's components are in files that begin with mca_.
bool is_of_mpi(std::string_view file) {
  for (const char* const part : {"/libmpi.so", "/libmpich.so", "/libopen-pal.so", "/libmca_common", "/mca_"}) {
    if (file.find(part) != std::string_view::npos) return true;
  }
  return false;
}

struct Tables {
  const char* names = nullptr;
  const Elf64_Sym* symbols = nullptr;
  const Elf64_Rela* calls = nullptr;
  std::size_t call_bytes = 0;
  const Elf64_Rela* data = nullptr;
  std::size_t data_bytes = 0;
};

Tables tables_of(const Elf64_Dyn* entry) {
  Tables t;
  for (; entry->d_tag != DT_NULL; ++entry) {
    // The linker has made them addresses.
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    void* const address = reinterpret_cast<void*>(entry->d_un.d_ptr);
    switch (entry->d_tag) {
      case DT_STRTAB:
        t.names = static_cast<const char*>(address);
        break;
      case DT_SYMTAB:
        t.symbols = static_cast<const Elf64_Sym*>(address);
        break;
      case DT_JMPREL:
        t.calls = static_cast<const Elf64_Rela*>(address);
        break;
      case DT_PLTRELSZ:
        t.call_bytes = entry->d_un.d_val;
        break;
      case DT_RELA:
        t.data = static_cast<const Elf64_Rela*>(address);
        break;
      case DT_RELASZ:
        t.data_bytes = entry->d_un.d_val;
        break;
      default:
        break;
    }
  }
  return t;
}

void replace_in(const Tables& t, const Elf64_Rela* relocations, std::size_t bytes, Elf64_Addr base) {
  if (relocations == nullptr || t.names == nullptr || t.symbols == nullptr) return;
  for (std::size_t i = 0; i < bytes / sizeof(Elf64_Rela); ++i) {
    const Elf64_Rela& r = relocations[i];
    const auto type = ELF64_R_TYPE(r.r_info);
    if (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT) continue;
    const std::string_view name = t.names + t.symbols[ELF64_R_SYM(r.r_info)].st_name;
    for (const Replaced& replaced : kReplaced) {
      // NOLINTNEXTLINE(performance-no-int-to-ptr): an address in the object
      if (name == replaced.name) replace_address(reinterpret_cast<void**>(base + r.r_offset), replaced.function);
    }
  }
}

int visit(dl_phdr_info* object, std::size_t /*bytes*/, void* /*unused*/) {
  if (!is_of_mpi(object->dlpi_name)) return 0;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const Elf64_Phdr& part = object->dlpi_phdr[i];
    if (part.p_type != PT_DYNAMIC) continue;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): an address in the object
    const Tables t = tables_of(reinterpret_cast<const Elf64_Dyn*>(object->dlpi_addr + part.p_vaddr));
    replace_in(t, t.calls, t.call_bytes, object->dlpi_addr);
    replace_in(t, t.data, t.data_bytes, object->dlpi_addr);
  }
  return 0;
}

}  // namespace

void find_copies() { ::dl_iterate_phdr(visit, nullptr); }

}  // namespace strata::native
