// SPDX-License-Identifier: LGPL-2.1-only
// The MPI library that a program uses, as the loader finds it. For example a program that mpicc.openmpi made on Debian
// 12 has {kOpenMpi, "/usr/lib/x86_64-linux-gnu/libmpi.so.40", "4.1.4"}; python3, which loads mpi4py later, has
// kUnknown.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace strata::native {

struct Library {
  enum class Kind {
    kOpenMpi,
    kMpich,
    kSmpi,
    kUnknown,  // a script, or a program without an MPI library: what it starts or loads later may have one
  };
  Kind kind = Kind::kUnknown;
  std::filesystem::path file;  // empty: unknown
  std::string version;         // "4.1.4"; of Open MPI and MPICH
};

/// "Open MPI", "MPICH", "SMPI", "no MPI library".
std::string name_of(Library::Kind kind);

/// The file that execvp would run. Throws InputError if the file is missing, or may not be run.
std::filesystem::path find_program(const std::string& name);

/// Runs the program's loader, but not the program. Throws InputError if the program cannot use libucp.so.0 of ours: it
/// is for another architecture, is linked statically, lacks a library, or its MPI has no UCX.
Library find_library(const std::filesystem::path& program);

/// The version in the text of MPI_Get_library_version: "4.0.2" of "MPICH Version:      4.0.2\n...". Empty: none in it.
std::string version_in(const std::string& text);

/// The libraries that the loader loads, in its order: {"libmpi.so.40", "/usr/lib/.../libmpi.so.40"}. From the output of
/// `ld.so
/// --list`; a library that it does not find has no path.
struct Loaded {
  std::string name;
  std::filesystem::path path;
  friend bool operator==(const Loaded&, const Loaded&) = default;
};
std::vector<Loaded> parse_loader_list(const std::string& text);

}  // namespace strata::native
