// SPDX-License-Identifier: LGPL-2.1-only
#include "collectives/rules/read_rules.h"

#include <optional>
#include <string_view>

#include "base/input_file.h"
#include "collectives/rules/csel_file.h"
#include "collectives/rules/han_file.h"
#include "collectives/rules/number_scanner.h"
#include "collectives/rules/tuned_file.h"
#include "collectives/rules/tuned_json.h"

namespace strata::collectives {
namespace {

// Whether a file of Open MPI is HAN's: outside comments, its second word is the name of a collective, or it names a
// component.
bool is_han(std::string_view text) {
  NumberScanner scanner(text);
  for (int i = 1; const std::optional<ScannedWord> word = scanner.word(); ++i) {
    const std::string_view name = std::string_view(word->text).substr(0, word->text.find('@'));
    if ((i == 2 && openmpi_id(name) >= 0) || is_han_component(name)) return true;
  }
  return false;
}

}  // namespace

RuleFile read_rules(const std::string& file, const Library& library, Reading reading) {
  const std::string text = read_input(file, "give a file of rules for the algorithms of collectives");
  const size_t first = text.find_first_not_of(" \t\r\n");
  const bool is_json = first != std::string::npos && text[first] == '{';
  if (!library.is_openmpi()) return read_csel(text, file, library, reading);
  if (is_json) return read_tuned_json(text, file, library, reading);
  return is_han(text) ? read_han(text, file, library, reading) : read_tuned(text, file, library, reading);
}

std::string write_rules(const RuleFile& file) {
  switch (file.format) {
    case Format::kTuned:
    case Format::kTuned2:
      return write_tuned(file);
    case Format::kTunedJson:
      return write_tuned_json(file);
    case Format::kHan:
      return write_han(file);
    case Format::kCsel:
      return write_csel(file);
  }
  return "";
}

}  // namespace strata::collectives
