// SPDX-License-Identifier: LGPL-2.1-only
// The `strata` command.
//
// `strata check` is a separate program, strata_check: the model checker is a third of the code to compile, and most
// commands do not need it. ./strata builds it when it is first used.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "command/program.h"
#include "console/style.h"
#include "sim/launcher/installation.h"

namespace {

using strata::command::Action;

// Replaces this process by another program. Returns an exit code only if that fails.
int become(const std::filesystem::path& program, char** argv, const char* missing) {
  ::execv(program.c_str(), argv);
  const int error = errno;
  const std::string strata = styled(strata::console::Style::kBad, "strata:", stderr);
  if (error == ENOENT) {
    std::fprintf(stderr, "%s %s\n", strata.c_str(), missing);
  } else {
    std::fprintf(stderr, "%s %s: %s\n", strata.c_str(), program.c_str(), std::strerror(error));
  }
  return 2;
}

bool is_word(int argc, char** argv, int at, const char* word) { return argc > at && std::strcmp(argv[at], word) == 0; }

// Whether this is `strata submit merge`, or `strata merge` as it was called, for documents, which strata_check handles.
bool merges_checks(int argc, char** argv) {
  const int at = is_word(argc, argv, 1, "submit") ? 2 : 1;
  std::error_code ignored;
  return is_word(argc, argv, at, "merge") && std::any_of(argv + at + 1, argv + argc, [&](const char* word) {
           return std::filesystem::is_regular_file(word, ignored);
         });
}

int become_checker(int argc, char** argv) {
  const strata::sim::CheckPrograms programs = strata::sim::find_check_programs();
  if (programs.install_mc.empty()) {
    return become(programs.checker, argv,
                  "the model checker is not built; run ./strata check, or `bazel build //command:strata_check`");
  }
  const bool installs = argc == 3 && std::strcmp(argv[2], "--install-mc") == 0;
  return become(installs ? programs.install_mc : programs.checker, argv,
                "a part of this installation is missing; install Strata again");
}

// In the groups of --help.
void add_commands(strata::cli::App& app, Action& action) {
  using namespace strata::command;
  add_quickstart(app, action);
  add_exec(app, action);
  add_mpi(app, action);
  add_replay(app, action);
  app.formerly("trace", {"replay", "convert"});
  app.formerly("timeline", {"replay", "timeline"});
  app.group("Run your program", {"quickstart", "exec", "mpi", "replay"});
  add_run(app, action);
  add_report(app, action);
  add_compare(app, action);
  app.group("Study many cases", {"run", "report", "compare"});
  add_machines(app, action);
  add_topo(app, action);
  add_probe(app, action);
  add_calibrate(app, action);
  add_model(app, action);
  app.group("Describe a machine", {"machines", "topo", "probe", "calibrate", "model"});
  add_map(app, action);
  add_matrix(app, action);
  app.group("Place ranks", {"map", "matrix"});
  app.add_subcommand("check", kCheckAbout);  // for --help
  app.group("Check", {"check"});
  add_submit(app, action);
  app.formerly("status", {"submit", "status"});
  app.formerly("merge", {"submit", "merge"});
  app.group("Work on a cluster", {"submit"});
  add_collectives(app, action);
  app.group("Choose algorithms", {"collectives"});
  add_hsplit(app, action);
  add_nodecart(app, action);
  add_splittree(app, action);
  app.group("Algorithms of the papers", {"hsplit", "nodecart", "splittree"});
}

}  // namespace

int main(int argc, char** argv) {
  if (is_word(argc, argv, 1, "check") || merges_checks(argc, argv)) return become_checker(argc, argv);
  return strata::command::run_program(argc, argv, add_commands);
}
