// SPDX-License-Identifier: LGPL-2.1-only
// Keys of `strata check --replay`: every area reads, draws and shrinks the case that a key names.
#include <memory>
#include <vector>

#include "base/error.h"
#include "check/areas/areas.h"
#include "check/engine/explore.h"
#include "tests/fuzz/fuzz.h"

void strata::fuzz::read_input(const std::string& bytes) {
  static const std::vector<std::unique_ptr<check::Area>> areas = check::all_areas();
  for (const auto& area : areas) {
    try {
      area->smaller(bytes);
      area->draw(bytes);
    } catch (const InputError&) {  // a key of another area
    }
  }
  check::parse_key(bytes);
}
