// SPDX-License-Identifier: LGPL-2.1-only
// Reads those parts of an ELF file that decide whether SMPI can run it (inspect.h).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace strata::sim {

struct ElfFile {
  enum class Kind { kRelocatable, kFixedExecutable, kDynamic, kOther };
  Kind kind = Kind::kOther;
  int machine = 0;    // EM_X86_64, ...
  bool wide = false;  // 64 bits
  bool little_endian = true;
  bool has_dynamic = false;  // it has a dynamic section
  bool executable = false;   // an executable that may be loaded anywhere (PIE)
  bool binds_now = false;    // undefined functions are looked up before it starts
  bool static_tls = false;   // its thread-local variables need room in the first thread's block

  std::string loader;                       // the program that loads it: "/lib64/ld-linux-x86-64.so.2"; may be empty
  std::vector<std::string> needed;          // shared libraries: "libm.so.6"
  std::vector<std::string> rpath, runpath;  // folders to search for them, as written in the file
  std::vector<std::string> defined;         // functions and variables for others
  std::vector<std::string> undefined;       // that others must define
  std::vector<std::string> weak_undefined;  // that others may define
  // Modifiable variables that all copies of the file in a process share (STB_GNU_UNIQUE).
  std::vector<std::string> unique_variables;
  // Bytes of modifiable variables that are not thread-local: sections .data and .bss.
  std::size_t variable_bytes = 0;
};

/// Throws InputError if the file cannot be read or is not an ELF file.
ElfFile read_elf(const std::filesystem::path& file);

}  // namespace strata::sim
