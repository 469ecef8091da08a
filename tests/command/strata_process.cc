// SPDX-License-Identifier: LGPL-2.1-only
#include "tests/command/strata_process.h"

namespace strata {

std::vector<std::string> strata_command(const std::vector<std::string>& arguments) {
  std::vector<std::string> command = {built("command/strata")};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

Ran run_strata(const std::vector<std::string>& arguments, const Surroundings& surroundings) {
  return Process(strata_command(arguments), surroundings).wait();
}

}  // namespace strata
