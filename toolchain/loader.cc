// SPDX-License-Identifier: LGPL-2.1-only
// Preloaded into the simulator: gives each rank its own copies of libraries.
//
// SMPI opens a copy of the program for each rank, TMPDIR/PROGRAM_PID_RANK.so, which gives each rank its own variables.
// However, the libraries that the program needs are loaded only once, so ranks share their state: for example the units
// of libgfortran, where one rank would close what another has opened, and the variables of the program's own libraries.
// So before a copy of the program is opened,
//
//   1. each such library is copied to TMPDIR as well, under a unique name of the same length;
//   2. in all copies, the names of needed libraries are replaced by these names;
//   3. the loader finds the copies, because TMPDIR comes first in LD_LIBRARY_PATH (set by sim/launcher);
//   4. once they are open, the copies of the libraries are unlinked;
//   5. if there are many ranks (STRATA_FEW_MAPPINGS, sim/launcher/mappings.h), the segments of the copies are merged.
//
// The system's libraries, except libgfortran, and Strata's libraries are still shared.
//
// It also tells each rank where it is: its environment variables, and the name of its node (place.h).
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "records/exchange/own_libraries.h"
#include "toolchain/place.h"

extern "C" {
// SimGrid's, if it is there.
[[gnu::weak]] void* sg_actor_by_pid(long pid);
[[gnu::weak]] void* sg_actor_get_host(const void* actor);
[[gnu::weak]] const char* sg_host_get_name(const void* host);
[[gnu::weak]] const char* sg_host_get_property_value(const void* host, const char* name);
extern char** environ;
}

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& file) {
  std::fprintf(stderr, "strata: %s: %s\n", file.c_str(), std::strerror(errno));
  std::fflush(stderr);
  std::_Exit(3);  // a rank without its own libraries might compute wrong results
}

// An entry in a file that names a library of which each rank gets a copy.
struct Need {
  long at;           // offset of the name in the file
  std::string name;  // as in the file
  fs::path file;     // the library
};

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  if (!in) fail(file);
  return bytes;
}

// The libraries that an ELF file needs, and the folders in which they are searched.
struct Dynamic {
  std::vector<std::pair<long, std::string>> needed;  // offset in the file, name
  std::vector<std::string> folders;                  // DT_RUNPATH, or DT_RPATH if there is none
};

