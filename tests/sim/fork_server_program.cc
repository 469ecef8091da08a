// SPDX-License-Identifier: LGPL-2.1-only
// What fork_server_test starts: says who and where it is, then ends as its first argument tells: with an exit code, by
// a signal ("-9"), or never ("sleep").
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

#include "base/fork_server.h"

namespace {

int run(const std::vector<char*>& arguments) {
  const auto value_of = [](const char* variable) {
    const char* value = std::getenv(variable);
    return value == nullptr ? "unset" : value;
  };
  std::printf("parent %d group %d\nin %s\n", ::getppid(), ::getpgrp() == ::getpid() ? 1 : 0,
              std::filesystem::current_path().c_str());
  std::printf("SET %s\nEMPTY '%s'\nUNSET %s\n", value_of("SET"), value_of("EMPTY"), value_of("UNSET"));
  std::printf("40 is %s\n", std::filesystem::read_symlink("/proc/self/fd/40").c_str());
  for (size_t i = 1; i + 1 < arguments.size(); ++i) std::printf("argument '%s'\n", arguments[i]);
  std::fflush(stdout);
  std::fputs("an error\n", stderr);
  if (std::strcmp(arguments[0], "sleep") == 0) {
    while (true) ::pause();
  }
  const int end = std::atoi(arguments[0]);
  if (end < 0) ::raise(-end);
  return end;
}

}  // namespace

int main() {
  if (!strata::is_fork_server()) return 1;
  strata::serve([](std::vector<char*>& arguments) { return run(arguments); });
  return 0;
}
