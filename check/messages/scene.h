// What a program needs to run under the checker's SimGrid: its machine, its hosts, and the command that starts it, in a
// folder.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "check/messages/exploration.h"
#include "sim/launcher/child.h"
#include "sim/launcher/simulation.h"

namespace strata::sim {

/// Where a run is prepared. The folder goes with it.
class Scene {
 public:
  /// Throws InputError where the program is not one.
  Scene(const ModelChecker& checker, const Installation& installation, const Machine& machine,
        const Exploration& exploration);

  const std::filesystem::path& folder() const { return folder_.path(); }

  /// smpimain with the program and `options` of SimGrid's; `before` it stands what starts it.
  Command command(const std::vector<std::string>& before, const std::vector<std::string>& options) const;

 private:
  ModelChecker checker_;
  Exploration exploration_;
  ScratchFolder folder_;
  Stage stage_;
};

}  // namespace strata::sim
