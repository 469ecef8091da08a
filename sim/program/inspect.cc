// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/program/inspect.h"

#include <cxxabi.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <memory>
#include <set>
#include <sstream>
#include <utility>

#include "base/error.h"
#include "records/exchange/own_libraries.h"
#include "sim/program/elf_file.h"
#include "sim/simgrid/unimplemented.h"
#include "sim/simgrid/version.h"

namespace strata::sim {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBuild = "build it with the compilers of `strata mpi`";

#ifdef STRATA_SIMGRID_3_32
constexpr const char* kSimgrid = "libsimgrid.so.3.32";
#else
constexpr const char* kSimgrid = "libsimgrid.so.4.0";
#endif

// What `strata mpi` adds to SMPI, and the start of the names of its marks: functions that only end the program.
constexpr const char* kOwnMpi = "libstrata_mpi.so";
const std::string kRefusal = "strata_refuses_";

// MPI libraries by the start of their names. Intel MPI and MVAPICH have the same names as MPICH.
struct OtherMpi {
  const char* library;
  const char* name;
};
constexpr OtherMpi kOtherMpis[] = {
    {"libmpi.so.12", "MPICH"},  {"libmpich", "MPICH"},         {"libmpifort.so", "MPICH"},
    {"libmpicxx.so", "MPICH"},  {"libmpi.so", "Open MPI"},     {"libmpi_mpifh", "Open MPI"},
    {"libmpi_cxx", "Open MPI"}, {"libmpi_usempi", "Open MPI"}, {"libopen-pal", "Open MPI"},
};

std::string text_of(const std::vector<std::string>& list) {
  std::string text;
  for (const std::string& s : list) text += (text.empty() ? "" : ", ") + s;
  return text;
}

// Folders that the loader searches by default: its own, and those of /etc/ld.so.conf.d, for which it keeps an index.
const std::vector<std::string>& system_folders() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> folders;
    std::error_code ignored;
    for (const fs::directory_entry& file : fs::directory_iterator("/etc/ld.so.conf.d", ignored)) {
      std::ifstream in(file.path());
      for (std::string line; std::getline(in, line);) {
        if (line.starts_with("/")) folders.push_back(line);
      }
    }
    std::ranges::sort(folders);
    for (const char* own : {"/lib64", "/usr/lib64", "/lib", "/usr/lib"}) folders.emplace_back(own);
    return folders;
  }();
  return all;
}

// Whether a library belongs to the system rather than to the user.
bool of_system(const fs::path& library) {
  std::error_code ignored;
  const std::string real = fs::canonical(library, ignored).string();
  return std::ranges::any_of(std::initializer_list<const char*>{"/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/"},
                             [&](const char* folder) { return real.starts_with(folder); });
}

// Expands the folders that a file names, in which $ORIGIN is the file's own folder.
std::vector<std::string> expanded(std::vector<std::string> folders, const fs::path& file) {
  std::error_code ignored;
  const std::string origin = fs::absolute(file, ignored).parent_path().string();
  for (std::string& folder : folders) {
    for (const std::string word : {"$ORIGIN", "${ORIGIN}"}) {
      const std::size_t at = folder.find(word);
      if (at != std::string::npos) folder.replace(at, word.size(), origin);
    }
  }
  return folders;
}

// A file that needs libraries, and the folders that the loader searches for them before LD_LIBRARY_PATH: those in its
// DT_RPATH, and in the DT_RPATH of the files that needed it.
struct User {
  User(fs::path at, ElfFile of, const std::vector<std::string>& inherited) : file(std::move(at)), elf(std::move(of)) {
    if (elf.runpath.empty()) rpath = expanded(elf.rpath, file);
    rpath.insert(rpath.end(), inherited.begin(), inherited.end());
  }

  fs::path file;
  ElfFile elf;
  std::vector<std::string> rpath;
};

// Searches like the loader; empty: not found.
fs::path find_library(const std::string& name, const User& user) {
  std::error_code ignored;
  if (name.find('/') != std::string::npos) return fs::exists(name, ignored) ? fs::path(name) : fs::path();
  std::vector<std::string> folders;
  if (user.elf.runpath.empty()) folders = user.rpath;
  if (const char* path = std::getenv("LD_LIBRARY_PATH"); path != nullptr) {
    std::istringstream in(path);
    for (std::string folder; std::getline(in, folder, ':');) folders.push_back(folder);
  }
  const std::vector<std::string> runpath = expanded(user.elf.runpath, user.file);
  folders.insert(folders.end(), runpath.begin(), runpath.end());
  folders.insert(folders.end(), system_folders().begin(), system_folders().end());
  for (const std::string& folder : folders) {
    fs::path file = fs::path(folder.empty() ? "." : folder) / name;
    if (fs::exists(file, ignored)) return file;
  }
  return {};
}

