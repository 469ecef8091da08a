// The `strata` command: parses the command line, runs the subcommand, and turns every failure into one line on stderr
// and the right exit code.
#include <csignal>
#include <cstdio>
#include <exception>

#include "platforms/error.h"
#include "sim/command/command.h"
#include "sim/launcher/run.h"
#include "sim/launcher/simulation.h"
#include "sim/record/output_error.h"

namespace {

constexpr const char* kAbout =
    "Simulates, measures and verifies topology-aware MPI without the machine.\n"
    "\n"
    "Start with:  strata quickstart\n"
    "Also (of the ./strata wrapper):  strata test   runs the whole test suite";

int fail(int code, const std::exception& e) {
  std::fflush(stdout);
  std::fprintf(stderr, "strata: %s\n", e.what());
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(kAbout, "strata");
  app.require_subcommand(1);
  app.set_version_flag("--version", "strata " + strata::sim::versions()["strata"]);
  strata::command::Action action;
  strata::command::add_quickstart(app, action);
  strata::command::add_machines(app, action);
  strata::command::add_topo(app, action);
  strata::command::add_run(app, action);
  strata::command::add_report(app, action);
  strata::command::add_hsplit(app, action);
  strata::command::add_model(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& e) {  // --help, --version
    return app.exit(e);
  } catch (const CLI::ParseError& e) {
    std::fprintf(stderr, "strata: command line: %s; see `strata --help` or `strata COMMAND --help`\n", e.what());
    return 2;
  }
  try {
    const int code = action();
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
      std::fprintf(stderr, "strata: stdout: cannot be written; free space or give another place\n");
      return 2;
    }
    return code;
  } catch (const strata::InputError& e) {
    return fail(2, e);
  } catch (const strata::OutputError& e) {
    return fail(2, e);
  } catch (const strata::sim::SimulationFailed& e) {
    return fail(3, e);
  } catch (const strata::sim::Interrupted& e) {
    std::fprintf(stderr, "strata: interrupted; finished records are kept, continue with --resume\n");
    return 128 + e.signal;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "strata: internal error: %s; please report it with the command line\n", e.what());
    return 2;
  }
}
