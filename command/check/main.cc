// SPDX-License-Identifier: LGPL-2.1-only
// The program behind `strata check`.
#include "command/program.h"

int main(int argc, char** argv) { return strata::command::run_program(argc, argv, strata::command::add_check); }
