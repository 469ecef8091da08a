// SPDX-License-Identifier: LGPL-2.1-only
// The `strata` command.
//
// `strata check` is a program of its own, strata_check, because the model checker is a third of what there is to
// compile and most commands do not need it. ./strata builds it when it is asked for.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

#include "command/program.h"

namespace {

using strata::command::Action;

// Beside this program. A test has only the files that it asks Bazel for, also where more is built.
std::filesystem::path checker() {
  std::error_code ignored;
  if (const char* tests = std::getenv("TEST_SRCDIR")) {
    const auto folder = std::filesystem::path(tests) / "strata/command";
    if (std::filesystem::exists(folder / "strata", ignored)) return folder / "strata_check";
  }
  return std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path() / "strata_check";
}

// Becomes strata_check; returns, with an exit code, where that is not possible.
int become_checker(char** argv) {
  const std::string program = checker();
  ::execv(program.c_str(), argv);
  if (errno == ENOENT) {
    std::fputs("strata: the model checker is not built; run ./strata check, or `bazel build //command:strata_check`\n",
               stderr);
  } else {
    std::fprintf(stderr, "strata: %s: %s\n", program.c_str(), std::strerror(errno));
  }
  return 2;
}

// `strata merge` of documents, which are strata_check's.
bool merges_checks(int argc, char** argv) {
  std::error_code ignored;
  return argc > 1 && std::strcmp(argv[1], "merge") == 0 && std::any_of(argv + 2, argv + argc, [&](const char* word) {
           return std::filesystem::is_regular_file(word, ignored);
         });
}

void add_commands(strata::cli::App& app, Action& action) {
  using namespace strata::command;
  add_quickstart(app, action);
  add_machines(app, action);
  add_topo(app, action);
  add_exec(app, action);
  add_run(app, action);
  add_merge(app, action);
  add_replay(app, action);
  add_trace(app, action);
  add_report(app, action);
  add_compare(app, action);
  add_timeline(app, action);
  add_mpi(app, action);
  add_hsplit(app, action);
  add_nodecart(app, action);
  add_map(app, action);
  add_matrix(app, action);
  add_model(app, action);
  add_probe(app, action);
  add_calibrate(app, action);
  add_splittree(app, action);
  app.add_subcommand("check", kCheckAbout);  // for --help
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && (std::strcmp(argv[1], "check") == 0 || merges_checks(argc, argv))) return become_checker(argv);
  return strata::command::run_program(argc, argv, add_commands);
}
