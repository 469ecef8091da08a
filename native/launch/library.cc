// SPDX-License-Identifier: LGPL-2.1-only
#include "native/launch/library.h"

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "base/error.h"
#include "base/isolated.h"
#include "base/search_path.h"
#include "base/shell_text.h"
#include "sim/program/elf_file.h"

namespace strata::native {
namespace {

constexpr const char* kOpenMpi = "libmpi.so.40";
constexpr std::array<const char*, 2> kMpich = {"libmpich.so.12", "libmpi.so.12"};
constexpr const char* kSmpi = "libsimgrid.so";
constexpr const char* kUcx = "libucp.so.0";
constexpr const char* kRelink = "link it with the shared library of Open MPI or MPICH: mpicc without -static";
constexpr double kLimit_s = 20;  // of processor time to load a library and ask it for its version

bool is_elf(const std::filesystem::path& program) {
  std::array<char, 4> magic{};
  std::ifstream(program, std::ios::binary).read(magic.data(), magic.size());
  return std::string(magic.data(), magic.size()) == "\177ELF";
}

// The system preloads nothing into a process that gets the rights of another user.
void refuse_other_user(const std::filesystem::path& program) {
  struct stat about {};
  if (::stat(program.c_str(), &about) != 0) return;
  const bool user = (about.st_mode & S_ISUID) != 0 && about.st_uid != ::getuid();
  const bool group = (about.st_mode & S_ISGID) != 0 && about.st_gid != ::getgid();
  if (!user && !group) return;
  throw InputError(program,
                   std::string("runs with the rights of another ") + (user ? "user (setuid)" : "group (setgid)"),
                   "take them away: chmod ug-s " + program.string());
}

// A script names its interpreter in the first line: "#!/bin/sh -e".
void check_interpreter(const std::filesystem::path& script) {
  std::array<char, 256> start{};  // as the kernel (BINPRM_BUF_SIZE)
  std::ifstream in(script, std::ios::binary);
  in.read(start.data(), start.size());
  std::string line(start.data(), static_cast<std::size_t>(in.gcount()));
  line.erase(std::min(line.find('\n'), line.size()));
  if (!line.starts_with("#!"))
    throw InputError(script, "is neither a program nor a script", "begin a script with a line such as #!/bin/sh");
  std::istringstream words(line.substr(2));
  std::string interpreter;
  words >> interpreter;
  if (::access(interpreter.c_str(), X_OK) != 0)
    throw InputError(script, "its interpreter '" + interpreter + "' does not exist", "correct its first line");
}

// Runs the loader of the program with --list, which loads libraries as for the program and prints them.
std::vector<Loaded> loaded_by(const std::filesystem::path& program, const std::string& loader) {
  const std::string command = shell_text({loader, "--list", program.string()}) + " 2>&1";
  std::FILE* pipe = ::popen(command.c_str(), "re");
  if (pipe == nullptr) throw InputError(program, "its libraries cannot be listed by " + loader);
  std::string text;
  std::array<char, 4096> part;
  for (std::size_t got; (got = std::fread(part.data(), 1, part.size(), pipe)) > 0;) text.append(part.data(), got);
  if (::pclose(pipe) != 0) {
    throw InputError(program, "cannot be loaded: " + text.substr(0, text.find('\n')),
                     "set LD_LIBRARY_PATH to the folders of its libraries");
  }
  return parse_loader_list(text);
}

const Loaded* find(const std::vector<Loaded>& all, const std::string& start) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Loaded& l) { return l.name.starts_with(start); });
  return found == all.end() ? nullptr : &*found;
}

// In a child process, because a library runs code when it is loaded.
std::string version_of(const std::filesystem::path& library) {
  Isolated child([&library] {
    void* handle = ::dlopen(library.c_str(), RTLD_LAZY | RTLD_GLOBAL);
    if (handle == nullptr) throw std::runtime_error(::dlerror());
    using Function = int(char*, int*);
    auto* function = reinterpret_cast<Function*>(::dlsym(handle, "MPI_Get_library_version"));
    if (function == nullptr) throw std::runtime_error("has no MPI_Get_library_version");
    std::array<char, 8192> text{};  // MPICH writes at most 8,192 characters, Open MPI 256
    int length = 0;
    function(text.data(), &length);
    return std::string(text.data());
  });
  child.wait(kLimit_s, [] { return false; });
  if (child.state() != Isolated::State::kDone)
    throw InputError(library, "does not give its version: " + child.text(), "use an MPI library that can be loaded");
  std::string version = version_in(child.text());
  if (version.empty()) throw InputError(library, "gives an unknown version: " + child.text());
  return version;
}

// Open MPI's components are in a folder beside the library. Debian: LIB/openmpi/lib/openmpi3; a prefix: LIB/openmpi.
bool has_ucx_component(const std::filesystem::path& library) {
  const std::filesystem::path folder = std::filesystem::weakly_canonical(library).parent_path();
  for (const std::filesystem::path& above : {folder, folder / "openmpi/lib"}) {
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(above, none)) {
      if (entry.path().filename().string().starts_with("openmpi") &&
          std::filesystem::exists(entry.path() / "mca_pml_ucx.so"))
        return true;
    }
  }
  return false;
}

