// SPDX-License-Identifier: LGPL-2.1-only
// Machines of the catalog with other figures:
//
//   edited_machine(folder, "slow", "ntw10e5", {{"value: 1.62\n", "value: 16.2\n"}})  ->  FOLDER/slow/machine.yaml
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "tests/process/process.h"

namespace strata {

/// Copies a machine into `folder`/`name`, and replaces the first of each pair of texts in its machine.yaml by the
/// second. A text that is not there fails the test. Returns the path of the new machine.yaml.
inline std::string edited_machine(const TemporaryFolder& folder, const std::string& name, const std::string& machine,
                                  const std::vector<std::pair<std::string, std::string>>& edits) {
  const std::filesystem::path from = built("platforms/data/" + machine);
  std::string yaml = read_text(from / "machine.yaml");
  for (const auto& [was, now] : edits) {
    const std::size_t at = yaml.find(was);
    if (at == std::string::npos) {
      ADD_FAILURE() << machine << " has no '" << was << "'";
    } else {
      yaml.replace(at, was.size(), now);
    }
  }
  std::filesystem::create_directories(folder.path() / name);
  folder.write(name + "/node.xml", read_text(from / "node.xml"));
  return folder.write(name + "/machine.yaml", yaml);
}

}  // namespace strata
