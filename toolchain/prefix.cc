// SPDX-License-Identifier: LGPL-2.1-only
#include "toolchain/prefix.h"

#include <fmt/format.h>
#include <limits.h>

#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "base/error.h"
#include "base/whole_file.h"

namespace strata::toolchain {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSmpiHeaders = "/usr/include/smpi";             // Debian's libsimgrid-dev
constexpr const char* kMark = "share/strata/flags.sh";                // marks a folder as a prefix
constexpr const char* kPrefixInProgram = "@strata-prefix@";           // toolchain/program.c
constexpr const char* kSupplyLibrary = "libmpix_supply_smpi.so";      // mpi_ext/preload/supply
constexpr const char* kTopologyLibrary = "libmpix_topology_smpi.so";  // which it needs

using Words = std::vector<std::string>;

// Compiler and linker flags: one list for the wrappers, pkg-config and CMake.
//
// A program is a shared object with a program's start-up code. As usual, the compiler driver links the start-up code of
// position-independent executables; the linker also gets -shared, which takes effect because it comes last.
struct Flags {
  Words common, c, cxx, fortran;  // for compiling
  Words program;                  // for linking a program
  Words library;                  // for linking a program or a library
  Words shared_malloc;            // for the wrappers' option -shared-malloc
};

Flags flags_of(const fs::path& prefix, bool supply) {
  const std::string lib = prefix / "lib";
  Flags flags;
  flags.common = {"-I" + (prefix / "include").string(), "-fPIC"};
  // Ranks would share symbols that are unique in a process.
  flags.cxx = {"-fno-gnu-unique"};
  // MPI's functions take buffers of any type, and SMPI's module mpi does not declare them.
  flags.fortran = {"-fallow-argument-mismatch", "-Wno-argument-mismatch"};
  flags.program = {"-Wl,-shared", "-Wl,-e,strata_start", "-Wl,-u,strata_start", "-Wl,--no-undefined"};
  // With --as-needed, a program that does not use MPI runs without the simulator, as the test programs of configure do.
  flags.library = {"-L" + lib, "-lstrata_program", "-Wl,--as-needed"};
  flags.library.emplace_back("-lstrata_mpi");
  // pkg-config joins linker options that follow each other, and then forgets to escape a blank in the folder's name.
  if (supply) flags.library.insert(flags.library.end(), {"-lmpix_supply_smpi", "-Wl,-rpath," + lib});
  flags.library.insert(flags.library.end(), {"-lsimgrid", "-lm"});
  flags.shared_malloc = {"-Wl,-u,strata_shared_malloc", "-lstrata_shared_malloc"};
  return flags;
}

std::string read_whole(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) throw std::runtime_error("the build's runfiles lack " + file.string());
  return text.str();
}

void write(const fs::path& file, const std::string& text, bool executable = false) {
  fs::create_directories(file.parent_path());
  // Leave unchanged files alone, because build systems would recompile everything.
  std::error_code none;
  if (fs::is_regular_file(file, none)) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream old;
    old << in.rdbuf();
    if (in && old.str() == text) return;
  }
  write_whole(file, text);
  if (executable)
    fs::permissions(file, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                    fs::perm_options::add);
}

void link(const fs::path& target, const fs::path& link) {
  std::error_code none;
  if (fs::read_symlink(link, none) == target) return;
  fs::create_directories(link.parent_path());
  const fs::path temporary = link.string() + ".new";
  fs::remove(temporary, none);
  fs::create_symlink(target, temporary);
  fs::rename(temporary, link);
}

// The supply library, for the linker and by the name that programs load it by, and the library that it needs. Both
// names end with the same version.
void link_supply(const fs::path& supply, const fs::path& folder) {
  link(supply, folder / kSupplyLibrary);
  for (const fs::directory_entry& entry : fs::directory_iterator(supply.parent_path())) {
    const std::string name = entry.path().filename();
    if (!name.starts_with(kTopologyLibrary)) continue;
    link(entry.path(), folder / name);
    link(supply, folder / (kSupplyLibrary + name.substr(std::string(kTopologyLibrary).size())));
  }
}

