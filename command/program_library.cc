// SPDX-License-Identifier: LGPL-2.1-only
#include "command/program_library.h"

#include <algorithm>
#include <fstream>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/search_path.h"
#include "sim/program/elf_file.h"

namespace strata::command {
namespace {

namespace fs = std::filesystem;
using Kind = native::Library::Kind;

// Whether the program runs others, so that its file does not say which MPI library there will be: a script, or
// "python3.11" and the like.
bool is_interpreter(const fs::path& program) {
  constexpr std::string_view kNames[] = {"python",  "bash", "sh",    "dash", "env",
                                         "Rscript", "R",    "julia", "perl", "tclsh"};
  std::ifstream file(program);
  if (file.get() == '#' && file.get() == '!') return true;
  const std::string name = fs::canonical(program).filename().string();
  const std::string_view without_version(name.data(), name.find_last_not_of("0123456789.") + 1);
  return std::find(std::begin(kNames), std::end(kNames), without_version) != std::end(kNames);
}

bool names_real_library(const fs::path& program) {
  try {
    const std::vector<std::string> needed = sim::read_elf(program).needed;
    return std::any_of(needed.begin(), needed.end(), [](const std::string& library) {
      return library.starts_with("libmpi.so.") || library.starts_with("libmpich.so.");
    });
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace

fs::path find_program(const std::string& name) {
  if (name.find('/') == std::string::npos) {
    if (const std::optional<fs::path> file = find_in_path(name)) return *file;
  }
  std::error_code ignored;
  if (!fs::exists(name, ignored)) throw InputError(name, "there is no such program", "give its path, such as ./app");
  return fs::absolute(name);
}

std::optional<native::Library> library_of(const fs::path& program, const std::string& mpi) {
  std::error_code ignored;
  if (mpi == "smpi") return {};
  if (mpi.empty() && !fs::is_regular_file(program, ignored)) return {};
  native::Library library;
  try {
    library = native::find_library(program);
  } catch (const InputError&) {
    // If the program is for SMPI, inspect_program says more.
    if (mpi.empty() && !names_real_library(program)) return {};
    throw;
  }
  if (mpi.empty())
    return library.kind == Kind::kSmpi || (library.kind == Kind::kUnknown && !is_interpreter(program))
               ? std::nullopt
               : std::optional(library);
  const Kind asked = mpi == "mpich" ? Kind::kMpich : Kind::kOpenMpi;
  if (library.kind != asked && library.kind != Kind::kUnknown) {
    throw InputError("--mpi", program.string() + " is linked to " + native::name_of(library.kind),
                     "leave --mpi out, or build the program with that library");
  }
  return library;
}

}  // namespace strata::command
