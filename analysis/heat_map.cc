// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/heat_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/format.h"
#include "base/svg_text.h"

namespace strata::analysis {
namespace {

// P. Tol's "YlOrBr" scheme (Colour Schemes, SRON/EPS/TN/09-002, 2021) without its lightest two, which are hard to
// distinguish from white.
constexpr std::array<const char*, 7> kColours = {"#FEE391", "#FEC44F", "#FB9A29", "#EC7014",
                                                 "#CC4C02", "#993404", "#662506"};
constexpr int kColoursCount = static_cast<int>(kColours.size());

// px
constexpr int kMargin = 12, kBetween = 36, kFont = 12, kLine = 16;
constexpr int kSide = kMostHeatCells, kLargestCell = 32;  // of a panel, of a cell
constexpr int kSmallFont = 10, kTick = 4;
constexpr double kClosestLines = 5, kThinLine = 0.7, kThickLine = 1.6;
constexpr int kScaleWidth = 14, kScaleStep = 24;

constexpr int kMostTicks = 8;

double text_width(const std::string& text, double font) { return kMonospaceAdvance * font * text.size(); }

std::string text(double x, double y, const std::string& what, const std::string& more = "") {
  return fmt::format("<text x=\"{:g}\" y=\"{:g}\"{}>{}</text>\n", x, y, more, svg_escape(what));
}

// A logarithmic scale from `low` to `high` with as many steps as colours.
class Scale {
 public:
  explicit Scale(const std::vector<std::vector<double>>& panels) {
    for (const std::vector<double>& cells : panels) {
      for (const double value : cells) {
        if (value == 0) continue;
        low_ = low_ == 0 ? value : std::min(low_, value);
        high_ = std::max(high_, value);
      }
    }
  }
  bool empty() const { return high_ == 0; }
  // Whether all values are about the same.
  bool single() const { return high_ <= 1.001 * low_; }
  double high() const { return high_; }
  // 0 to 1; always 1 if all values are the same.
  double at(double value) const { return single() ? 1 : std::log(value / low_) / std::log(high_ / low_); }
  int colour(double value) const {
    return std::clamp(static_cast<int>(at(value) * kColoursCount), 0, kColoursCount - 1);
  }
  // The value at which a colour begins; for one beyond the last colour, where the last one ends.
  double begin(int colour) const { return low_ * std::pow(high_ / low_, static_cast<double>(colour) / kColoursCount); }

 private:
  double low_ = 0, high_ = 0;
};

class HeatDrawing {
 public:
  HeatDrawing(const Pattern& pattern, const HeatMaps& maps)
      : maps_(maps),
        order_(pattern.order()),
        ranks_((order_ + kMostHeatCells - 1) / kMostHeatCells),
        cells_((order_ + ranks_ - 1) / ranks_),
        cell_(std::clamp(kSide / cells_, 1, kLargestCell)),
        sums_(sums(pattern, maps)),
        scale_(sums_),
        boundaries_(fitting_boundaries()) {}

  std::string draw() const {
    std::vector<std::string> title = maps_.title;
    if (ranks_ > 1) title.push_back(fmt::format("a cell is the sum of {0}x{0} pairs", ranks_));
    if (!boundaries_.empty()) {
      title.push_back(fmt::format("lines part the {}s", level_text(boundaries_.back()->level)));
      if (boundaries_.size() > 1)
        title.back() += fmt::format(", thick ones the {}s", level_text(boundaries_[0]->level));
    }
    std::string body;
    double right = 0;
    for (size_t l = 0; l < title.size(); ++l) {
      body += text(kMargin, kMargin + kLine * l + kFont, title[l], l == 0 ? " font-weight=\"bold\"" : "");
      right = std::max(right, kMargin + text_width(title[l], kFont) * (l == 0 ? 1.1 : 1));
    }
    size_t heading = 0;
    for (const HeatPanel& p : maps_.panels) heading = std::max(heading, p.lines.size());
    const double top = kMargin + kLine * (title.size() + heading) + kLine;
    const double labels = text_width(std::to_string(order_ - 1), kSmallFont) + 2 * kTick + kLine;
    double x = kMargin;
    for (size_t p = 0; p < maps_.panels.size(); ++p) {
      const std::vector<std::string>& lines = maps_.panels[p].lines;
      double wide = labels + side();
      for (size_t l = 0; l < lines.size(); ++l) {
        body +=
            text(x, top - kLine * (heading - l) + kFont - kLine / 2.0, lines[l], l == 0 ? " font-weight=\"bold\"" : "");
        wide = std::max(wide, text_width(lines[l], kFont) * (l == 0 ? 1.1 : 1));
      }
      body += panel(p, std::round(x + labels), top);
      x += wide + kBetween;
    }
    double bottom = top + side() + 2 * kLine;
    if (!scale_.empty()) {
      const auto [legend, width] = scale(x, top);
      body += legend;
      x += width;
      bottom = std::max(bottom, top + kScaleStep * (scale_.single() ? 1 : kColoursCount));
    }
    right = std::max(right, x);
    return svg_page(std::ceil(right + kMargin), std::ceil(bottom + kMargin), kFont, body);
  }

