// SPDX-License-Identifier: LGPL-2.1-only
// A results folder. The input is its manifest.json and, after a line of "---", its records.jsonl.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "records/record.h"
#include "tests/fuzz/fuzz.h"

namespace {

// The same folder for the whole run of the target.
const std::filesystem::path& folder() {
  static const struct Folder {
    Folder() : path("/dev/shm/strata-fuzz-" + std::to_string(::getpid())) { std::filesystem::create_directories(path); }
    ~Folder() { std::filesystem::remove_all(path); }
    std::filesystem::path path;
  } made;
  return made.path;
}

}  // namespace

void strata::fuzz::read_input(const std::string& bytes) {
  const std::string line = "\n---\n";
  const size_t cut = std::min(bytes.find(line), bytes.size());
  std::ofstream(folder() / "manifest.json", std::ios::binary) << bytes.substr(0, cut);
  std::ofstream(folder() / "records.jsonl", std::ios::binary)
      << (cut == bytes.size() ? "" : bytes.substr(cut + line.size()));
  const Results results = load_results(folder());
  for (const Record& r : results.records) {
    parameters_of(results.manifest, r);
    format_record(r);
  }
}
