// SPDX-License-Identifier: LGPL-2.1-only
// hwloc XML read by libhwloc in a child process, as in the command. The slowest target: a process for each input.
#include "platforms/isolated_import.h"
#include "tests/fuzz/fuzz.h"

// Provided by the sanitizers' runtimes; null without them.
extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)());

void strata::fuzz::read_input(const std::string& bytes) {
  const InputFile file(bytes);
  const auto import = [&] {
    // libFuzzer saves an input when a process dies. If the child dies, the parent refuses the input, so this is not a
    // finding.
    if (__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(nullptr);
    return import_node_xml(file.path());
  };
  import_isolated(import, "input");
}