 private:
  double side() const { return cells_ * cell_; }

  // By panel, then row-major.
  std::vector<std::vector<double>> sums(const Pattern& pattern, const HeatMaps& maps) const {
    std::vector<std::vector<double>> panels;
    for (const HeatPanel& panel : maps.panels) {
      std::vector<double>& cells = panels.emplace_back(static_cast<size_t>(cells_) * cells_, 0.0);
      for (int r = 0; r < order_; ++r) {
        double* const row = cells.data() + static_cast<size_t>(panel.position[r] / ranks_) * cells_;
        const auto peers = pattern.peers(r);
        for (size_t i = 0; i < peers.size(); ++i) row[panel.position[peers[i]] / ranks_] += pattern.bytes(r)[i];
      }
    }
    return panels;
  }

  // The outermost and the innermost boundaries whose lines are not too close.
  std::vector<const HeatBoundaries*> fitting_boundaries() const {
    std::vector<const HeatBoundaries*> fitting;
    for (const HeatBoundaries& b : maps_.boundaries) {
      const auto groups = static_cast<double>(b.starts.size());
      if (groups <= 1 || side() / groups < kClosestLines) continue;
      if (fitting.size() == 2) fitting.pop_back();
      fitting.push_back(&b);
    }
    return fitting;
  }

  // The start of a position, in px from the panel's corner.
  double px(int position) const { return static_cast<double>(position) / ranks_ * cell_; }

  std::string panel(size_t p, double x, double y) const {
    std::string out =
        fmt::format("<g class=\"{}\" transform=\"translate({:g} {:g})\">\n", svg_escape(maps_.panels[p].name), x, y);
    out += cells(sums_[p]);
    for (const HeatBoundaries* level : boundaries_) {
      std::string lines;
      for (const int start : level->starts) {
        if (start > 0) lines += fmt::format("M{0:g} 0v{1:g}M0 {0:g}h{1:g}", px(start), side());
      }
      const bool thick = boundaries_.size() > 1 && level == boundaries_[0];
      out += fmt::format("<path class=\"{}\" fill=\"none\" stroke=\"#4477aa\" stroke-width=\"{}\" d=\"{}\"/>\n",
                         svg_escape(level->level), thick ? kThickLine : kThinLine, lines);
    }
    out += fmt::format("<rect width=\"{0:g}\" height=\"{0:g}\" fill=\"none\" stroke=\"#000000\"/>\n", side());
    return out + axes() + "</g>\n";
  }

  // A path for each colour. Runs of cells in a row are strokes with the height of a cell.
  std::string cells(const std::vector<double>& values) const {
    std::array<std::string, kColoursCount> paths;
    for (int r = 0; r < cells_; ++r) {
      const double* const row = values.data() + static_cast<size_t>(r) * cells_;
      for (int c = 0; c < cells_;) {
        const int first = c;
        if (row[c++] == 0) continue;
        const int colour = scale_.colour(row[first]);
        while (c < cells_ && row[c] != 0 && scale_.colour(row[c]) == colour) ++c;
        paths[colour] += fmt::format("M{} {}h{}", first, r, c - first);
      }
    }
    std::string out;
    for (int colour = 0; colour < kColoursCount; ++colour) {
      if (paths[colour].empty()) continue;
      out += fmt::format(
          "<path class=\"cells\" shape-rendering=\"crispEdges\" stroke=\"{}\" transform=\"scale({}) translate(0 0.5)\" "
          "d=\"{}\"/>\n",
          kColours[colour], cell_, paths[colour]);
    }
    return out;
  }