std::string array(const std::string& name, const Words& words) {
  std::string text = name + "=(";
  for (const std::string& word : words) text += (text.ends_with('(') ? "" : " ") + quoted(word);
  return text + ")\n";
}

// Escapes blanks and special characters for pkg-config, and for CMake between quotes.
std::string escaped(const Words& words) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += ' ';
    for (const char c : word) {
      if (std::strchr(" \t\"'\\$", c)) text += '\\';
      text += c;
    }
  }
  return text;
}

// Writes the prefix into libstrata_program.a, so that its programs can start the prefix's mpirun.
std::string with_prefix(std::string library, const fs::path& prefix) {
  const std::string mark = kPrefixInProgram + std::string(1, '\0');
  const size_t at = library.find(mark);
  if (at == std::string::npos || library.find(mark, at + 1) != std::string::npos)
    throw std::runtime_error("libstrata_program.a has no place for the prefix");
  const std::string path = prefix.string();
  library.replace(at, path.size() + 1, path.c_str(), path.size() + 1);
  return library;
}

// Does not include smpi/mpi.h, which adds SimGrid's logs, assertions and names such as SEED, and redefines assert.
constexpr const char* kHeader =
    "// MPI as SimGrid has it. Written by `strata mpi`.\n"
    "#ifndef STRATA_MPI_H\n"
    "#define STRATA_MPI_H\n"
    "#if defined(__PIE__) || !defined(__PIC__)\n"
    "#warning \"strata mpi: compile with -fPIC, as mpicc and CMAKE_TOOLCHAIN_FILE do\"\n"
    "#endif\n"
    "// Its functions are declared weak, which hides from the linker that a program needs them.\n"
    "#pragma push_macro(\"weak\")\n"
    "#define weak unused\n"
    "#include <smpi/smpi.h>\n"
    "#pragma pop_macro(\"weak\")\n"
    "#include \"strata_mpi.h\"\n"
    "#endif\n";

std::string package(const std::string& description, const Flags& flags, const Words& language) {
  Words compile = flags.common;
  compile.insert(compile.end(), language.begin(), language.end());
  Words libraries = flags.program;
  libraries.insert(libraries.end(), flags.library.begin(), flags.library.end());
  return fmt::format("Name: {}\nDescription: {}\nVersion: {}\nCflags: {}\nLibs: {}\n", "MPI", description, "3.1",
                     escaped(compile), escaped(libraries));
}

// What SMPI's mpif.h lacks for files; for fixed and free form. The error classes are those of smpi.h's ERROR_ENUM.
constexpr const char* kAddedToMpif =
    "! Added by `strata mpi`.\n"
    "      integer MPI_SEEK_END\n"
    "      parameter(MPI_SEEK_END=604)\n"
    "      integer MPI_ERR_FILE\n"
    "      parameter(MPI_ERR_FILE=38)\n"
    "      integer MPI_ERR_NOT_SAME\n"
    "      parameter(MPI_ERR_NOT_SAME=39)\n"
    "      integer MPI_ERR_AMODE\n"
    "      parameter(MPI_ERR_AMODE=40)\n"
    "      integer MPI_ERR_UNSUPPORTED_DATAREP\n"
    "      parameter(MPI_ERR_UNSUPPORTED_DATAREP=41)\n"
    "      integer MPI_ERR_UNSUPPORTED_OPERATION\n"
    "      parameter(MPI_ERR_UNSUPPORTED_OPERATION=42)\n"
    "      integer MPI_ERR_NO_SUCH_FILE\n"
    "      parameter(MPI_ERR_NO_SUCH_FILE=43)\n"
    "      integer MPI_ERR_FILE_EXISTS\n"
    "      parameter(MPI_ERR_FILE_EXISTS=44)\n"
    "      integer MPI_ERR_BAD_FILE\n"
    "      parameter(MPI_ERR_BAD_FILE=45)\n"
    "      integer MPI_ERR_ACCESS\n"
    "      parameter(MPI_ERR_ACCESS=46)\n"
    "      integer MPI_ERR_NO_SPACE\n"
    "      parameter(MPI_ERR_NO_SPACE=47)\n"
    "      integer MPI_ERR_QUOTA\n"
    "      parameter(MPI_ERR_QUOTA=48)\n"
    "      integer MPI_ERR_READ_ONLY\n"
    "      parameter(MPI_ERR_READ_ONLY=49)\n"
    "      integer MPI_ERR_FILE_IN_USE\n"
    "      parameter(MPI_ERR_FILE_IN_USE=50)\n"
    "      integer MPI_ERR_IO\n"
    "      parameter(MPI_ERR_IO=53)\n";