// To readers, MPI_Send, mpi_send_ and PMPI_SEND__ are one function: "mpi_send". Empty for all other names.
std::string function_of(std::string symbol) {
  std::ranges::transform(symbol, symbol.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (symbol.starts_with("pmpi_")) symbol.erase(0, 1);
  if (!symbol.starts_with("mpi_")) return "";
  while (symbol.ends_with('_')) symbol.pop_back();
  return symbol;
}

// The function's name in MPI: MPI_Comm_spawn for mpi_comm_spawn.
std::string name_of(const std::string& symbol) {
  if (symbol.starts_with("MPI_")) return symbol;
  std::string name = function_of(symbol);
  for (const char* unimplemented : kUnimplemented) {
    if (function_of(unimplemented) == name) return unimplemented;
  }
  for (const std::size_t i : {0, 1, 2, 4}) {
    if (i < name.size()) name[i] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[i])));
  }
  return name;
}

// Whether it is a function of MPI or of the tools interface. Fortran also has constants and types with such names, in
// common blocks.
bool is_function(const std::string& symbol) {
  return symbol.starts_with("MPI_") || symbol.starts_with("PMPI_") || symbol.starts_with("mpi_") ||
         symbol.starts_with("pmpi_");
}

// Every program compiled with `strata mpi` refers to these only to test whether they exist, without calling them.
bool is_asked_for(const std::string& symbol) {
  const std::string function = function_of(symbol);
  return function == "mpi_init" || function == "mpi_init_thread";
}

std::string demangled(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  return status == 0 ? name.get() : symbol;
}

// Whether it runs scripts.
bool is_shell(const fs::path& program) {
  static const std::set<std::string> shells = {"sh",  "bash", "dash", "zsh",     "ksh",
                                               "csh", "tcsh", "env",  "numactl", "taskset"};
  return shells.contains(program.filename());
}

class Inspection {
 public:
  Inspection(const fs::path& program, const fs::path& supply) : program_(program), supply_(supply) {}

  ProgramFacts inspect() {
    if (!program_.has_filename() || fs::is_directory(program_)) fail("is a folder", "give the path of a program");
    const ElfFile elf = read_elf(program_);
    check_kind(elf);
    check_mpi(elf);
    if (!elf.has_dynamic) fail("is statically linked", kBuild);
    read_libraries(elf);
    if (!calls_mpi_)
      fail("calls no function of MPI", is_shell(program_)
                                           ? "give the MPI program itself: all ranks share one process, so "
                                             "no shell or script can start it for each of them"
                                           : "give an MPI program");
    if (elf.kind == ElfFile::Kind::kFixedExecutable || elf.executable) {
      fail("is an executable, which SMPI cannot load", kBuild);
    }
    const auto defines = [&](const char* symbol) {
      return std::ranges::find(elf.defined, symbol) != elf.defined.end();
    };
    if (!defines("main") && !defines("user_main_")) {
      fail("has no function main", "give a program, not a library");
    }
    find_missing(elf);
    return std::move(facts_);
  }

 private:
  [[noreturn]] void fail(const std::string& what, const std::string& remedy) const {
    throw InputError(program_.string(), what, remedy);
  }

  void check_kind(const ElfFile& elf) const {
    if (elf.kind == ElfFile::Kind::kRelocatable) fail("is an object file", "link it to a program");
    if (elf.kind == ElfFile::Kind::kOther) fail("is not a program", "give the file that the compiler made");
    static const ElfFile ours = read_elf("/proc/self/exe");
    if (elf.machine != ours.machine || elf.wide != ours.wide || elf.little_endian != ours.little_endian) {
      fail("is built for another processor", "build it on this machine");
    }
  }

  void check_mpi(const ElfFile& elf) const {
    for (const std::string& library : elf.needed) {
      for (const OtherMpi& other : kOtherMpis) {
        if (library.starts_with(other.library)) {
          fail("is built for " + std::string(other.name) + " (it needs " + library + ")", kBuild);
        }
      }
      if (library.starts_with("libsimgrid.so.") && library != kSimgrid) {
        fail("is built for another SimGrid (it needs " + library + ")",
             "build it again: here is " + std::string(kSimgrid));
      }
    }
  }

  // Reads the libraries that the program needs, directly or indirectly: each once, the nearest first.
  void read_libraries(const ElfFile& program) {
    note(program);
    std::vector<User> users = {{program_, program, {}}};
    std::set<std::string> seen;
    for (std::size_t i = 0; i < users.size(); ++i) {
      const User user = users[i];
      for (const std::string& name : user.elf.needed) {
        if (!seen.insert(name).second) continue;
        const fs::path file = find_library(name, user);
        if (file.empty()) {
          throw InputError(user.file.string(), "needs " + name + ", which is not found",
                           "add its folder to LD_LIBRARY_PATH");
        }
        if (name == kSimgrid) simgrid_ = file;
        if (of_system(file)) continue;
        ElfFile elf = read_elf(file);
        if (fs::path(name).filename() == kOwnMpi) {
          own_.insert(elf.defined.begin(), elf.defined.end());
          continue;
        }
        check_mpi_of_library(file, elf);
        note(elf);
        if (elf.variable_bytes > kOwnBytes && !is_own_library(fs::path(name).filename().string()))
          facts_.private_libraries.push_back(file);
        users.emplace_back(file, std::move(elf), user.rpath);
      }
    }
  }

