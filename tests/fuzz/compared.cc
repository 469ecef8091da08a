// SPDX-License-Identifier: LGPL-2.1-only
// Two results for `strata compare`, documents or matrices. The new one follows a line of "---".
#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/gate.h"
#include "tests/fuzz/fuzz.h"

void strata::fuzz::read_input(const std::string& bytes) {
  using namespace strata::analysis;
  const std::string line = "\n---\n";
  const size_t cut = std::min(bytes.find(line), bytes.size());
  const InputFile base(bytes.substr(0, cut)), now(cut == bytes.size() ? "" : bytes.substr(cut + line.size()));
  const Gate gate = compare_results(read_result(base.path()), read_result(now.path()), {}, true);
  gate_text(gate, 20);
  gate_markdown(gate, 20);
  gate_junit(gate);
  gate_json(gate).dump(-1, ' ', false, Json::error_handler_t::replace);
}