// CMake's FindMPI drops -fPIC from the flags that it detects, and older projects only take the libraries. Therefore
// these are CMake's initial flags, and apply to all compilers of a project.
std::string cmake_toolchain(const Flags& flags) {
  Words link = flags.program;
  link.insert(link.end(), flags.library.begin(), flags.library.end() - 2);  // without MPI itself, which projects ask
                                                                            // for
  return fmt::format(R"(# Written by `strata mpi`: what CMake has to know so that programs load into the simulator.
set(CMAKE_C_FLAGS_INIT "-fPIC")
set(CMAKE_CXX_FLAGS_INIT "-fPIC {}")
set(CMAKE_Fortran_FLAGS_INIT "-fPIC {}")
set(CMAKE_EXE_LINKER_FLAGS_INIT [==[{}]==])
set(CMAKE_USER_MAKE_RULES_OVERRIDE "${{CMAKE_CURRENT_LIST_DIR}}/rules.cmake")
)",
                     fmt::join(flags.cxx, " "), fmt::join(flags.fortran, " "), escaped(link));
}

constexpr const char* kCmakeRules =
    R"(# Written by `strata mpi`. Code of programs is position-independent as that of libraries is.
foreach(language C CXX Fortran)
  set(CMAKE_${language}_COMPILE_OPTIONS_PIE -fPIC)
  set(CMAKE_${language}_LINK_OPTIONS_PIE "")
  set(CMAKE_${language}_LINK_OPTIONS_NO_PIE "")
endforeach()
)";

}  // namespace

std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

