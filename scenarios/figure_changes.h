// SPDX-License-Identifier: LGPL-2.1-only
// A scenario's `what_if`: changed figures of the machine.
#pragma once

#include <string>
#include <vector>

#include "base/keys.h"
#include "platforms/what_if.h"

namespace strata {

/// The keys of an item.
std::vector<Key> what_if_rows();

/// A figure whose value or factor is a parameter of the sweep: `times: "{latency}"`.
struct SweptFigure {
  std::string parameter;
  WhatIf change;  // without its value, which differs from point to point
};

struct FigureChanges {
  std::vector<WhatIf> fixed;
  std::vector<SweptFigure> swept;
};

/// Reads the list. Throws InputError.
FigureChanges read_what_ifs(const YamlReader& list);

/// `--set what_if.FIGURE=0.25x` or `8KiB`: replaces earlier changes of this figure. Throws InputError, naming `where`.
void set_what_if(const std::string& figure, const std::string& value, const std::string& where,
                 std::vector<WhatIf>& what_ifs);

}  // namespace strata
