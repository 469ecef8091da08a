// SPDX-License-Identifier: LGPL-2.1-only
// The functions of UCX that the installed MPI libraries call are those in ucx_functions.txt for this release, and our
// library, or UCX's libucs, has each of them. A new release that calls another function fails here with its name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "native/launch/library.h"
#include "sim/program/elf_file.h"
#include "tests/process/process.h"

namespace strata::native {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

// The MPI library of a program, and of Open MPI the components beside it, of which Open MPI 5 has most in libopen-pal.
std::vector<fs::path> files_of(const Library& library) {
  std::vector<fs::path> files = {library.file};
  if (library.kind != Library::Kind::kOpenMpi) return files;
  const fs::path folder = fs::weakly_canonical(library.file).parent_path();
  for (const fs::path& above : {folder, folder / "openmpi/lib", folder.parent_path().parent_path()}) {
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(above, none)) {
      const std::string name = entry.path().filename();
      if (name.starts_with("libmca_common_ucx.so") || name.starts_with("libopen-pal.so")) files.push_back(entry.path());
      if (!name.starts_with("openmpi") || !entry.is_directory()) continue;
      for (const auto& component : fs::directory_iterator(entry.path(), none))
        if (component.path().string().ends_with("_ucx.so")) files.push_back(component.path());
    }
  }
  return files;
}

Names called_by(const Library& library) {
  Names names;
  for (const fs::path& file : files_of(library)) {
    const sim::ElfFile elf = sim::read_elf(file);
    for (const auto* const some : {&elf.undefined, &elf.weak_undefined})
      for (const std::string& name : *some)
        if (name.starts_with("ucp_") || name.starts_with("ucs_") || name.starts_with("uct_")) names.insert(name);
  }
  return names;
}

// Those of a release in ucx_functions.txt: "openmpi 4.1.4 ucp_cleanup". Empty: the release is not there.
Names listed(const std::string& release) {
  Names names;
  for (const std::string& line : lines_of(read_text(built("tests/native/ucx_functions.txt"))))
    if (line.starts_with(release + " ")) names.insert(line.substr(release.size() + 1));
  return names;
}

class UcxSymbols : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Mpi, UcxSymbols, testing::Values("openmpi", "mpich"),
                         [](const auto& info) { return info.param; });

TEST_P(UcxSymbols, AreDefinedAndListed) {
  const Library library = find_library(built("tests/native/launch_mpi_program_" + GetParam()));
  const Names called = called_by(library);
  EXPECT_GT(called.size(), 20U);
  const std::vector<std::string> ours = sim::read_elf(built("native/rank/libucp.so.0")).defined;
  const Names defined(ours.begin(), ours.end());
  for (const std::string& name : called) {
    if (name.starts_with("ucp_")) {
      EXPECT_TRUE(defined.contains(name)) << GetParam() << " " << library.version << " calls " << name;
    }
  }
  const std::string release = GetParam() + " " + library.version;
  const Names known = listed(release);
  std::ostringstream lines;
  for (const std::string& name : called) lines << release << " " << name << "\n";
  if (known.empty()) GTEST_SKIP() << "ucx_functions.txt does not have this release; add\n" << lines.str();
  EXPECT_EQ(called, known) << "ucx_functions.txt should have\n" << lines.str();
}

}  // namespace
}  // namespace strata::native
