// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/mesh_drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "base/svg_text.h"

namespace strata {
namespace {

// P. Tol's "light" scheme (Colour Schemes, SRON/EPS/TN/09-002, 2021), intended for areas with text, and safe for all
// kinds of colour vision.
constexpr std::array kColours = {"#77aadd", "#ee8866", "#eedd88", "#ffaabb", "#99ddff",
                                 "#44bb99", "#bbcc33", "#aaaa00", "#dddddd"};

// px
constexpr int kMargin = 12, kBetween = 28;  // around the picture, between panels
constexpr int kFont = 12, kLine = 16;
constexpr int kLargestCell = 26, kSmallestCell = 1;
constexpr int kHalfWidth = 660, kHeight = 840;  // intended size of two panels, beside or below each other
constexpr int kSmallestFont = 7, kLabelFont = 9;
constexpr int kSliceGap = 6;  // between slices; doubled for each further pair of dimensions
// The intended aspect ratio of a panel with one dimension broken into lines: that of its space.
constexpr double kBesideAspect = static_cast<double>(kHalfWidth) / kHeight, kBelowAspect = 4 * kBesideAspect;

double text_width(const std::string& text, double font) { return kMonospaceAdvance * font * text.size(); }

// Computes the positions of cells, in units of a cell.
class Grid {
 public:
  // `gap` and `label` are in cells: the space between slices, and above each slice for its coordinates. `aspect` is the
  // intended ratio of the whole, if there is a choice.
  Grid(const std::vector<int>& dims, double gap, double label, double aspect)
      : dims_(dims), axes_(dims.size()), aspect_(aspect) {
    const int k = static_cast<int>(dims.size());
    if (k == 0) return;
    if (k == 1) {
      in_lines(0, gap);
      return;
    }
    axes_[k - 1] = {dims[k - 1], 1, 0};
    axes_[k - 2] = {1, 0, 1};
    width_ = dims[k - 1];
    height_ = dims[k - 2];
    if (k == 2) return;
    height_ += label;
    int i = k - 3;
    for (; i >= 1; i -= 2, gap *= 2) {
      axes_[i] = {dims[i], width_ + gap, 0};
      axes_[i - 1] = {1, 0, height_ + gap};
      width_ = dims[i] * (width_ + gap) - gap;
      height_ = dims[i - 1] * (height_ + gap) - gap;
    }
    if (i == 0) in_lines(0, gap);
    label_ = label;
  }

  double width() const { return width_; }
  double height() const { return height_; }

  // The upper left corner of a cell.
  std::array<double, 2> at(const std::vector<int>& coords) const {
    double x = 0, y = label_;
    for (size_t i = 0; i < coords.size(); ++i) {
      x += coords[i] % axes_[i].columns * axes_[i].dx;
      y += coords[i] / axes_[i].columns * axes_[i].dy;
    }
    return {x, y};
  }

  // The number of cells in a line of a one-dimensional mesh.
  int line() const { return axes_[0].columns; }

 private:
  struct Axis {
    int columns = 1;
    double dx = 0, dy = 0;
  };

  // Arranges the parts of the dimension in lines. The length of a line is chosen so that the whole has an aspect ratio
  // close to the intended one. Missing parts in the last line add to the cost: twice their share.
  void in_lines(int dim, double gap) {
    const int n = dims_[dim];
    const double between = dim == static_cast<int>(dims_.size()) - 1 ? 0 : gap;  // cells of one slice are adjacent
    int best = 1;
    double best_cost = HUGE_VAL;
    for (int columns = 1; columns <= n; ++columns) {
      const int rows = (n + columns - 1) / columns;
      const double missing = static_cast<double>(rows * columns - n) / (rows * columns);
      const double w = columns * (width_ + between), h = rows * (height_ + gap);
      const double cost = std::abs(std::log(w / h / aspect_)) + 2 * missing;
      if (cost < best_cost - 1e-9) {
        best = columns;
        best_cost = cost;
      }
    }
    const int rows = (n + best - 1) / best;
    axes_[dim] = {best, width_ + between, height_ + gap};
    width_ = best * (width_ + between) - between;
    height_ = rows * (height_ + gap) - gap;
  }

