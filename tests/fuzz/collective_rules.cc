// SPDX-License-Identifier: LGPL-2.1-only
// Files of rules for the algorithms of collectives, as each library reads them. Rules that were read can be looked up
// and written, and are the same when they are read again.
#include <cstdint>
#include <stdexcept>
#include <string>

#include "base/error.h"
#include "collectives/rules/csel_file.h"
#include "collectives/rules/han_file.h"
#include "collectives/rules/look_up.h"
#include "collectives/rules/read_rules.h"
#include "collectives/rules/tuned_file.h"
#include "collectives/rules/tuned_json.h"
#include "tests/fuzz/fuzz.h"

namespace {

using namespace strata::collectives;

using Reader = RuleFile (*)(const std::string&, const std::string&, const Library&, Reading);

void read(Reader reader, const std::string& bytes, const Library& library) {
  RuleFile file;
  try {
    file = reader(bytes, "input", library, Reading::kAsTheLibrary);
  } catch (const strata::InputError&) {
    return;
  }
  for (const auto& [operation, name] : kOperations) {
    for (const int ranks : {1, 2, 64}) {
      look_up(file, library, {.operation = operation, .ranks = ranks, .bytes = std::int64_t{1} << 16});
    }
  }
  if (!file.remarks.empty()) return;  // for example, of two rules for the same operation one is written
  if (!same_rules(file, reader(write_rules(file), "output", library, Reading::kAsTheLibrary))) {
    throw std::logic_error("what is written is read as other rules");
  }
}

}  // namespace

void strata::fuzz::read_input(const std::string& bytes) {
  for (const Library& library : {kOpenMpi41, kOpenMpi50, kOpenMpi60}) {
    read(read_tuned, bytes, library);
    read(read_han, bytes, library);
  }
  read(read_tuned_json, bytes, kOpenMpi60);
  read(read_csel, bytes, kMpich40);
  read(read_csel, bytes, kMpich50);
}
