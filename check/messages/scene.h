// SPDX-License-Identifier: LGPL-2.1-only
// A folder in which a program runs under the checker's SimGrid, with its machine, its hosts, and the command that
// starts it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/child.h"
#include "check/messages/exploration.h"
#include "sim/launcher/simulation.h"

namespace strata::check {

/// Removes its folder in the destructor.
class Scene {
 public:
  /// Throws InputError if the program cannot be run under SMPI.
  Scene(const ModelChecker& checker, const sim::Installation& installation, const Exploration& exploration);

  const std::filesystem::path& folder() const { return folder_.path(); }

  /// The command that runs the program with smpimain and these options of SimGrid.
  Command command(const std::vector<std::string>& options) const;

 private:
  ModelChecker checker_;
  Exploration exploration_;
  sim::ScratchFolder folder_;
  sim::Stage stage_;
  std::vector<std::string> preload_;  // files in the folder
};

}  // namespace strata::check
