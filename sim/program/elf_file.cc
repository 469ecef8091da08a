// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/program/elf_file.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <sstream>

#include "base/error.h"
#include "base/input_file.h"

namespace strata::sim {
namespace {

class Reader {
 public:
  explicit Reader(const std::filesystem::path& file) : file_(file) {
    ::elf_version(EV_CURRENT);
    check_input(file, "give the path of a program", kAnySize_bytes);
    descriptor_ = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) throw InputError(file_, std::strerror(errno), "give the path of a program");
    std::array<char, 4> magic{};
    const ssize_t got = ::read(descriptor_, magic.data(), magic.size());
    if (got < 0) fail(std::strerror(errno), "give the path of a program");
    if (got >= 2 && magic[0] == '#' && magic[1] == '!')
      fail("is a script",
           "give the MPI program that it starts: all ranks share one process, so no script can start it for each");
    if (got < SELFMAG || std::memcmp(magic.data(), ELFMAG, SELFMAG) != 0) {
      fail("is not a program (ELF file)", "give the file that the compiler made");
    }
    elf_ = ::elf_begin(descriptor_, ELF_C_READ_MMAP, nullptr);
    if (elf_ == nullptr || ::elf_kind(elf_) != ELF_K_ELF) damaged();
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  ~Reader() { close(); }

  ElfFile read() {
    GElf_Ehdr header;
    if (::gelf_getehdr(elf_, &header) == nullptr) damaged();
    result_.machine = header.e_machine;
    result_.wide = header.e_ident[EI_CLASS] == ELFCLASS64;
    result_.little_endian = header.e_ident[EI_DATA] == ELFDATA2LSB;
    switch (header.e_type) {
      case ET_REL:
        result_.kind = ElfFile::Kind::kRelocatable;
        break;
      case ET_EXEC:
        result_.kind = ElfFile::Kind::kFixedExecutable;
        break;
      case ET_DYN:
        result_.kind = ElfFile::Kind::kDynamic;
        break;
      default:
        break;
    }
    std::size_t names = 0;
    if (::elf_getshdrstrndx(elf_, &names) != 0) damaged();
    for (Elf_Scn* section = nullptr; (section = ::elf_nextscn(elf_, section)) != nullptr;) {
      GElf_Shdr at;
      if (::gelf_getshdr(section, &at) == nullptr) damaged();
      if (at.sh_type == SHT_DYNAMIC) read_dynamic(section, at);
      if (at.sh_type == SHT_DYNSYM) read_symbols(section, at);
      const std::string name = string(names, at.sh_name);
      if (name == ".interp") read_loader(section);
      if (name == ".data" || name == ".bss") result_.variable_bytes += at.sh_size;
    }
    return result_;
  }

 private:
  [[noreturn]] void fail(const std::string& what, const std::string& remedy) {
    close();
    throw InputError(file_, what, remedy);
  }
  [[noreturn]] void damaged() { fail("is a damaged program (ELF file)", "build it again"); }

  void close() {
    if (elf_ != nullptr) ::elf_end(elf_);
    if (descriptor_ >= 0) ::close(descriptor_);
    elf_ = nullptr;
    descriptor_ = -1;
  }

  std::string string(std::size_t section, std::size_t offset) {
    const char* text = ::elf_strptr(elf_, section, offset);
    if (text == nullptr) damaged();
    return text;
  }

  void read_loader(Elf_Scn* section) {
    const Elf_Data* data = ::elf_getdata(section, nullptr);
    if (data == nullptr || data->d_buf == nullptr) return;  // file with separate debugging information
    const auto* text = static_cast<const char*>(data->d_buf);
    result_.loader.assign(text, ::strnlen(text, data->d_size));
  }

  void read_dynamic(Elf_Scn* section, const GElf_Shdr& at) {
    result_.has_dynamic = true;
    Elf_Data* data = ::elf_getdata(section, nullptr);
    if (data == nullptr || at.sh_entsize == 0) return;  // file with separate debugging information
    GElf_Dyn entry;
    for (int i = 0; ::gelf_getdyn(data, i, &entry) != nullptr && entry.d_tag != DT_NULL; ++i) {
      switch (entry.d_tag) {
        case DT_NEEDED:
          result_.needed.push_back(string(at.sh_link, entry.d_un.d_val));
          break;
        case DT_RPATH:
          result_.rpath = folders(string(at.sh_link, entry.d_un.d_val));
          break;
        case DT_RUNPATH:
          result_.runpath = folders(string(at.sh_link, entry.d_un.d_val));
          break;
        case DT_FLAGS:
          result_.binds_now = result_.binds_now || (entry.d_un.d_val & DF_BIND_NOW) != 0;
          result_.static_tls = (entry.d_un.d_val & DF_STATIC_TLS) != 0;
          break;
        case DT_FLAGS_1:
          result_.binds_now = result_.binds_now || (entry.d_un.d_val & DF_1_NOW) != 0;
          result_.executable = (entry.d_un.d_val & DF_1_PIE) != 0;
          break;
        case DT_BIND_NOW:
          result_.binds_now = true;
          break;
        default:
          break;
      }
    }
  }

  static std::vector<std::string> folders(const std::string& path) {
    std::vector<std::string> all;
    std::istringstream in(path);
    for (std::string folder; std::getline(in, folder, ':');) all.push_back(folder);
    return all;
  }

  void read_symbols(Elf_Scn* section, const GElf_Shdr& at) {
    Elf_Data* data = ::elf_getdata(section, nullptr);
    if (data == nullptr) damaged();
    GElf_Sym symbol;
    for (int i = 1; ::gelf_getsym(data, i, &symbol) != nullptr; ++i) {
      const int binding = GELF_ST_BIND(symbol.st_info);
      const std::string name = string(at.sh_link, symbol.st_name);
      if (symbol.st_shndx == SHN_UNDEF) {
        (binding == STB_WEAK ? result_.weak_undefined : result_.undefined).push_back(name);
        continue;
      }
      if (binding == STB_LOCAL) continue;
      result_.defined.push_back(name);
      if (binding == STB_GNU_UNIQUE && GELF_ST_TYPE(symbol.st_info) == STT_OBJECT && writable(symbol.st_shndx)) {
        result_.unique_variables.push_back(name);
      }
    }
  }

  // Whether a section can change while the program runs. Constants that contain addresses cannot after they are loaded.
  bool writable(std::size_t section) {
    GElf_Shdr at;
    std::size_t names = 0;
    Elf_Scn* found = ::elf_getscn(elf_, section);
    if (found == nullptr || ::gelf_getshdr(found, &at) == nullptr || ::elf_getshdrstrndx(elf_, &names) != 0)
      return false;
    return (at.sh_flags & SHF_WRITE) != 0 && !string(names, at.sh_name).starts_with(".data.rel.ro");
  }

  std::string file_;
  int descriptor_ = -1;
  Elf* elf_ = nullptr;
  ElfFile result_;
};

}  // namespace

ElfFile read_elf(const std::filesystem::path& file) { return Reader(file).read(); }

}  // namespace strata::sim
