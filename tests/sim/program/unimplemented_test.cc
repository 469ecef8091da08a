// SPDX-License-Identifier: LGPL-2.1-only
// The list of functions that SMPI only declares, compared with the installed library: each function is called in its
// own process, with zeros as arguments. A function that is not implemented reports this before it uses its arguments.
#include "sim/simgrid/unimplemented.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <link.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <string>
#include <vector>

#include "sim/program/elf_file.h"

namespace strata::sim {
namespace {

// True if the function reports that it is not implemented, and ends the process.
bool ends_the_program(void* function) {
  std::array<int, 2> pipe{};
  EXPECT_EQ(::pipe(pipe.data()), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(pipe[1], STDERR_FILENO);
    ::dup2(::open("/dev/null", O_WRONLY), STDOUT_FILENO);
    const rlimit no_core = {0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    ::alarm(5);
    reinterpret_cast<long (*)(long, long, long, long, long, long, long, long, long, long, long, long)>(function)(
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    ::_exit(0);
  }
  ::close(pipe[1]);
  std::string text;
  std::array<char, 4096> some{};
  for (ssize_t got = 0; (got = ::read(pipe[0], some.data(), some.size())) > 0;) {
    text.append(some.data(), static_cast<std::size_t>(got));
  }
  ::close(pipe[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  return !WIFEXITED(status) && text.find("Not yet implemented: PMPI_") != std::string::npos;
}

TEST(Unimplemented, IsWhatTheLibrarySays) {
  void* library = ::dlopen("libsimgrid.so", RTLD_NOW | RTLD_GLOBAL);
  ASSERT_NE(library, nullptr) << ::dlerror();
  const link_map* map = nullptr;
  ASSERT_EQ(::dlinfo(library, RTLD_DI_LINKMAP, &map), 0);
  std::vector<std::string> found;
  int functions = 0;
  for (const std::string& symbol : read_elf(map->l_name).defined) {
    if (!symbol.starts_with("PMPI_")) continue;
    ++functions;
    if (ends_the_program(::dlsym(library, symbol.c_str()))) found.push_back(symbol.substr(1));
  }
  EXPECT_GT(functions, 300);
  EXPECT_THAT(kUnimplemented, ::testing::UnorderedElementsAreArray(found));
}

}  // namespace
}  // namespace strata::sim
