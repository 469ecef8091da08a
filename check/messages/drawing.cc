// SPDX-License-Identifier: LGPL-2.1-only
#include "check/messages/drawing.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/svg_text.h"

namespace strata::check {
namespace {

std::string text_of(const std::vector<RankStep>& steps) {
  std::string text;
  const size_t width = std::to_string(steps.size()).size();
  for (size_t i = 0; i < steps.size(); ++i)
    text += fmt::format("{:>{}}  rank {}  {}\n", i + 1, width, steps[i].rank, steps[i].what);
  return text;
}

std::string svg_of(const std::string& title, const std::vector<RankStep>& steps) {
  constexpr int kFont = 12, kLine = 18, kMargin = 12, kNumber = 40;  // px
  size_t longest = 8;
  int ranks = 1;
  for (const RankStep& s : steps) {
    longest = std::max(longest, s.what.size());
    ranks = std::max(ranks, s.rank + 1);
  }
  const double column = kMonospaceAdvance * kFont * static_cast<double>(longest) + 16;
  const double left = kMargin + kNumber, width = left + column * ranks + kMargin;
  double y = kMargin + kLine;
  std::string body =
      fmt::format("<text x=\"{}\" y=\"{}\" font-weight=\"bold\">{}</text>\n", kMargin, y, svg_escape(title));
  y += 1.5 * kLine;
  const double top = y + kLine / 3.0, bottom = top + kLine * static_cast<double>(steps.size()) + kLine / 2.0;
  for (int rank = 0; rank < ranks; ++rank) {
    const double x = left + column * rank;
    body += fmt::format(
        "<text x=\"{:.1f}\" y=\"{:.1f}\" font-weight=\"bold\">rank {}</text>\n"
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#bbbbbb\"/>\n",
        x, y, rank, x - 6, top, x - 6, bottom);
  }
  for (size_t i = 0; i < steps.size(); ++i) {
    y += kLine;
    const double x = left + column * steps[i].rank;
    body += fmt::format(
        "<text x=\"{}\" y=\"{:.1f}\" fill=\"#888888\">{}</text>\n"
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\" fill=\"#dde8f5\"/>\n"
        "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
        kMargin, y, i + 1, x - 4, y - kLine + 5, column - 6, kLine - 2, x, y, svg_escape(steps[i].what));
  }
  const double title_width = kMargin * 2 + kMonospaceAdvance * kFont * static_cast<double>(title.size());
  return svg_page(std::max(width, title_width), bottom + kMargin, kFont, body);
}

}  // namespace

Drawing draw_steps(const std::string& title, const std::vector<RankStep>& steps) {
  return {.text = text_of(steps), .svg = svg_of(title, steps)};
}

}  // namespace strata::check