  std::vector<int> dims_;
  std::vector<Axis> axes_;
  double width_ = 1, height_ = 1, label_ = 0;
  double aspect_;
};

// The part of the mesh that is drawn, divided into rectangles of rows and columns (slices).
struct Slices {
  int rows = 1, columns = 1;
  std::vector<std::vector<int>> corners;  // coordinates of each slice's first cell
};

// In a one-dimensional mesh, each line is a slice.
Slices slices_of(const std::vector<int>& drawn, int line) {
  Slices s;
  const size_t k = drawn.size();
  if (k == 0) return {1, 1, {{}}};
  if (k == 1) {
    s.columns = line;
    for (int first = 0; first < drawn[0]; first += line) s.corners.push_back({first});
    return s;
  }
  s.columns = drawn[k - 1];
  s.rows = drawn[k - 2];
  std::vector<int> corner(k, 0);
  for (;;) {  // in row-major order
    s.corners.push_back(corner);
    size_t i = k - 2;
    while (i > 0 && ++corner[i - 1] == drawn[i - 1]) corner[--i] = 0;
    if (i == 0) return s;
  }
}

// The nodes of one slice: [row][column]; -1 outside the mesh (in the last line of a one-dimensional mesh).
using SliceNodes = std::vector<std::vector<int>>;

class MeshDrawing {
 public:
  MeshDrawing(const std::vector<int>& dims, const std::vector<std::string>& title, const std::vector<MeshPanel>& panels)
      : dims_(dims),
        drawn_(drawn_dims(dims)),
        title_(title),
        panels_(panels),
        grid_(fit()),
        slices_(slices_of(drawn_, dims.empty() ? 1 : grid_.line())) {
    nodes_.resize(panels.size());
    for (size_t p = 0; p < panels.size(); ++p) {
      for (const std::vector<int>& corner : slices_.corners) nodes_[p].push_back(nodes_of(panels[p], corner));
    }
    choose_colours();
  }

  std::string draw() const {
    const double w = grid_.width() * cell_, h = grid_.height() * cell_;
    const size_t lines = title_.size();
    double y = kMargin + kLine * lines + kLine / 2.0, x = kMargin;
    double right = 0, bottom = 0;
    std::string body;
    for (size_t l = 0; l < lines; ++l) {
      body += text(kMargin, kMargin + kLine * l + kFont, title_[l], l == 0);
      right = std::max(right, kMargin + text_width(title_[l], kFont) * (l == 0 ? 1.1 : 1));
    }
    for (size_t p = 0; p < panels_.size(); ++p) {
      const MeshPanel& panel = panels_[p];
      double wide = w;
      for (size_t l = 0; l < panel.lines.size(); ++l) {
        body += text(x, y + kLine * l + kFont, panel.lines[l], l == 0);
        wide = std::max(wide, text_width(panel.lines[l], kFont) * (l == 0 ? 1.1 : 1));
      }
      const double top = y + kLine * panel.lines.size() + 4;
      body += draw_panel(p, std::round(x), std::round(top));
      right = std::max(right, x + wide);
      bottom = std::max(bottom, top + h);
      if (beside_) {
        x += wide + kBetween;
      } else {
        y = top + h + kBetween;
      }
    }
    return svg_page(std::ceil(right + kMargin), std::ceil(bottom + kMargin), kFont, body);
  }

 private:
  static std::string text(double x, double y, const std::string& what, bool bold) {
    return fmt::format("<text x=\"{:g}\" y=\"{:g}\"{}>{}</text>\n", x, y, bold ? " font-weight=\"bold\"" : "",
                       svg_escape(what));
  }

