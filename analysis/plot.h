// SPDX-License-Identifier: LGPL-2.1-only
// Draws a chart as SVG by gnuplot: white ground, grey grid, colours that people with colour blindness tell apart (Okabe
// and Ito, "Color Universal Design", 2008), shapes, dashes and densities that do so without any colour, the key beside
// the plot.
//
// The same chart gives the same bytes: no date, no random name, no locale.
#pragma once

#include <filesystem>
#include <string>

#include "analysis/chart.h"

namespace strata::analysis {

/// The whole script, data included; writes the SVG to gnuplot's stdout.
std::string gnuplot_script(const Chart& chart);

/// Draws the chart as `into`/<name>.svg and returns that path. The file is written whole or not at all. Throws
/// OutputError where gnuplot fails or the file cannot be written.
std::filesystem::path draw(const Chart& chart, const std::filesystem::path& into,
                           const std::string& program = "gnuplot");

}  // namespace strata::analysis
