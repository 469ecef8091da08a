// SPDX-License-Identifier: LGPL-2.1-only
// Whether a rule is worth it. For example, if the library's own algorithm takes 100 us:
//
//   best 60 us, the gain by the error bar is 30 to 50 %      a rule
//   best 60 us, the gain by the error bar is -5 to 70 %      the library's own: either may be faster
//   best 97 us, no error bar, at least 5 % asked             the library's own
#pragma once

#include <optional>

#include "collectives/tuning/fastest.h"

namespace strata::collectives {

/// The best choice, or the library's own (algorithm 0). `without_file_s`: the time of the library's own choice without
/// a file of rules. `times.own_s` may be longer, if it consists of collectives for which the file has rules; then
/// any faster choice is taken. `least`: the part of the time that a rule without an error bar must save.
Choice decide(const CellTimes& times, const std::optional<double>& without_file_s, double least);

}  // namespace strata::collectives
