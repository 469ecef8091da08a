// SPDX-License-Identifier: LGPL-2.1-only
// Draws a chart as SVG with gnuplot. The ground is white and the grid grey; the colours are distinguishable for people
// with colour blindness (Okabe and Ito, "Color Universal Design", 2008); shapes, dashes and densities are
// distinguishable without colour; the key is beside the plot.
//
// The same chart gives the same bytes: no date, no random name, no locale.
#pragma once

#include <filesystem>
#include <string>

#include "analysis/chart.h"

namespace strata::analysis {

/// The complete script with its data, which writes the SVG to gnuplot's stdout.
std::string gnuplot_script(const Chart& chart);

/// Draws the chart as `into`/<name>.svg and returns that path. The file is written completely or not at all. Throws
/// OutputError if gnuplot fails or the file cannot be written.
std::filesystem::path draw(const Chart& chart, const std::filesystem::path& into,
                           const std::string& program = "gnuplot");

}  // namespace strata::analysis