// Both texts are in the library's constants, also if the program is stripped.
bool contains_mpi(const std::filesystem::path& program) {
  constexpr std::array<std::string_view, 2> kTexts = {"MPICH Version:", "ompi_mpi_init: "};
  constexpr std::size_t kPart = 1 << 20, kOverlap = 16;  // B; a text may begin in one part and end in the next
  std::ifstream in(program, std::ios::binary);
  std::string bytes(kOverlap + kPart, '\0');
  while (in) {
    in.read(bytes.data() + kOverlap, kPart);
    const std::string_view part(bytes.data(), kOverlap + static_cast<std::size_t>(in.gcount()));
    if (std::any_of(kTexts.begin(), kTexts.end(), [&](auto text) { return part.find(text) != part.npos; })) return true;
    std::copy_n(part.end() - kOverlap, kOverlap, bytes.begin());
  }
  return false;
}

// `library` is an MPI library that the program loads.
Library with_ucx(Library library, const std::filesystem::path& program, bool loads_ucx) {
  library.version = version_of(library.file);
  if (loads_ucx || (library.kind == Library::Kind::kOpenMpi && has_ucx_component(library.file))) return library;
  throw InputError(program, "uses " + name_of(library.kind) + " without UCX, " + library.file.string(),
                   "use one with UCX, for example Debian's, or configure yours " +
                       std::string(library.kind == Library::Kind::kOpenMpi ? "--with-ucx" : "--with-device=ch4:ucx"));
}

}  // namespace

std::string name_of(Library::Kind kind) {
  switch (kind) {
    case Library::Kind::kOpenMpi:
      return "Open MPI";
    case Library::Kind::kMpich:
      return "MPICH";
    case Library::Kind::kSmpi:
      return "SMPI";
    case Library::Kind::kUnknown:
      break;
  }
  return "no MPI library";
}

std::filesystem::path find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    if (!std::filesystem::exists(name)) throw InputError(name, "does not exist", "give the path of a program");
    if (!std::filesystem::is_regular_file(name) || ::access(name.c_str(), X_OK) != 0)
      throw InputError(name, "may not be run", "run chmod +x " + name);
    return name;
  }
  if (const std::optional<std::filesystem::path> file = find_in_path(name)) return *file;
  throw InputError(name, "is not in a folder of PATH", "give its path, for example ./" + name);
}

Library find_library(const std::filesystem::path& program) {
  refuse_other_user(program);
  if (!is_elf(program)) {
    check_interpreter(program);
    return {};
  }
  const sim::ElfFile elf = sim::read_elf(program);
  const sim::ElfFile ours = sim::read_elf("/proc/self/exe");
  if (elf.machine != ours.machine || elf.wide != ours.wide || elf.little_endian != ours.little_endian)
    throw InputError(program, "is for another architecture than this computer", "compile it here");
  if (elf.loader.empty()) {
    // smpicc makes shared objects with a main, which smpirun calls. They need not name SMPI's library.
    const bool smpi = std::find(elf.defined.begin(), elf.defined.end(), "main") != elf.defined.end();
    if (smpi) return {.kind = Library::Kind::kSmpi, .file = {}, .version = {}};
    throw InputError(program, elf.has_dynamic ? "is a shared library, not a program" : "is linked statically", kRelink);
  }
  const std::vector<Loaded> loaded = loaded_by(program, elf.loader);
  for (const Loaded& library : loaded) {
    if (library.path.empty())
      throw InputError(program, "needs " + library.name + ", which the loader does not find",
                       "set LD_LIBRARY_PATH to its folder");
  }
  const bool loads_ucx = find(loaded, kUcx) != nullptr;
  if (const Loaded* smpi = find(loaded, kSmpi)) return {Library::Kind::kSmpi, smpi->path, ""};
  const bool also_mpich = std::any_of(kMpich.begin(), kMpich.end(), [&](auto* name) { return find(loaded, name); });
  if (find(loaded, kOpenMpi) != nullptr && also_mpich)
    throw InputError(program, "is linked to Open MPI and to MPICH",
                     "link it with one of them; ldd shows what needs it");
  if (const Loaded* library = find(loaded, kOpenMpi))
    return with_ucx({Library::Kind::kOpenMpi, library->path, ""}, program, loads_ucx);
  for (const char* name : kMpich) {
    if (const Loaded* library = find(loaded, name))
      return with_ucx({Library::Kind::kMpich, library->path, ""}, program, loads_ucx);
  }
  if (contains_mpi(program)) throw InputError(program, "contains a static MPI library", kRelink);
  return {};
}

std::string version_in(const std::string& text) {
  // The first number with a point: "Open MPI v4.1.4, package: ...", "MPICH Version:      4.0.2\nMPICH Release date:
  // ...".
  constexpr const char* kDigits = "0123456789";
  for (std::size_t begin = 0; (begin = text.find_first_of(kDigits, begin)) != std::string::npos;) {
    const std::size_t end = std::min(text.find_first_of(" ,\t\r\n", begin), text.size());
    std::string word = text.substr(begin, end - begin);
    if (word.find('.') != std::string::npos) return word;
    begin = end;
  }
  return "";
}

std::vector<Loaded> parse_loader_list(const std::string& text) {
  // "\tlibm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x...)", "\tlibx.so => not found", "\t/lib/libc.so.6 (0x...)".
  std::vector<Loaded> all;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string::npos || begin == 0) continue;
    const std::size_t arrow = line.find(" => ", begin);
    const std::size_t address = line.rfind(" (0x");
    if (arrow == std::string::npos) {
      const std::filesystem::path path = line.substr(begin, address - begin);
      if (path.has_parent_path()) all.push_back({path.filename().string(), path});
      continue;
    }
    const std::string path = line.substr(arrow + 4, address == std::string::npos ? address : address - arrow - 4);
    all.push_back({line.substr(begin, arrow - begin), path == "not found" ? "" : path});
  }
  return all;
}

}  // namespace strata::native
