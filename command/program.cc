// SPDX-License-Identifier: LGPL-2.1-only
#include "command/program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>

#include "base/error.h"
#include "base/nearest.h"
#include "base/output_check.h"
#include "base/output_error.h"
#include "base/system_error.h"
#include "check/engine/explore.h"
#include "console/style.h"
#include "sim/launcher/run.h"
#include "sim/launcher/simulation.h"

namespace strata::command {
namespace {

constexpr const char* kAbout =
    "Run MPI programs on machines that you do not have; measure, compare and check them.\n"
    "\n"
    "Start with:  strata quickstart\n"
    "In a clone of the sources, ./strata has two more commands:\n"
    "  ./strata test                     run the test suite\n"
    "  ./strata install --prefix DIR     install the command, and the library for your own programs";

constexpr const char* kExamples =
    "Examples:\n  strata quickstart\n"
    "  strata hsplit --machine ntw10e5 --np 48\n"
    "  strata run rr9077/fig5-bcast-ntw10e5 && strata report strata-out/fig5-bcast-ntw10e5\n"
    "Every command has examples too:  strata COMMAND --help\n"
    "All of the help as a JSON document:  strata --help-json, strata check --help-json";

// Prints a single line, even if `what` quotes a file or an argument with control characters.
int fail(int code, std::string what) {
  std::fflush(stdout);
  std::replace_if(
      what.begin(), what.end(), [](unsigned char c) { return std::iscntrl(c) != 0; }, ' ');
  std::fprintf(stderr, "%s %s\n", styled(console::Style::kBad, "strata:", stderr).c_str(), what.c_str());
  return code;
}

// Before the work begins, so that none is lost.
void check_outputs(const cli::App& app) {
  for (const cli::GivenOutput& output : app.given_outputs()) {
    switch (output.what) {
      case cli::Written::kNothing:
        break;
      case cli::Written::kFile:
        check_output_file(output.path);
        break;
      case cli::Written::kFolder:
        check_output_folder(output.path);
        break;
      case cli::Written::kFileOrFolder:
        check_output_beside(output.path);
        break;
    }
  }
}

int fail_stdout() { return fail(2, "stdout: cannot be written; free space or redirect it elsewhere"); }

// If stdout or stderr is closed, the next file that we open would get its descriptor, and output would go into that
// file. To prevent this, we occupy closed descriptors. Writing to a closed stdout still fails.
void occupy_closed_descriptors() {
  for (int d = STDIN_FILENO; d <= STDERR_FILENO; ++d) {
    if (::fcntl(d, F_GETFD) < 0) ::open("/dev/null", d == STDERR_FILENO ? O_WRONLY : O_RDONLY);
  }
}

// Whether this is `strata --help-json`, or `strata check --help-json` for strata_check. In other positions, the word
// may be a program's argument.
bool asks_for_help_json(int argc, char** argv) {
  const bool of_command = argc == 2, of_check = argc == 3 && std::strcmp(argv[1], "check") == 0;
  return (of_command || of_check) && std::strcmp(argv[argc - 1], "--help-json") == 0;
}

}  // namespace

int run_program(int argc, char** argv, const std::function<void(cli::App&, Action&)>& add_commands) {
  occupy_closed_descriptors();
  std::signal(SIGXFSZ, SIG_IGN);  // writing beyond the file size limit then returns an error, as on a full disk
  cli::App app(kAbout, "strata");
  app.require_subcommand(1);
  app.footer(kExamples);
  app.set_version_flag("--version", "strata " + sim::versions()["strata"]);
  Action action;
  add_commands(app, action);
  if (asks_for_help_json(argc, argv)) {
    std::fputs(app.describe("strata.help/1").c_str(), stdout);
    return std::fflush(stdout) != 0 ? fail_stdout() : 0;
  }
  char help[] = "--help";
  char* asks_for_help[] = {argv[0], help};
  const bool alone = argc == 1;
  try {
    app.parse(alone ? 2 : argc, alone ? asks_for_help : argv);
    for (const std::string& line : app.old_names()) std::fprintf(stderr, "strata: note: %s\n", line.c_str());
  } catch (const cli::Success& e) {  // --help, --version
    std::fputs(e.text.c_str(), stdout);
    return std::fflush(stdout) != 0 || std::ferror(stdout) != 0 ? fail_stdout() : 0;
  } catch (const cli::UnknownWord& e) {
    const std::string meant = did_you_mean(e.word, e.names);
    return fail(
        2, fmt::format("command line: {};{} see `{} --help`", e.what(), meant.empty() ? "" : " " + meant, e.command));
  } catch (const cli::ParseError& e) {
    return fail(2, fmt::format("command line: {}; see `{} --help`", e.what(), app.given_command()));
  } catch (const InputError& e) {  // for an option with a fixed set of words
    return fail(2, e.what());
  }
  try {
    check_outputs(app);
    const int code = action();
    return std::fflush(stdout) != 0 || std::ferror(stdout) != 0 ? fail_stdout() : code;
  } catch (const InputError& e) {
    return fail(2, e.what());
  } catch (const OutputError& e) {
    return fail(2, e.what());
  } catch (const SystemError& e) {
    return fail(2, e.what());
  } catch (const sim::SimulationFailed& e) {
    return fail(3, e.what());
  } catch (const check::CheckerFailed& e) {
    return fail(3, e.what());
  } catch (const Interrupted& e) {
    const char* kept = app.got_subcommand("run") ? "; finished records are kept, continue with --resume" : "";
    return fail(128 + e.signal, std::string("interrupted") + kept);
  } catch (const std::exception& e) {
    if (std::ferror(stdout) != 0) return fail_stdout();  // fmt::print throws instead
    if (const std::string line = system_error_line(e); !line.empty()) return fail(2, line);
    return fail(2, std::string("internal error: ") + e.what() + "; please report it with the command line");
  }
}

}  // namespace strata::command
