#include "sim/plugin/traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace strata::sim {

void MessageMatrix::add(int sender, int receiver, std::uint64_t bytes) {
  if (rows_.size() <= static_cast<size_t>(sender)) rows_.resize(sender + 1);
  Cell& cell = rows_[sender][receiver];
  cell.bytes += bytes;
  ++cell.messages;
}

std::string MessageMatrix::text(int order, std::uint64_t Cell::*what) const {
  std::string lines;
  long entries = 0;
  for (size_t sender = 0; sender < rows_.size(); ++sender) {
    std::vector<std::pair<int, Cell>> row(rows_[sender].begin(), rows_[sender].end());
    std::sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [receiver, cell] : row) {
      if (cell.*what == 0) continue;
      lines += fmt::format("{} {} {}\n", sender + 1, receiver + 1, cell.*what);
      ++entries;
    }
  }
  return fmt::format("%%MatrixMarket matrix coordinate integer general\n{0} {0} {1}\n{2}", order, entries, lines);
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string links_text(const std::vector<LinkName>& names, const std::vector<double>& bytes,
                       const std::vector<Carried>& carried, double active_s) {
  std::string out = "link,level,direction,capacity_bytes_per_s,bytes,messages,utilisation\n";
  for (size_t l = 0; l < names.size(); ++l) {
    const LinkName& n = names[l];
    const double whole = std::floor(bytes[l]);
    if (n.capacity == 0 || (n.direction == "self" && whole == 0)) continue;
    const double utilisation = active_s > 0 ? whole / (n.capacity * active_s) : 0;
    out += fmt::format("{},{},{},{},{:.0f},{},{:.6g}\n", csv_field(n.link), csv_field(n.level), n.direction, n.capacity,
                       whole, carried[l].messages, utilisation);
  }
  return out;
}

}  // namespace strata::sim
