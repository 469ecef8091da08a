// SPDX-License-Identifier: LGPL-2.1-only
// Files of rules that tests write, and the errors of reading them.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "base/error.h"
#include "collectives/rules/read_rules.h"

namespace strata::collectives {

/// Writes a file and reads it. Its name in errors is FILE.
inline RuleFile read_text(const std::string& text, const Library& library, Reading reading = Reading::kStrict) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "rules.conf";
  std::ofstream(file, std::ios::binary) << text;
  return read_rules(file, library, reading);
}

/// The text of the InputError, without the folder of the file: "rules.conf:3: ..."; empty without an error.
inline std::string error_of(const std::string& text, const Library& library, Reading reading = Reading::kStrict) {
  try {
    read_text(text, library, reading);
  } catch (const InputError& e) {
    const std::string what = e.what();
    return what.substr(what.find("rules.conf"));
  }
  return "";
}

/// The remarks of a file that is read as the library reads it, each as "3: what, so effect".
inline std::vector<std::string> remarks_of(const std::string& text, const Library& library) {
  std::vector<std::string> lines;
  for (const Remark& r : read_text(text, library, Reading::kAsTheLibrary).remarks) {
    lines.push_back(std::to_string(r.line) + ": " + r.what + ", so " + r.effect);
  }
  return lines;
}

}  // namespace strata::collectives