Dynamic dynamic_of(const std::string& bytes) {
  Dynamic dynamic;
  const auto at = [&bytes]<class T>(size_t offset, T& value) {
    if (offset + sizeof(T) > bytes.size()) return false;
    std::memcpy(&value, bytes.data() + offset, sizeof(T));
    return true;
  };
  ElfW(Ehdr) header;
  if (!at(0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return dynamic;
  std::vector<ElfW(Phdr)> segments(header.e_phnum);
  for (size_t i = 0; i < segments.size(); ++i) {
    if (!at(header.e_phoff + i * sizeof(ElfW(Phdr)), segments[i])) return dynamic;
  }
  const auto offset_of = [&segments](size_t address) -> size_t {
    for (const ElfW(Phdr) & s : segments) {
      if (s.p_type == PT_LOAD && address >= s.p_vaddr && address < s.p_vaddr + s.p_filesz)
        return address - s.p_vaddr + s.p_offset;
    }
    return 0;
  };
  size_t strings = 0, runpath = 0, rpath = 0;
  std::vector<size_t> needed;
  for (const ElfW(Phdr) & s : segments) {
    if (s.p_type != PT_DYNAMIC) continue;
    ElfW(Dyn) entry;
    for (size_t i = 0; at(s.p_offset + i * sizeof entry, entry) && entry.d_tag != DT_NULL; ++i) {
      if (entry.d_tag == DT_STRTAB) strings = offset_of(entry.d_un.d_ptr);
      if (entry.d_tag == DT_NEEDED) needed.push_back(entry.d_un.d_val);
      if (entry.d_tag == DT_RUNPATH) runpath = entry.d_un.d_val;
      if (entry.d_tag == DT_RPATH) rpath = entry.d_un.d_val;
    }
  }
  const auto text_at = [&bytes](size_t offset) { return offset < bytes.size() ? std::string(&bytes[offset]) : ""; };
  if (strings == 0) return dynamic;
  for (const size_t name : needed) dynamic.needed.emplace_back(strings + name, text_at(strings + name));
  if (runpath + rpath != 0) dynamic.folders = split(text_at(strings + (runpath ? runpath : rpath)), ':');
  return dynamic;
}

std::string replaced(std::string text, const std::string& old, const std::string& by) {
  for (size_t at = 0; (at = text.find(old, at)) != std::string::npos; at += by.size()) text.replace(at, old.size(), by);
  return text;
}

// The path of the library that the loader would use, if each rank needs its own copy; otherwise empty.
fs::path private_library(const std::string& name, const Dynamic& dynamic, const fs::path& origin) {
  if (strata::is_own_library(fs::path(name).filename().string())) return {};
  // The simulator has already loaded these, such as the C and C++ libraries. The program would get the same ones.
  if (void* loaded = ::dlopen(name.c_str(), RTLD_LAZY | RTLD_NOLOAD)) {
    link_map* map = nullptr;
    const bool known = ::dlinfo(loaded, RTLD_DI_LINKMAP, &map) == 0;
    ::dlclose(loaded);
    return known && name.starts_with("libgfortran.so") ? fs::path(map->l_name) : fs::path();
  }
  std::error_code none;
  if (name.find('/') != std::string::npos) return fs::exists(name, none) ? fs::path(name) : fs::path();
  std::vector<std::string> folders = dynamic.folders;
  if (const char* path = std::getenv("LD_LIBRARY_PATH")) {
    const std::vector<std::string> more = split(path, ':');
    folders.insert(folders.end(), more.begin(), more.end());
  }
  for (const std::string& folder : folders) {
    fs::path file = fs::path(replaced(replaced(folder, "${ORIGIN}", origin), "$ORIGIN", origin)) / name;
    if (!fs::is_regular_file(file, none)) continue;
    const std::string real = fs::canonical(file, none);
    for (const char* systems : {"/usr/lib/", "/usr/lib64/", "/usr/lib32/", "/lib/", "/lib64/", "/lib32/"}) {
      if (real.starts_with(systems)) return {};
    }
    return file;
  }
  return {};
}

// The result is the same for every rank, so it is computed once.
const std::vector<Need>& needs_of(const fs::path& file, const fs::path& origin, const std::string& key) {
  static std::map<std::string, std::vector<Need>> known;
  const auto found = known.find(key);
  if (found != known.end()) return found->second;
  std::vector<Need> needs;
  const Dynamic dynamic = dynamic_of(bytes_of(file));
  for (const auto& [at, name] : dynamic.needed) {
    const fs::path library = private_library(name, dynamic, origin);
    if (!library.empty()) needs.push_back({at, name, library});
  }
  return known[key] = needs;
}

// For example "s0_________" for "libfoo.so.1".
std::string new_name(size_t length) {
  static unsigned long number = 0;
  char text[24];
  std::snprintf(text, sizeof text, "%lu", number++);
  std::string name = text;
  if (name.size() + 1 > length) {
    errno = ENAMETOOLONG;
    fail("the library of a rank");
  }
  return "s" + name + std::string(length - 1 - name.size(), '_');
}

void duplicate(const fs::path& from, const fs::path& to) {
  const int in = ::open(from.c_str(), O_RDONLY | O_CLOEXEC);
  if (in < 0) fail(from);
  const int out = ::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRWXU);
  struct stat status {};
  if (out < 0 || ::fstat(in, &status) != 0) fail(to);
  for (off_t done = 0; done < status.st_size;) {
    if (::sendfile(out, in, &done, static_cast<size_t>(status.st_size - done)) <= 0) fail(to);
  }
  ::close(in);
  ::close(out);
}

// One rank's copies of libraries. The destructor unlinks them.
class Libraries {
 public:
  explicit Libraries(const fs::path& folder) : folder_(folder) {}
  ~Libraries() {
    for (const auto& [library, name] : names_) ::unlink((folder_ / name).c_str());
  }

  // Gives `file`, a copy of `key`, its own copies of the libraries that it needs.
  void give(const fs::path& file, const fs::path& origin, const std::string& key) {
    const std::vector<Need>& needs = needs_of(file, origin, key);
    if (needs.empty()) return;
    for (const Need& need : needs) name_of(need);
    const int out = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
    if (out < 0) fail(file);
    for (const Need& need : needs) {
      const std::string& name = names_.at(need.file);
      if (::pwrite(out, name.data(), name.size(), need.at) != static_cast<ssize_t>(name.size())) fail(file);
    }
    ::close(out);
  }

 private:
  void name_of(const Need& need) {
    if (names_.contains(need.file)) return;
    const std::string name = names_[need.file] = new_name(need.name.size());
    duplicate(need.file, folder_ / name);
    give(folder_ / name, need.file.parent_path(), need.file);
  }

  fs::path folder_;
  std::map<fs::path, std::string> names_;
};

// SMPI names a rank's copy of the program PROGRAM_PID_RANK.so.
bool is_copy(const fs::path& file) {
  const std::string name = file.filename(), process = "_" + std::to_string(::getpid()) + "_";
  const size_t at = name.rfind(process);
  return at != std::string::npos && name.ends_with(".so") &&
         name.find_first_not_of("0123456789", at + process.size()) == name.size() - 3;
}

// --- few memory mappings ---

std::uintptr_t page_of(std::uintptr_t address) {
  static const auto size = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  return address / size * size;
}

std::uintptr_t page_after(std::uintptr_t address) {
  static const auto size = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  return page_of(address + size - 1);
}

// The kernel joins neighbouring mappings of one file if their offsets fit and all have the same protection, and
// neighbouring anonymous ones. So constants become executable like the code between them. Relocated constants, which
// are protected against writing, and variables become anonymous memory like the variables that are zero at the start.
// If a step fails, the object stays as it is from there on, which costs only mappings.
void merge_segments(std::uintptr_t base) {
  const auto* header = reinterpret_cast<const ElfW(Ehdr)*>(base);
  if (std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return;
  const auto* segments = reinterpret_cast<const ElfW(Phdr)*>(base + header->e_phoff);
  for (int i = 0; i < header->e_phnum; ++i) {
    const ElfW(Phdr)& s = segments[i];
    if (s.p_type != PT_LOAD || s.p_filesz == 0) continue;
    const std::uintptr_t begin = page_of(base + s.p_vaddr), end = page_after(base + s.p_vaddr + s.p_filesz);
    auto* const at = reinterpret_cast<void*>(begin);  // NOLINT(performance-no-int-to-ptr): an address of the object
    if ((s.p_flags & PF_W) == 0) {
      if (::mprotect(at, end - begin, PROT_READ | PROT_EXEC) != 0) return;
      continue;
    }
    const std::vector<char> contents(static_cast<const char*>(at), static_cast<const char*>(at) + (end - begin));
    const int protection = PROT_READ | PROT_WRITE | ((s.p_flags & PF_X) != 0 ? PROT_EXEC : 0);
    if (::mmap(at, contents.size(), protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED) return;
    std::memcpy(at, contents.data(), contents.size());
  }
}

// Merges those of the program's copy, and of the libraries' copies in its folder, which the loader has put after it in
// its list.
void merge_copies(void* program, const std::string& folder) {
  link_map* object = nullptr;
  if (program == nullptr || ::dlinfo(program, RTLD_DI_LINKMAP, &object) != 0) return;
  for (; object != nullptr; object = object->l_next) {
    if (std::string_view(object->l_name).starts_with(folder)) merge_segments(object->l_addr);
  }
}

bool found_first(const fs::path& folder) {
  const char* path = std::getenv("LD_LIBRARY_PATH");
  std::error_code none;
  return path && fs::equivalent(split(path, ':').front(), folder, none);
}

// The PROGRAM in "smpimain PROGRAM ...".
fs::path program() {
  std::ifstream in("/proc/self/cmdline", std::ios::binary);
  std::string simulator, program;
  std::getline(in, simulator, '\0');
  std::getline(in, program, '\0');
  std::error_code none;
  return fs::canonical(program, none);
}

// Where a rank is.
struct Rank {
  std::string node;
  int node_number, local_rank;  // numbered by their first rank; among the ranks of the node
};

// As mpi_ext/preload/supply names it.
std::string node_of(const void* host) {
  const char* number = sg_host_get_property_value(host, "node");
  return number ? std::string("node") + number : std::string(sg_host_get_name(host));
}

// All ranks, which are the actors 1 to n, and the number of ranks on each node.
struct Ranks {
  std::vector<Rank> all;
  std::vector<int> on_node;
};

Ranks find_ranks() {
  Ranks ranks;
  std::map<std::string, int> numbers;
  if (!sg_actor_by_pid) return ranks;
  for (long pid = 1; const void* actor = sg_actor_by_pid(pid); ++pid) {
    const std::string node = node_of(sg_actor_get_host(actor));
    const int number = numbers.try_emplace(node, static_cast<int>(numbers.size())).first->second;
    if (number == static_cast<int>(ranks.on_node.size())) ranks.on_node.push_back(0);
    ranks.all.push_back({node, number, ranks.on_node[number]++});
  }
  return ranks;
}

// The variables that launchers set, each by its own name: Open MPI, MPICH and Intel MPI (PMI, MPI_LOCAL*), MVAPICH and
// Slurm.
std::vector<std::pair<std::string, std::string>> variables_of(const Ranks& ranks, std::size_t number) {
  const Rank& rank = ranks.all[number];
  const std::string size = std::to_string(ranks.all.size()), me = std::to_string(number),
                    local_size = std::to_string(ranks.on_node[rank.node_number]),
                    local = std::to_string(rank.local_rank), node = std::to_string(rank.node_number),
                    nodes = std::to_string(ranks.on_node.size());
  return {{"OMPI_COMM_WORLD_SIZE", size},
          {"OMPI_COMM_WORLD_RANK", me},
          {"OMPI_COMM_WORLD_LOCAL_SIZE", local_size},
          {"OMPI_COMM_WORLD_LOCAL_RANK", local},
          {"OMPI_COMM_WORLD_NODE_RANK", local},
          {"PMIX_RANK", me},
          {"PMI_SIZE", size},
          {"PMI_RANK", me},
          {"MPI_LOCALNRANKS", local_size},
          {"MPI_LOCALRANKID", local},
          {"MV2_COMM_WORLD_SIZE", size},
          {"MV2_COMM_WORLD_RANK", me},
          {"MV2_COMM_WORLD_LOCAL_SIZE", local_size},
          {"MV2_COMM_WORLD_LOCAL_RANK", local},
          {"SLURM_NTASKS", size},
          {"SLURM_NPROCS", size},
          {"SLURM_PROCID", me},
          {"SLURM_LOCALID", local},
          {"SLURM_NODEID", node},
          {"SLURM_NNODES", nodes},
          {"SLURM_JOB_NUM_NODES", nodes},
          {"SLURMD_NODENAME", rank.node}};
}

// A list for the rank: the process's variables, and those of launchers with the rank's values. Never freed.
char** environment_of(const std::vector<std::pair<std::string, std::string>>& variables) {
  std::set<std::string_view> names;
  for (const auto& [name, value] : variables) names.insert(name);
  std::vector<char*> list;
  for (char** at = environ; at && *at; ++at) {
    const std::string_view entry = *at;
    if (!names.contains(entry.substr(0, entry.find('=')))) list.push_back(*at);
  }
  for (const auto& [name, value] : variables) list.push_back(::strdup((name + "=" + value).c_str()));
  list.push_back(nullptr);
  char** const result = static_cast<char**>(std::malloc(list.size() * sizeof(char*)));
  std::memcpy(result, list.data(), list.size() * sizeof(char*));
  return result;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) strata_place* strata_place_of(long pid) {
  static const Ranks ranks = find_ranks();
  static std::map<long, strata_place> places;
  if (pid < 1 || pid > static_cast<long>(ranks.all.size())) return nullptr;
  const auto [place, first] = places.try_emplace(pid);
  const auto number = static_cast<std::size_t>(pid - 1);
  if (first) place->second = {ranks.all[number].node.c_str(), environment_of(variables_of(ranks, number))};
  return &place->second;
}

extern "C" __attribute__((visibility("default"))) void* dlopen(const char* file, int mode) {
  using Open = void*(const char*, int);
  static Open* const real = reinterpret_cast<Open*>(::dlsym(RTLD_NEXT, "dlopen"));
  if (!file || (mode & RTLD_NOLOAD) || !is_copy(file)) return real(file, mode);
  fs::path folder = fs::path(file).parent_path();
  if (folder.empty()) folder = ".";
  if (!found_first(folder)) return real(file, mode);
  // Print Fortran's output immediately, as in other languages, and not at the end of the simulation.
  ::setenv("GFORTRAN_UNBUFFERED_PRECONNECTED", "y", 0);
  // A rank has one core. Without this, OpenMP would start as many threads as this computer has cores.
  ::setenv("OMP_NUM_THREADS", "1", 0);
  // Threads that wait for others sleep, because with --compute measured the processor time of all threads counts.
  ::setenv("OMP_WAIT_POLICY", "passive", 0);
  static const fs::path original = program();
  Libraries libraries(folder);
  libraries.give(file, original.parent_path(), original);
  void* const program = real(file, mode);
  static const bool few_mappings = std::getenv("STRATA_FEW_MAPPINGS") != nullptr;
  if (few_mappings) merge_copies(program, folder);
  return program;
}