void write_prefix(const fs::path& prefix, const Parts& parts, const Words& machine) {
  std::error_code none;
  if (fs::exists(prefix, none) && !fs::exists(prefix / kMark, none) && !fs::is_empty(prefix, none))
    throw InputError(prefix, "is not empty, and no prefix of strata mpi", "name a new folder with --prefix");
  if (prefix.string().size() >= PATH_MAX) throw InputError(prefix, "is too long", "name another folder with --prefix");
  if (!fs::exists(fs::path(kSmpiHeaders) / "mpi.h", none))
    throw InputError(fs::path(kSmpiHeaders) / "mpi.h", "does not exist", "install Debian's libsimgrid-dev");
  const bool supply = fs::exists(parts.supply, none);
  const Flags flags = flags_of(prefix, supply);

  write(prefix / kMark,
        "# Written by `strata mpi`, read by bin/mpicc and its other names.\n"
        "c_compiler=gcc cxx_compiler=g++ fortran_compiler=gfortran\n"
        "version='Strata " STRATA_VERSION "'\n" +
            array("common_flags", flags.common) + array("c_flags", flags.c) + array("cxx_flags", flags.cxx) +
            array("fortran_flags", flags.fortran) + array("program_link_flags", flags.program) +
            array("library_link_flags", flags.library) + array("shared_malloc_flags", flags.shared_malloc));
  write(prefix / "share/strata/launch.sh",
        "# Written by `strata mpi`, read by bin/mpirun.\n"
        "version='Strata " STRATA_VERSION
        "'\n"
        "strata=" +
            quoted(parts.strata) + "\n" + array("machine", machine));
  write(prefix / "share/strata/toolchain.cmake", cmake_toolchain(flags));
  write(prefix / "share/strata/rules.cmake", kCmakeRules);

  write(prefix / "include/mpi.h", kHeader);
  write(prefix / "include/mpif.h", read_whole(fs::path(kSmpiHeaders) / "mpif.h") + kAddedToMpif);
  link(fs::path(kSmpiHeaders) / "mpi.mod", prefix / "include/mpi.mod");
  for (const char* name : {"mpi.pc", "mpi-c.pc", "ompi.pc", "ompi-c.pc", "mpich.pc"})
    write(prefix / "lib/pkgconfig" / name, package("MPI for C on a simulated machine", flags, flags.c));
  for (const char* name : {"mpi-cxx.pc", "ompi-cxx.pc", "mpichcxx.pc"})
    write(prefix / "lib/pkgconfig" / name, package("MPI for C++ on a simulated machine", flags, flags.cxx));
  for (const char* name : {"mpi-fort.pc", "ompi-fort.pc", "ompi-f77.pc", "ompi-f90.pc", "mpichf90.pc"})
    write(prefix / "lib/pkgconfig" / name, package("MPI for Fortran on a simulated machine", flags, flags.fortran));

  write(prefix / "lib/libstrata_program.a", with_prefix(read_whole(parts.libraries / "libstrata_program.a"), prefix));
  write(prefix / "lib/libstrata_shared_malloc.a", read_whole(parts.libraries / "libstrata_shared_malloc.a"));
  // It has no name of its own, so programs need it by this path. pkg-config would lose blanks in -Wl,-rpath.
  const fs::path mpi = prefix / "lib/strata/libstrata_mpi.so";
  write(mpi, read_whole(parts.libraries / "libstrata_mpi.so"));
  write(prefix / "lib/libstrata_mpi.so",
        fmt::format("/* What SMPI lacks. */\nINPUT(AS_NEEDED(\"{}\"))\n", mpi.string()));
  write(prefix / "include/strata_mpi.h", read_whole(parts.libraries / "mpi4.h"));
  write(prefix / "include/strata_mpi4.h", read_whole(parts.libraries / "strata_mpi4.h"));
  if (supply) link_supply(parts.supply, prefix / "lib");
  // Some makefiles add these libraries to those of mpicc. The system's libraries may belong to another MPI.
  for (const char* name : {"mpi", "mpi_cxx", "mpi_mpifh", "mpi_usempif08", "mpich", "mpichcxx", "mpichfort", "mpifort"})
    write(prefix / fmt::format("lib/lib{}.so", name),
          "/* MPI is libsimgrid and libstrata_mpi. */\nINPUT(AS_NEEDED(-lstrata_mpi -lsimgrid))\n");

  const std::string compile = read_whole(parts.scripts / "compile"), mpirun = read_whole(parts.scripts / "mpirun");
  for (const char* name : {"mpicc", "mpigcc", "mpicxx", "mpic++", "mpiCC", "mpig++", "mpif77", "mpif90", "mpif95",
                           "mpifort", "mpifc", "mpigfortran"})
    write(prefix / "bin" / name, compile, true);
  for (const char* name : {"mpirun", "mpiexec"}) write(prefix / "bin" / name, mpirun, true);
}

std::string shell_settings(const fs::path& prefix) {
  const std::string bin = quoted(prefix / "bin"), packages = quoted(prefix / "lib/pkgconfig");
  return "export PATH=" + bin + "${PATH:+:$PATH}\n" + "export PKG_CONFIG_PATH=" + packages +
         "${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}\n" + "export MPI_HOME=" + quoted(prefix) + "\n" +
         // Keep a toolchain file that the user has set.
         "case ${CMAKE_TOOLCHAIN_FILE-} in '' | */share/strata/toolchain.cmake)\n" +
         "  export CMAKE_TOOLCHAIN_FILE=" + quoted(prefix / "share/strata/toolchain.cmake") + ";;\nesac\n";
}

}  // namespace strata::toolchain
