// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/console.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/bars_text.h"
#include "analysis/check_summary.h"
#include "analysis/derive.h"
#include "analysis/format.h"
#include "analysis/layout.h"

namespace strata::analysis {
namespace {

constexpr size_t kWidth = 100;  // characters; fits a terminal that is slightly wider than 80
constexpr const char* kGap = "  ";
constexpr const char* kBlockGap = "   ";

// A column as text, padded to one width.
struct TextColumn {
  std::vector<std::string> cells;  // heading, unit, then the rows
  size_t width = 0;

  void add(std::string text) {
    width = std::max(width, text.size());
    cells.push_back(std::move(text));
  }
};

// Times are in us: with one unit in the whole table, numbers can be compared by their length.
Scale console_scale(const std::string& unit) { return unit == "s" ? Scale{1e6, "us"} : Scale{1, shown_unit(unit)}; }

// "10.46", or "10.46 (9.8 to 11.1)" with an error bar.
std::string cell(const Column& column, size_t row) {
  const std::optional<double>& value = column.values[row];
  if (!value) return "-";
  const double factor = column.unit.empty() ? 1 : console_scale(column.unit).factor;
  const std::string text = significant(*value * factor, column.unit.empty() ? 3 : 4);
  const RecordedBar* const bar = column.bars.empty() ? nullptr : column.bars[row];
  if (bar == nullptr) return text;
  return fmt::format("{} ({})", text, range_text(bar->low * factor, bar->high * factor, ""));
}

TextColumn text_of(const Column& column) {
  TextColumn text;
  text.add(column.heading);
  text.add(column.unit.empty() ? "" : console_scale(column.unit).unit);
  for (size_t row = 0; row < column.values.size(); ++row) text.add(cell(column, row));
  return text;
}

struct TextBlock {
  std::string heading;
  std::vector<TextColumn> columns;
  size_t width = 0;
};

TextBlock text_of(const Block& block) {
  TextBlock text{block.heading, {}, 0};
  for (const Column& column : block.columns) {
    text.columns.push_back(text_of(column));
    text.width += text.columns.back().width + (text.columns.size() > 1 ? std::string(kGap).size() : 0);
  }
  if (text.heading.size() > text.width && !text.columns.empty()) {  // widen the first column to fit a long heading
    text.columns.front().width += text.heading.size() - text.width;
    text.width = text.heading.size();
  }
  return text;
}

void append_line(std::string& out, std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  out += line + "\n";
}

// Some blocks side by side, with the names of the rows on their left.
void append_blocks(std::string& out, const TextColumn& rows, const std::vector<TextBlock>& blocks, size_t from,
                   size_t to) {
  const bool headed = std::any_of(blocks.begin(), blocks.end(), [](const TextBlock& b) { return !b.heading.empty(); });
  if (headed) {
    std::string line = fmt::format("{:>{}}", "", rows.width);
    for (size_t b = from; b < to; ++b) line += fmt::format("{}{:^{}}", kBlockGap, blocks[b].heading, blocks[b].width);
    append_line(out, line);
  }
  for (size_t row = 0; row < rows.cells.size(); ++row) {
    std::string line = fmt::format("{:>{}}", rows.cells[row], rows.width);
    for (size_t b = from; b < to; ++b) {
      for (size_t c = 0; c < blocks[b].columns.size(); ++c) {
        const TextColumn& column = blocks[b].columns[c];
        line += fmt::format("{}{:>{}}", c == 0 ? kBlockGap : kGap, column.cells[row], column.width);
      }
    }
    append_line(out, line);
  }
}

void append_layout(std::string& out, const Layout& layout) {
  TextColumn rows;
  rows.add(layout.row_heading);
  rows.add("");
  for (const std::string& row : layout.rows) rows.add(row);
  std::vector<TextBlock> blocks;
  for (const Block& block : layout.blocks) blocks.push_back(text_of(block));
  for (size_t from = 0; from < blocks.size();) {
    size_t to = from;
    for (size_t width = rows.width; to < blocks.size(); ++to) {
      width += std::string(kBlockGap).size() + blocks[to].width;
      if (to > from && width > kWidth) break;
    }
    append_blocks(out, rows, blocks, from, to);
    out += "\n";
    from = to;
  }
}

}  // namespace

std::string console_table(const Results& results, const std::vector<models::CheckRow>& checks) {
  const Study& study = results.manifest.study;
  const std::vector<Table> tables = quantities(results);
  std::string out = fmt::format("{}\n{}, {} ranks\n\n", study.title, results.manifest.machine, study.ranks_text());
  for (const Layout& layout : layouts(study, tables)) append_layout(out, layout);
  for (size_t i = study.metrics().size(); i < tables.size(); ++i) {
    const Table& table = tables[i];
    // An empty cell is less than any value.
    const auto best = std::max_element(table.cells.begin(), table.cells.end());
    if (best == table.cells.end() || !*best) continue;
    const std::string at = parameters_text(table.parameters_of(static_cast<size_t>(best - table.cells.begin())));
    out += fmt::format("best {}: {}x{}\n", table.name, significant(**best, 3), at.empty() ? "" : " at " + at);
  }
  out += bars_text(results);
  for (const CheckSummary& summary : summarize(study, checks)) out += summary_line(summary) + "\n";
  if (const size_t missing = tables.front().missing(); missing > 0) {
    out += fmt::format("{} of {} points are missing: the run is not finished; continue it with --resume\n", missing,
                       tables.front().cells.size());
  }
  return out;
}

}  // namespace strata::analysis