  // Arranges panels beside or below each other, whichever allows larger cells. A gap has the same px for all cell
  // sizes.
  Grid fit() {
    labelled_ = drawn_.size() > 2;
    const auto grid = [this](int cell, bool beside) {
      const auto in_cells = [cell](double px) { return px / cell; };
      return Grid(drawn_, in_cells(kSliceGap), labelled_ ? in_cells(kLabelFont + 2) : 0,
                  beside ? kBesideAspect : kBelowAspect);
    };
    for (cell_ = kLargestCell;; --cell_) {
      for (const bool beside : {true, false}) {
        const Grid made = grid(cell_, beside);
        const double w = made.width() * cell_, h = made.height() * cell_;
        beside_ = beside;
        const bool fits = beside ? w <= kHalfWidth && h <= kHeight : w <= 2 * kHalfWidth && h <= kHeight / 2.0;
        if (fits || cell_ == kSmallestCell) return made;
      }
    }
  }

  int position(const std::vector<int>& corner, int row, int column) const {
    std::vector<int> coords = corner;
    if (!coords.empty()) coords.back() += column;
    if (coords.size() > 1) coords[coords.size() - 2] += row;
    if (!coords.empty() && coords.back() >= drawn_.back()) return -1;
    int position = 0;  // row-major, like ranks in a mesh
    for (size_t i = 0; i < coords.size(); ++i) position = position * dims_[i] + coords[i];
    return position;
  }

  SliceNodes nodes_of(const MeshPanel& panel, const std::vector<int>& corner) const {
    SliceNodes nodes(slices_.rows, std::vector<int>(slices_.columns, -1));
    for (int r = 0; r < slices_.rows; ++r) {
      for (int c = 0; c < slices_.columns; ++c) {
        const int at = position(corner, r, c);
        if (at >= 0) nodes[r][c] = panel.node_of[at];
      }
    }
    return nodes;
  }

  // Greedily, in the order of the nodes, so that regular mappings look regular.
  void choose_colours() {
    int num_nodes = 0;
    for (const MeshPanel& p : panels_) {
      for (int n : p.node_of) num_nodes = std::max(num_nodes, n + 1);
    }
    std::vector<std::vector<int>> sides(num_nodes), corners(num_nodes);
    for (const std::vector<SliceNodes>& slices : nodes_) {
      for (const SliceNodes& nodes : slices) add_neighbours(nodes, sides, corners);
    }
    colours_.assign(num_nodes, -1);
    for (int n = 0; n < num_nodes; ++n) {
      // Conflicts along sides, conflicts at corners, distance of the colour from the node's turn.
      std::array<std::array<int, 3>, kColours.size()> cost{};
      const int turns = static_cast<int>(kColours.size());
      for (int c = 0; c < turns; ++c) cost[c][2] = (c - n % turns + turns) % turns;
      for (int other : sides[n]) {
        if (colours_[other] >= 0) ++cost[colours_[other]][0];
      }
      for (int other : corners[n]) {
        if (colours_[other] >= 0) ++cost[colours_[other]][1];
      }
      colours_[n] = static_cast<int>(std::min_element(cost.begin(), cost.end()) - cost.begin());
    }
  }

  static void add_neighbours(const SliceNodes& nodes, std::vector<std::vector<int>>& sides,
                             std::vector<std::vector<int>>& corners) {
    const int rows = static_cast<int>(nodes.size()), columns = static_cast<int>(nodes[0].size());
    const auto join = [&](std::vector<std::vector<int>>& lists, int a, int r, int c) {
      if (r >= rows || c < 0 || c >= columns || nodes[r][c] < 0 || nodes[r][c] == a) return;
      const int b = nodes[r][c];
      if (std::find(lists[a].begin(), lists[a].end(), b) != lists[a].end()) return;
      lists[a].push_back(b);
      lists[b].push_back(a);
    };
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < columns; ++c) {
        const int a = nodes[r][c];
        if (a < 0) continue;
        join(sides, a, r, c + 1);
        join(sides, a, r + 1, c);
        join(corners, a, r + 1, c - 1);
        join(corners, a, r + 1, c + 1);
      }
    }
  }

