// SPDX-License-Identifier: LGPL-2.1-only
// Runs gnuplot on a script, without a shell, and reports errors in one line.
//
// gnuplot starts with its own defaults (-d: no ~/.gnuplot, no /etc/gnuplotrc) and LC_ALL=C, so a picture depends only
// on the script.
#pragma once

#include <filesystem>
#include <string>

#include "analysis/axis_ticks.h"

namespace strata::analysis {

/// Returns gnuplot's stdout. `name`: the picture in error messages. Throws OutputError if `program` cannot be started,
/// fails or is killed, with its command and message. Thread-safe: each call has its own temporary folder, and removes
/// it.
std::string run_gnuplot(const std::string& name, const std::string& script, const std::string& program = "gnuplot");

/// A gnuplot string in single quotes, in which nothing is expanded; line feeds become spaces.
std::string gnuplot_text(const std::string& text);

/// The ticks of an axis in the format of gnuplot's `set xtics`.
std::string gnuplot_ticks(const AxisTicks& axis);

/// Writes the SVG that a script makes to `file`, completely or not at all. Throws OutputError.
void draw_svg(const std::string& name, const std::string& script, const std::filesystem::path& file,
              const std::string& program = "gnuplot");

}  // namespace strata::analysis
