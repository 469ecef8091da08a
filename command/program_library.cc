// SPDX-License-Identifier: LGPL-2.1-only
#include "command/program_library.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/search_path.h"
#include "collectives/chosen/chosen.h"
#include "sim/program/elf_file.h"

namespace strata::command {
namespace {

namespace fs = std::filesystem;
using Kind = native::Library::Kind;

// Whether the program runs others, so that its file does not say which MPI library there will be: a script, or
// "python3.11" and the like.
bool is_interpreter(const fs::path& program) {
  constexpr std::string_view kNames[] = {"python", "bash",   "sh",      "dash",    "env",     "Rscript",
                                         "R",      "julia",  "perl",    "tclsh",   "timeout", "nice",
                                         "nohup",  "stdbuf", "taskset", "numactl", "time"};
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

// From now on, this process and those that it starts load the MPI library that is installed there.
void use_prefix(const fs::path& prefix) {
  std::error_code ignored;
  for (const char* const folder : {"lib", "lib64"}) {
    const fs::path libraries = fs::absolute(prefix) / folder;
    const bool is_open_mpi = fs::exists(libraries / "libmpi.so.40", ignored);
    const bool is_mpich =
        fs::exists(libraries / "libmpi.so.12", ignored) || fs::exists(libraries / "libmpich.so.12", ignored);
    if (!is_open_mpi && !is_mpich) continue;
    const char* const others = std::getenv("LD_LIBRARY_PATH");
    const std::string path = libraries.string() + (others == nullptr ? "" : std::string(":") + others);
    ::setenv("LD_LIBRARY_PATH", path.c_str(), 1);
    if (is_open_mpi) ::setenv("OPAL_PREFIX", fs::absolute(prefix).c_str(), 1);  // the folder of its components
    return;
  }
  throw InputError("--mpi", "'" + prefix.string() + "' has no lib/libmpi.so.40, lib/libmpi.so.12 or lib/libmpich.so.12",
                   "give openmpi, mpich, smpi, or the folder in which Open MPI or MPICH is installed");
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
  if (mpi.find('/') != std::string::npos) {
    use_prefix(mpi);
    std::optional<native::Library> library = library_of(program, "");
    if (!library || library->kind == Kind::kUnknown || library->file.string().starts_with(fs::absolute(mpi).string()))
      return library;
    throw InputError("--mpi", program.string() + " loads " + library->file.string() + ", not one of " + mpi,
                     "build the program with that MPI's mpicc");
  }
  if (mpi == "smpi") return {};
  if (collectives::can_replace_smpis(mpi)) {
    const std::optional<native::Library> real = library_of(program, "");
    if (!real) return {};
    throw InputError(
        "--mpi " + mpi,
        "is for programs of `strata mpi`, and this one has an MPI library of its own, whose collectives it has",
        "leave it out");
  }
  if (mpi.empty() && !fs::is_regular_file(program, ignored)) return {};
  native::Library library;
  try {
    library = native::find_library(program);
  } catch (const InputError&) {
    // If the program is for SMPI, inspect_program says more.
    if (mpi.empty() && !names_real_library(program) && !is_interpreter(program)) return {};
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

std::string text_of_collectives(const std::string& mpi, const std::string& rules) {
  const std::string library = collectives::title_of(collectives::parse_library(mpi, "--mpi"));
  return "those of " + library + ", simulated" + (rules.empty() ? "" : ", by the rules of " + rules);
}

}  // namespace strata::command