  std::string axes() const {
    int step = 1;
    while (static_cast<long>(step) * kMostTicks < order_) step *= 2;
    const double half = ranks_ == 1 ? cell_ / 2.0 : 0;  // the tick of a single rank is in the middle of its cell
    std::string ticks, names;
    const std::string small = fmt::format(" font-size=\"{}\"", kSmallFont);
    for (int position = 0; position < order_; position += step) {
      const double at = px(position) + half;
      ticks += fmt::format("M{0:g} {1:g}v{2}M0 {0:g}h-{2}", at, side(), kTick);
      names += text(at, side() + kTick + kSmallFont, std::to_string(position), small + " text-anchor=\"middle\"");
      names += text(-kTick - 2, at + kSmallFont / 3.0, std::to_string(position), small + " text-anchor=\"end\"");
    }
    names += text(side() / 2, side() + kTick + kSmallFont + kLine, "receiver, " + maps_.axis,
                  small + " text-anchor=\"middle\"");
    const double left = -2 * kTick - text_width(std::to_string(order_ - 1), kSmallFont) - 2;
    names += text(left, side() / 2, "sender, " + maps_.axis,
                  small + fmt::format(" text-anchor=\"middle\" transform=\"rotate(-90 {:g} {:g})\"", left, side() / 2));
    return "<path fill=\"none\" stroke=\"#000000\" d=\"" + ticks + "\"/>\n" + names;
  }

  // The legend of the colours, and its width.
  std::pair<std::string, double> scale(double x, double y) const {
    const int steps = scale_.single() ? 1 : kColoursCount;
    const double height = kScaleStep * steps;
    std::string out = fmt::format("<g class=\"scale\" transform=\"translate({:g} {:g})\">\n", std::round(x), y);
    double width = 0;
    const auto name = [&](double at, const std::string& label) {
      out += fmt::format("<path stroke=\"#000000\" d=\"M{} {:g}h{}\"/>\n", kScaleWidth, at, kTick);
      out += text(kScaleWidth + kTick + 3, at + kSmallFont / 3.0, label, fmt::format(" font-size=\"{}\"", kSmallFont));
      width = std::max(width, kScaleWidth + kTick + 3 + text_width(label, kSmallFont));
    };
    for (int s = 0; s < steps; ++s) {
      const int colour = kColoursCount - 1 - s;  // the largest values are at the top
      out += fmt::format("<rect y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n", kScaleStep * s, kScaleWidth,
                         kScaleStep, kColours[colour]);
    }
    if (scale_.single()) {
      name(height / 2, analysis::with_unit(scale_.high(), maps_.unit, 3));
    } else {
      for (int s = 0; s <= steps; ++s)
        name(height - kScaleStep * s, analysis::with_unit(scale_.begin(s), maps_.unit, 3));
    }
    return {out + "</g>\n", width};
  }

  const HeatMaps& maps_;
  int order_, ranks_, cells_;  // number of ranks; ranks per cell side; cells per panel side
  int cell_;                   // px
  std::vector<std::vector<double>> sums_;
  Scale scale_;
  std::vector<const HeatBoundaries*> boundaries_;
};

}  // namespace

std::vector<HeatBoundaries> boundaries_of(const std::vector<RankGroups>& levels, const std::vector<int>& position) {
  std::vector<HeatBoundaries> all;
  for (const RankGroups& level : levels) {
    std::vector<int> at(position.size());  // the group at each position
    for (size_t r = 0; r < position.size(); ++r) at[position[r]] = level.group[r];
    HeatBoundaries b{level.level, {}};
    for (size_t i = 0; i < at.size(); ++i) {
      if (i == 0 || at[i] != at[i - 1]) b.starts.push_back(static_cast<int>(i));
    }
    if (static_cast<int>(b.starts.size()) == level.groups) all.push_back(std::move(b));
  }
  return all;
}

std::string draw_heat_maps(const Pattern& pattern, const HeatMaps& maps) { return HeatDrawing(pattern, maps).draw(); }

}  // namespace strata::analysis
