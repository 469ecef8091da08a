// SPDX-License-Identifier: LGPL-2.1-only
// The program behind `strata check`, and `strata submit merge` for its documents.
#include "command/program.h"

int main(int argc, char** argv) {
  return strata::command::run_program(argc, argv, [](strata::cli::App& app, strata::command::Action& action) {
    strata::command::add_check(app, action);
    strata::command::add_merge_checks(app, action);
  });
}