  static void check_mpi_of_library(const fs::path& file, const ElfFile& elf) {
    for (const std::string& library : elf.needed) {
      for (const OtherMpi& other : kOtherMpis) {
        if (library.starts_with(other.library)) {
          throw InputError(file.string(), "is built for " + std::string(other.name) + " (it needs " + library + ")",
                           kBuild);
        }
      }
    }
  }

  // Collects the functions to which the program or one of its own libraries refers, and the variables that ranks share.
  void note(const ElfFile& elf) {
    for (const std::string& symbol : elf.undefined) {
      if (!is_function(symbol)) continue;
      calls_mpi_ = true;
      needed_.insert(symbol);
    }
    for (const std::string& symbol : elf.weak_undefined) {
      if (!is_function(symbol)) continue;
      calls_mpi_ = calls_mpi_ || !is_asked_for(symbol);
      needed_.insert(symbol);
    }
    for (const std::string& symbol : elf.defined) own_.insert(symbol);
    for (const std::string& symbol : elf.unique_variables) {
      if (!symbol.starts_with("_ZGV")) facts_.shared_variables.push_back(demangled(symbol));  // not the guard variables
    }
    std::ranges::sort(facts_.shared_variables);
    facts_.static_tls = facts_.static_tls || elf.static_tls;
  }

  void find_missing(const ElfFile& program) {
    if (simgrid_.empty()) simgrid_ = find_library(kSimgrid, {program_, program, {}});
    if (simgrid_.empty()) throw InputError(kSimgrid, "is not found", "install Debian's libsimgrid-dev");
    const auto symbols_of = [](const fs::path& file) {
      std::vector<std::string> defined = file.empty() ? std::vector<std::string>() : read_elf(file).defined;
      return std::set<std::string>(defined.begin(), defined.end());
    };
    const std::set<std::string> simgrid = symbols_of(simgrid_), supply = symbols_of(supply_);
    std::set<std::string> unimplemented;  // without those in the supply library
    for (const char* name : kUnimplemented) {
      if (!supply.contains(std::string("P") + name)) unimplemented.insert(function_of(name));
    }
    std::set<std::string> undefined, missing;
    for (const std::string& symbol : needed_) {
      if (own_.contains(kRefusal + name_of(symbol))) missing.insert(name_of(symbol));
      if (own_.contains(symbol)) continue;
      const bool there = simgrid.contains(symbol);
      // SMPI's own functions come first, and call PMPI_* of the supply library. But if a program calls PMPI_*, it gets
      // SMPI's.
      const bool works = there ? !unimplemented.contains(function_of(symbol)) && !calls_unimplemented_pmpi(symbol)
                               : supply.contains(symbol);
      if (works) continue;
      missing.insert(name_of(symbol));
      if (!there && program.binds_now) undefined.insert(name_of(symbol));
    }
    if (!undefined.empty()) {
      fail("needs " + text_of({undefined.begin(), undefined.end()}) + ", which the simulated MPI does not have",
           "link it without -z now to run the rest of it");
    }
    facts_.missing_functions.assign(missing.begin(), missing.end());
  }

  static bool calls_unimplemented_pmpi(const std::string& symbol) {
    return symbol.starts_with("PMPI_") &&
           std::ranges::any_of(kUnimplemented, [&](const char* name) { return symbol.substr(1) == name; });
  }

  // .data and .bss of a library without variables: __dso_handle, and a flag in the compiler's startup code.
  static constexpr std::size_t kOwnBytes = 16;

  fs::path program_, supply_, simgrid_;
  ProgramFacts facts_;
  bool calls_mpi_ = false;
  std::set<std::string> needed_, own_;
};

}  // namespace

std::vector<std::string> ProgramFacts::warnings(const fs::path& program) const {
  std::vector<std::string> all;
  const auto warn = [&](const std::string& what, const std::string& remedy) {
    all.push_back(InputError(program.string(), what, remedy).what());
  };
  if (!missing_functions.empty()) {
    warn("refers to " + text_of(missing_functions) + ", which the simulated MPI does not have",
         "it will end where it calls one");
  }
  if (!shared_variables.empty()) {
    constexpr std::size_t kShown = 5;
    std::vector<std::string> shown = shared_variables;
    if (shown.size() > kShown) {
      shown.resize(kShown);
      shown.push_back("and " + std::to_string(shared_variables.size() - kShown) + " more");
    }
    warn("all ranks share the variables " + text_of(shown), "compile it with -fno-gnu-unique");
  }
  if (static_tls) {
    warn("its thread-local variables are for one copy of it, so it may not start on many ranks",
         "compile it without -ftls-model");
  }
  return all;
}

ProgramFacts inspect_program(const fs::path& program, const fs::path& supply_library) {
  return Inspection(program, supply_library).inspect();
}

}  // namespace strata::sim
