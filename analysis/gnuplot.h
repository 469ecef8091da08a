// SPDX-License-Identifier: LGPL-2.1-only
// Runs gnuplot on a script, without a shell, and tells in one line what went wrong if it did.
//
// gnuplot is started with its own defaults (-d: no ~/.gnuplot, no /etc/gnuplotrc) and LC_ALL=C, so that a picture
// depends on the script alone.
#pragma once

#include <filesystem>
#include <string>

#include "analysis/axis_ticks.h"

namespace strata::analysis {

/// Returns gnuplot's stdout. `name` names the picture in errors. Throws OutputError where `program` cannot be
/// started, fails or is killed: what was run, and what it said. Thread-safe: each call has a temporary folder of its
/// own, which is removed.
std::string run_gnuplot(const std::string& name, const std::string& script, const std::string& program = "gnuplot");

/// A gnuplot text literal: single quotes, in which nothing is expanded; line feeds become spaces.
std::string gnuplot_text(const std::string& text);

/// The ticks of an axis as gnuplot's `set xtics` takes them.
std::string gnuplot_ticks(const AxisTicks& axis);

/// Writes the SVG that a script makes to `file`, whole or not at all. Throws OutputError.
void draw_svg(const std::string& name, const std::string& script, const std::filesystem::path& file,
              const std::string& program = "gnuplot");

}  // namespace strata::analysis
