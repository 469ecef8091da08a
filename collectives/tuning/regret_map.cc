// SPDX-License-Identifier: LGPL-2.1-only
#include "collectives/tuning/regret_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "base/svg_text.h"

namespace strata::collectives {
namespace {

// The multiples from which a colour applies. Colours: P. Tol's "YlOrBr" scheme (Colour Schemes, SRON/EPS/TN/09-002,
// 2021), as in analysis/heat_map.cc, and the light blue of the scheme "light" there.
struct Shade {
  double from;
  const char* colour;
};
constexpr Shade kShades[] = {{0, "#77AADD"},   {0.95, "#FFFFFF"}, {1.05, "#FEE391"}, {1.25, "#FEC44F"},
                             {1.5, "#FB9A29"}, {2, "#EC7014"},    {4, "#CC4C02"},    {10, "#662506"}};

// px
constexpr int kMargin = 12, kFont = 12, kLine = 16, kWidth = 34, kHeight = 16, kLabels = 210, kBetween = 30;

std::string text(double x, double y, const std::string& what, const std::string& more = "") {
  return fmt::format("<text x=\"{:g}\" y=\"{:g}\"{}>{}</text>\n", x, y, more, svg_escape(what));
}

const char* colour_of(double ratio) {
  const char* colour = kShades[0].colour;
  for (const Shade& s : kShades) {
    if (ratio >= s.from) colour = s.colour;
  }
  return colour;
}

std::string size_text(std::int64_t bytes) {
  const char* const units[] = {"", "K", "M", "G"};
  int unit = 0;
  while (unit < 3 && bytes >= 1024 && bytes % 1024 == 0) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{}{}", bytes, units[unit]);
}

template <class T>
double place_in(const std::set<T>& all, const T& value) {
  return static_cast<double>(std::distance(all.begin(), all.find(value)));
}

using Row = std::pair<Operation, int>;

std::string cell_text(const Cell& cell, const std::optional<double>& ratio, double x, double y) {
  const std::string box =
      fmt::format("x=\"{:g}\" y=\"{:g}\" width=\"{}\" height=\"{}\" stroke=\"#BBBBBB\"", x, y, kWidth, kHeight);
  if (!ratio) {
    return fmt::format(
        "<rect class=\"unknown\" {} fill=\"#FFFFFF\"/>\n<path stroke=\"#BBBBBB\" d=\"M{:g} {:g}l{} {}\"/>\n", box, x, y,
        kWidth, kHeight);
  }
  return fmt::format("<rect class=\"cell\" {} fill=\"{}\"><title>{}: {:.3f}</title></rect>\n", box, colour_of(*ratio),
                     svg_escape(text_of(cell)), *ratio);
}

std::string legend(double y) {
  std::string body;
  double x = kMargin;
  for (std::size_t i = 0; i < std::size(kShades); ++i) {
    body += fmt::format("<rect x=\"{:g}\" y=\"{:g}\" width=\"{}\" height=\"{}\" stroke=\"#BBBBBB\" fill=\"{}\"/>\n", x,
                        y, kWidth, kHeight, kShades[i].colour);
    const std::string label =
        i == 0 ? fmt::format("below {:g}", kShades[1].from) : fmt::format("{:g}", kShades[i].from);
    body += text(x + kWidth + 4, y + kFont, label);
    x += kWidth + 12 + kMonospaceAdvance * kFont * static_cast<double>(label.size());
  }
  return body;
}

}  // namespace

std::string draw_regret(const std::string& title, const std::vector<Cell>& cells,
                        const std::vector<RegretPanel>& panels) {
  std::set<Row> rows;
  std::set<std::int64_t> sizes;
  for (const Cell& c : cells) {
    rows.insert({c.operation, c.ranks});
    sizes.insert(c.bytes);
  }
  const double top = kMargin + 5 * kLine;
  std::string body = text(kMargin, kMargin + kFont, title, " font-weight=\"bold\"") +
                     text(kMargin, kMargin + kLine + kFont, "time as a multiple of the best algorithm's; sizes in B");
  for (const Row& row : rows) {
    body += text(kMargin, top + kHeight * place_in(rows, row) + kFont,
                 fmt::format("{} {}", name_of(row.first), row.second));
  }
  double x = kMargin + kLabels;
  for (const RegretPanel& panel : panels) {
    body += text(x, top - 2 * kLine, panel.name, " font-weight=\"bold\"");
    for (const std::int64_t size : sizes) {
      body += text(x + kWidth * (place_in(sizes, size) + 0.5), top - 4, size_text(size),
                   " font-size=\"10\" text-anchor=\"middle\"");
    }
    for (std::size_t i = 0; i < cells.size(); ++i) {
      body += cell_text(cells[i], panel.ratios[i], x + kWidth * place_in(sizes, cells[i].bytes),
                        top + kHeight * place_in(rows, Row{cells[i].operation, cells[i].ranks}));
    }
    const double named = kMonospaceAdvance * kFont * 1.1 * static_cast<double>(panel.name.size());
    x += std::max(kWidth * static_cast<double>(sizes.size()), named) + kBetween;
  }
  const double bottom = top + kHeight * static_cast<double>(rows.size()) + kLine;
  constexpr double kLegendWidth = 560;
  return svg_page(std::max(x, kLegendWidth), bottom + kHeight + kMargin, kFont, body + legend(bottom));
}

}  // namespace strata::collectives
