// SPDX-License-Identifier: LGPL-2.1-only
// Files of the repository that are generated from tables of keys.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace strata {

/// Expects `file`, a path in the repository, to contain `text`. With STRATA_GOLDENS_TO, writes it there instead.
inline void expect_generated(const std::string& file, const std::string& text) {
  if (const char* root = std::getenv("STRATA_GOLDENS_TO")) {
    std::ofstream(std::filesystem::path(root) / file) << text;
    return;
  }
  std::ifstream in(file);
  const std::string is(std::istreambuf_iterator<char>(in), {});
  const auto differs = std::mismatch(is.begin(), is.end(), text.begin(), text.end()).first;
  // Does not print the texts: they are long, and `git diff` shows the difference.
  EXPECT_TRUE(is == text)
      << file << ":" << 1 + std::count(is.begin(), differs, '\n')
      << " is not what the tables of keys say; make it again with tools/regenerate-docs --reference";
}

}  // namespace strata