  // Draws the cells of each node as few rectangles: runs within a row, extended down while the same runs follow.
  static void add_rectangles(const SliceNodes& nodes, std::array<double, 2> at, std::map<int, std::string>& by_node) {
    struct Run {
      int node, first_row, rows;
    };
    std::map<std::pair<int, int>, Run> open;  // by first and last column
    const auto close = [&](const std::pair<int, int>& columns, const Run& run) {
      const int width = columns.second - columns.first + 1;
      by_node[run.node] +=
          fmt::format("M{:g} {:g}h{}v{}h-{}z", at[0] + columns.first, at[1] + run.first_row, width, run.rows, width);
    };
    for (int r = 0; r <= static_cast<int>(nodes.size()); ++r) {
      std::map<std::pair<int, int>, Run> next;
      const int columns = r < static_cast<int>(nodes.size()) ? static_cast<int>(nodes[r].size()) : 0;
      for (int c = 0; c < columns;) {
        int last = c;
        while (last + 1 < columns && nodes[r][last + 1] == nodes[r][c]) ++last;
        if (nodes[r][c] >= 0) {
          const std::pair<int, int> key(c, last);
          const auto same = open.find(key);
          if (same != open.end() && same->second.node == nodes[r][c]) {
            next[key] = {nodes[r][c], same->second.first_row, same->second.rows + 1};
            open.erase(same);
          } else {
            next[key] = {nodes[r][c], r, 1};
          }
        }
        c = last + 1;
      }
      for (const auto& [key, run] : open) close(key, run);
      open = std::move(next);
    }
  }

  // Lines between cells for which `wanted(a, b)` is true of the nodes on both sides (-1 outside the slice), joined if
  // they continue.
  template <typename Wanted>
  static std::string lines(const SliceNodes& nodes, std::array<double, 2> at, Wanted wanted) {
    const int rows = static_cast<int>(nodes.size()), columns = static_cast<int>(nodes[0].size());
    const auto node = [&](int r, int c) { return r < 0 || c < 0 || r >= rows || c >= columns ? -1 : nodes[r][c]; };
    std::string path;
    for (int r = 0; r <= rows; ++r) {
      for (int c = 0; c < columns;) {
        int end = c;
        while (end < columns && wanted(node(r - 1, end), node(r, end))) ++end;
        if (end > c) path += fmt::format("M{:g} {:g}h{}", at[0] + c, at[1] + r, end - c);
        c = end + 1;
      }
    }
    for (int c = 0; c <= columns; ++c) {
      for (int r = 0; r < rows;) {
        int end = r;
        while (end < rows && wanted(node(end, c - 1), node(end, c))) ++end;
        if (end > r) path += fmt::format("M{:g} {:g}v{}", at[0] + c, at[1] + r, end - r);
        r = end + 1;
      }
    }
    return path;
  }

