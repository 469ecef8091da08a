// SPDX-License-Identifier: LGPL-2.1-only
// A fuzz target defines one function that reads one input. The same function runs under libFuzzer (tools/fuzz) and, in
// each build, with the inputs kept in corpus/ (NAME_replay_test).
#pragma once

#include <filesystem>
#include <string>

namespace strata::fuzz {

/// Defined by each target: reads the bytes as the product does. It may throw InputError for bad input. Anything else is
/// a finding: another exception, a crash, a sanitizer's report, an endless loop.
void read_input(const std::string& bytes);

/// The input as a file, for readers that take a path. It is in memory, and is removed at the end of the scope.
class InputFile {
 public:
  explicit InputFile(const std::string& bytes);
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile();
  std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

}  // namespace strata::fuzz