  std::string draw_panel(size_t p, double x, double y) const {
    const MeshPanel& panel = panels_[p];
    std::map<int, std::string> by_node;
    std::string borders, seams, labels;
    for (size_t s = 0; s < slices_.corners.size(); ++s) {
      const SliceNodes& nodes = nodes_[p][s];
      const std::array<double, 2> at = grid_.at(slices_.corners[s]);
      add_rectangles(nodes, at, by_node);
      borders += lines(nodes, at, [](int a, int b) { return a != b; });
      if (cell_ >= 5) seams += lines(nodes, at, [](int a, int b) { return a == b && a >= 0; });
      labels += slice_label(s, x, y);
    }
    std::string out = fmt::format("<g class=\"{}\" transform=\"translate({:g} {:g}) scale({})\">\n",
                                  svg_escape(panel.name), x, y, cell_);
    for (const auto& [node, path] : by_node) {
      out += fmt::format("<path class=\"node\" fill=\"{}\" d=\"{}\"><title>node {}</title></path>\n",
                         kColours[colours_[node]], path, node);
    }
    const double border = cell_ >= 12 ? 2 : cell_ >= 3 ? 1 : 0.5;  // px
    if (!seams.empty()) {
      out += fmt::format("<path class=\"seams\" fill=\"none\" stroke=\"#ffffff\" stroke-width=\"{:.4g}\" d=\"{}\"/>\n",
                         1.0 / cell_, seams);
    }
    out += fmt::format(
        "<path class=\"borders\" fill=\"none\" stroke=\"#222222\" stroke-linecap=\"square\" stroke-width=\"{:.4g}\" "
        "d=\"{}\"/>\n</g>\n",
        border / cell_, borders);
    return out + labels + numbers(panel, x, y);
  }

  // "0,3", the coordinates that the slice's cells share; empty if it does not fit.
  std::string slice_label(size_t s, double x, double y) const {
    if (!labelled_) return "";
    const std::vector<int>& corner = slices_.corners[s];
    const std::string label = fmt::format("{}", fmt::join(corner.begin(), corner.end() - 2, ","));
    if (text_width(label, kLabelFont) > slices_.columns * cell_ + kSliceGap - 1) return "";
    const std::array<double, 2> at = grid_.at(corner);
    return fmt::format("<text x=\"{:g}\" y=\"{:.6g}\" font-size=\"{}\" fill=\"#555555\">{}</text>\n", x + at[0] * cell_,
                       y + at[1] * cell_ - 3, kLabelFont, label);
  }

  // The rank in each cell; empty if they do not all fit.
  std::string numbers(const MeshPanel& panel, double x, double y) const {
    const size_t digits = std::to_string(panel.rank_of.size() - 1).size();
    const double font = std::min(0.5 * cell_, 0.84 * cell_ / (kMonospaceAdvance * digits));
    if (font < kSmallestFont) return "";
    std::string out = fmt::format("<g font-size=\"{:.3g}\" text-anchor=\"middle\">\n", font);
    for (const std::vector<int>& corner : slices_.corners) {
      const std::array<double, 2> at = grid_.at(corner);
      for (int r = 0; r < slices_.rows; ++r) {
        for (int c = 0; c < slices_.columns; ++c) {
          const int cell = position(corner, r, c);
          if (cell < 0) continue;
          out += fmt::format("<text x=\"{:.6g}\" y=\"{:.6g}\">{}</text>\n", x + (at[0] + c + 0.5) * cell_,
                             y + (at[1] + r + 0.5) * cell_ + 0.36 * font, panel.rank_of[cell]);
        }
      }
    }
    return out + "</g>\n";
  }

  const std::vector<int>& dims_;
  const std::vector<int> drawn_;
  const std::vector<std::string>& title_;
  const std::vector<MeshPanel>& panels_;
  int cell_ = kLargestCell;  // px
  bool beside_ = true, labelled_ = false;
  const Grid grid_;
  const Slices slices_;
  std::vector<std::vector<SliceNodes>> nodes_;  // by panel and slice
  std::vector<int> colours_;                    // by node
};

}  // namespace

std::vector<int> drawn_dims(std::vector<int> dims) {
  const auto cells = [&] { return std::accumulate(dims.begin(), dims.end(), 1L, std::multiplies<>()); };
  while (cells() > kMostCells) {
    int& longest = *std::max_element(dims.begin(), dims.end());
    longest = (longest + 1) / 2;
  }
  return dims;
}

std::string draw_meshes(const std::vector<int>& dims, const std::vector<std::string>& title,
                        const std::vector<MeshPanel>& panels) {
  return MeshDrawing(dims, title, panels).draw();
}

}  // namespace strata
